// Chapter 10 does what it says: a real layer converted, its errors, its prices.
import type { Page } from '@playwright/test'
import { expect, Explainer, test, variants } from './explainer'
import { save, testFiles, testWidths } from './figures'

const patience = { timeout: 45_000 }
const figures = [
  '#variants-errors',
  '#variants-cache',
  '#variants-maps',
  '#variants-spectrum',
  '#variants-prices',
]
const answer = (page: Page) => page.locator('.answer')
const prices = (page: Page) => page.locator('#variants-prices tbody tr')
const chosen = (page: Page) => page.locator('#variants-prices tr.chosen > *')

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  const { page } = explainer
  await explainer.open(variants(state, language))
  await whole(page)
  return page
}

/** Every variant has been run. */
async function whole(page: Page): Promise<void> {
  await expect(prices(page).last().locator('td').last()).toHaveText(/^\d\.\d{3}$/, patience)
  await expect(page.locator('.waiting')).toHaveCount(0, patience)
}

/** The table of prices: name, parameters, operations, cache, error. */
const table = (page: Page): Promise<string[][]> =>
  prices(page).evaluateAll((rows) =>
    rows.map((row) => Array.from(row.children, (cell) => cell.textContent.trim())),
  )

test('every divisor of 12, latents that keep as much, and what each loses', async ({
  explainer,
}) => {
  const page = await open(explainer)
  await expect(page).toHaveTitle(/Variants and their price/)
  const rows = await table(page)
  expect(rows.map(([name]) => name)).toEqual([
    'MHA',
    'GQA 6',
    'GQA 4',
    'GQA 3',
    'GQA 2',
    'MQA',
    'MLA 384',
    'MLA 256',
    'MLA 192',
    'MLA 128',
    'MLA 64',
  ])
  const errors = new Map(rows.map((row) => [row[0], Number(row[4])]))
  expect(errors.get('MHA')).toBe(0)
  expect(errors.get('MLA 384')).toBe(0)
  // NumPy, in exact arithmetic on the same weights; the layer's input comes from an int8 model here.
  expect(errors.get('GQA 4')).toBeCloseTo(0.95, 1)
  expect(errors.get('MLA 256')).toBeCloseTo(0.53, 1)
  await expect(answer(page)).toContainText('256 numbers for every token instead of 768')
  await expect(answer(page)).toContainText('95%')
})

test(
  'variant, latent, context and layer change what is shown',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer)
    await page.getByRole('button', { name: 'MQA', exact: true }).click()
    await expect(page).toHaveURL(/variant=gqa1/)
    await expect(chosen(page).nth(1)).toHaveText('319,488')
    await expect(chosen(page).nth(3)).toHaveText('3.1 MB')
    await page.getByRole('button', { name: 'MLA', exact: true }).click()
    const rank = page.locator('#variants-shape input[max="384"]')
    await rank.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page).toHaveURL(/variant=mla&rank=240/)
    await expect(chosen(page).first()).toHaveText('MLA 240')
    await expect(chosen(page).nth(4)).toHaveText(/^0\.\d{3}$/, patience)
    await page.getByRole('slider', { name: 'Tokens in the cache' }).focus()
    await page.keyboard.press('End')
    await expect(page).toHaveURL(/context=17/)
    await expect(prices(page).first().locator('td').nth(2)).toHaveText('1.2 GB')
    const before = await chosen(page).nth(4).textContent()
    await page.getByRole('combobox', { name: 'Layer' }).selectOption('5')
    await expect(answer(page)).toContainText('layer 5 keeps')
    await whole(page)
    expect(await chosen(page).nth(4).textContent()).not.toBe(before)
    await page.getByRole('button', { name: 'MHA', exact: true }).click()
    await expect(answer(page)).toContainText('As it was trained')
  },
)

test('a chart is a way to choose', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer)
  await page.locator('#variants-errors [role="application"]').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/variant=gqa1/)
  await page.locator('#variants-spectrum [role="application"]').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/variant=mla&rank=257/)
  await expect(chosen(page).first()).toHaveText('MLA 257')
})

test('things to try: a click does them, and says what came out', async ({ explainer }) => {
  const page = await open(explainer)
  const evidence = page.locator('#variants-tries .evidence')
  await page.getByRole('button', { name: /take the place of pooled heads/ }).click()
  await expect(evidence).toContainText(
    /error with 4 pooled heads 0\.9\d\d, with the latent 0\.5\d\d/,
  )
  await page.getByRole('button', { name: /one and the same key/ }).click()
  await expect(evidence).toContainText(/it → cat goes from 0\.4\d\d to 0\.\d{3}/, patience)
  await expect(page.getByTestId('weight-0')).toHaveText(/0\.4\d\d/)
  await page.getByRole('button', { name: /131,072 tokens/ }).click()
  await expect(evidence.last()).toContainText('1.2 GB')
})

test('exports hold the numbers on screen', async ({ explainer }) => {
  const page = await open(explainer)
  const shown = await table(page)
  const saved = JSON.parse(await save(page, '#variants-prices', 'JSON')) as {
    rows: (string | number)[][]
    link: string
  }
  expect(saved.link).toContain('variant=gqa4')
  expect(saved.rows).toHaveLength(11)
  saved.rows.forEach((row, place) => {
    expect(Number(row[3]).toLocaleString('en-US')).toBe(shown[place]?.[1])
    expect(Number(row[7]).toFixed(3)).toBe(shown[place]?.[4])
  })
  const growth = JSON.parse(await save(page, '#variants-cache', 'JSON')) as { rows: number[][] }
  expect(growth.rows.at(-1)?.slice(0, 2)).toEqual([131_072, 2 * 768 * 6 * 131_072])
})

test(
  'a link shows the same numbers in a fresh browser, in the other language',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const state = {
      text: 'Rain fell on the roof',
      token: 2,
      layer: 1,
      head: 8,
      variant: 'mla',
      rank: 96,
    }
    const page = await open(explainer, state)
    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await other.open((await explainer.address()).replace(/^.*?#\/en/, '#/ko'))
    await whole(other.page)
    expect(await table(other.page)).toEqual(await table(page))
    expect(other.problems).toEqual([])
    await context.close()
  },
)

testFiles(open, figures, ['pooled', 'down', 'bytes'])

test('long and odd texts have an answer', { tag: '@all' }, async ({ explainer }) => {
  test.setTimeout(180_000)
  const long = 'The old house by the river was quiet again . '.repeat(60)
  for (const text of [long, '', '고양이가 앉았다', '😀', 'one']) {
    const page = await open(explainer, { text, token: 1 })
    await expect(answer(page)).toContainText('%')
    await expect(page.locator('[role="alert"]')).toHaveCount(0)
  }
})

testWidths(open, 'variants')
