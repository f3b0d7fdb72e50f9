// Chapter 6 does what it says: planes, pairs, the map of all heads, the ends of the scale.
import type { Page } from '@playwright/test'
import { expect, Explainer, subspaces, test } from './explainer'
import { rowsOf, save, testFiles, testWidths } from './figures'

const patience = { timeout: 45_000 }
const figures = ['#subspaces-spaces', '#subspaces-pairs', '#subspaces-map', '#subspaces-angles']
const answer = (page: Page) => page.locator('.answer')
const compared = (page: Page) => page.getByTestId('compared')
const alike = (page: Page) => page.getByTestId('alike')
const end = (page: Page, id: string) => page.locator(`[data-end="${id}"] td`)

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  const { page } = explainer
  await explainer.open(subspaces(state, language))
  await whole(page)
  return page
}

/** Everything has been computed. */
async function whole(page: Page): Promise<void> {
  await expect(end(page, 'chance').first()).toBeVisible(patience)
  await expect(page.locator('.waiting')).toHaveCount(0, patience)
}

const numbers = async (page: Page): Promise<number[]> =>
  (await answer(page).locator('.number').allTextContents()).map(Number)

test('two tokens in two spaces; text, head and space change the numbers', async ({ explainer }) => {
  const page = await open(explainer)
  await expect(page).toHaveTitle(/Subspaces/)
  await expect(page.locator('h1')).toContainText('How near are it and')
  const before = await numbers(page)
  expect(before).toHaveLength(4)
  await expect(compared(page).locator('td').first()).toHaveText(before[0]?.toFixed(2) ?? '')

  await page.getByRole('button', { name: 'Keys', exact: true }).click()
  await expect(page).toHaveURL(/space=key/)
  await expect(answer(page)).toContainText('the keys of 3.1')
  await page.getByRole('combobox', { name: 'Layer' }).selectOption('0')
  await expect(answer(page)).toContainText('what layer 0 reads', patience)
  await expect.poll(async () => numbers(page), patience).not.toEqual(before)
  await page.goBack()
  await page.goBack()
  await expect(answer(page)).toContainText('the queries of 3.1')
  await expect.poll(async () => numbers(page), patience).toEqual(before)

  await explainer.type('Rain fell')
  await expect(page.locator('#subspaces-pairs')).toContainText('there is one pair', patience)
  await explainer.type('')
  await expect(answer(page)).toContainText('takes two words', patience)
})

test('pairs that move: a click compares them, in every figure', async ({ explainer }) => {
  const page = await open(explainer)
  const first = page.locator('#subspaces-pairs tbody button').first()
  const pair = ((await first.textContent()) ?? '').split(' – ')
  await first.click()
  await expect(page.locator('h1')).toHaveText(`How near are ${pair.join(' and ')}?`)
  await expect(compared(page)).toContainText(pair.join(' – '))
  const [model, , inHead] = await numbers(page)
  expect(inHead).toBeLessThan(model ?? 0)
})

test('the ends of the scale are 1 and 0, 0° and 90°', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer)
  await expect(end(page, 'same')).toHaveText(['1.000', '1.000', '0.0°', '0.0°'])
  await expect(end(page, 'apart').first()).toHaveText('0.000')
  await expect(end(page, 'apart').nth(2)).toHaveText('90.0°')
  const least = Number.parseFloat((await end(page, 'chance').nth(2).textContent()) ?? '')
  expect(least).toBeGreaterThan(40)
  expect(least).toBeLessThan(80)
})

test('things to try: a click does them, and says what came out', async ({ explainer }) => {
  const page = await open(explainer)
  const evidence = page.locator('#subspaces-tries .evidence')
  await page.getByRole('button', { name: /comes nearest to each other/ }).click()
  await expect(evidence).toContainText('of the mean distance for the model', patience)
  await page.getByRole('button', { name: /most alike on this sentence/ }).click()
  await expect(evidence.filter({ hasText: 'CKA' })).toContainText('what they read', patience)
  await expect(page).toHaveURL(/with=\d\.\d+/)
  const most = Number(/\d\.\d{3}$/.exec((await alike(page).textContent()) ?? '')?.[0])
  await page.getByRole('button', { name: /debiased estimate/ }).click()
  await expect(page).toHaveURL(/compare=debiased/)
  await expect(evidence.filter({ hasText: 'debiased,' })).toHaveCount(1, patience)
  await expect.poll(async () => (await alike(page).textContent()) ?? '', patience).toMatch(/\d{3}$/)
  expect(most).toBeGreaterThan(0.5)
})

test('exports hold the numbers on screen', async ({ explainer }) => {
  const page = await open(explainer)
  const pairs = rowsOf(await save(page, '#subspaces-pairs', 'CSV'))
  expect(pairs).toHaveLength((10 * 9) / 2)
  const shown = (await compared(page).locator('td').allTextContents()).map(Number)
  const tokens = ((await compared(page).locator('th').textContent()) ?? '').split(' – ')
  const row = pairs.find((each) => each[1] === tokens[0] && each[3] === tokens[1])
  expect(row?.slice(4).map((value) => Number(Number(value).toFixed(2)))).toEqual(
    shown.map((value) => (Object.is(value, -0) ? 0 : value)),
  )
  const map = JSON.parse(await save(page, '#subspaces-map', 'JSON')) as { rows: number[][] }
  expect(map.rows).toHaveLength((72 * 73) / 2)
  for (const [layer, head, otherLayer, otherHead, value] of map.rows) {
    if (layer === otherLayer && head === otherHead) expect(value).toBeCloseTo(1, 5)
  }
})

test('keyboard: tokens in the planes, heads in the map', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer)
  const plane = page.locator('#subspaces-spaces [role="application"]').first()
  await plane.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(plane.locator('[aria-live]')).toHaveText('cat')
  await page.keyboard.press('Enter')
  await expect(page.locator('h1')).toHaveText('How near are it and cat?')
  const map = page.locator('#subspaces-map [role="application"]')
  await map.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await expect(alike(page)).toContainText('3.2 and 0.0')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/head=2.*with=0\.0/)
})

test(
  'a link shows the same numbers in a fresh browser, in the other language',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const state = {
      layer: 2,
      head: 7,
      token: 6,
      key: 9,
      space: 'key',
      compare: 'query',
      with: '4.3',
    }
    const page = await open(explainer, state)
    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await other.open((await explainer.address()).replace(/^.*?#\/en/, '#/ko'))
    await whole(other.page)
    expect(await numbers(other.page)).toEqual(await numbers(page))
    const read = async (from: Page): Promise<string[]> => [
      ((await alike(from).textContent()) ?? '').replace(/^.* /, ''),
      ...(await from.getByTestId('ends').locator('td').allTextContents()),
    ]
    expect(await read(other.page)).toEqual(await read(page))
    expect(other.problems).toEqual([])
    await context.close()
  },
)

testFiles(open, figures, ['angle', 'alignment', 'point'])

test('long and odd texts have an answer', { tag: '@all' }, async ({ explainer }) => {
  test.setTimeout(180_000)
  const long = 'The old house by the river was quiet again . '.repeat(60)
  const page = await open(explainer, { text: long, token: 1 })
  await expect(answer(page).locator('.number')).toHaveCount(4, patience)
  for (const text of ['', '고양이가 앉았다', '😀', 'one']) {
    await explainer.open(subspaces({ text, token: 1 }))
    await expect(answer(page)).toHaveText(/\S/, patience)
    await expect(page.locator('[role="alert"]')).toHaveCount(0)
  }
})

testWidths(open, 'subspaces')
