// Chapter 4: random scores and the model's own, with and without the scale.
import type { Page } from '@playwright/test'
import { expect, Explainer, scale, sentence, test } from './explainer'
import { expectFits, save } from './figures'

const slow = { timeout: 30_000 }

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  await explainer.open(scale(state, language))
  await expect(explainer.page.locator('#scale-variance .crosshair')).toBeVisible(slow)
  return explainer.page
}

/** The whole page: the model's figures too. */
async function openWhole(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  const page = await open(explainer, state, language)
  await expect(page.locator('#scale-model-row .crosshair')).toBeVisible(slow)
  await expect(page.locator('#scale-model-entropy .crosshair')).toBeVisible(slow)
  return page
}

interface Saved {
  link: string
  columns: string[]
  rows: number[][]
}

async function data(page: Page, figure: string): Promise<Saved> {
  return JSON.parse(await save(page, figure, 'JSON')) as Saved
}

test('variance is d_k without the scale and 1 with it; entropy and gradient fall without', async ({
  explainer,
}) => {
  const page = await open(explainer)
  await expect(page.locator('.answer')).toContainText('With dk = 64 random scores spread')
  const variance = await data(page, '#scale-variance')
  expect(variance.columns).toEqual(['d_k', 'without_scale', 'with_scale', 'formula'])
  expect(variance.rows.map(([headDim]) => headDim)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
  for (const [headDim = 0, without = 0, scaled = 0, formula] of variance.rows) {
    expect(formula).toBe(headDim)
    expect(Math.abs(Math.log2(without / headDim))).toBeLessThan(0.7)
    expect(Math.abs(without / headDim - scaled)).toBeLessThan(1e-3)
  }
  const entropy = (await data(page, '#scale-entropy')).rows
  expect(entropy.at(-1)?.[1] ?? 9).toBeLessThan(0.5)
  expect(entropy.at(-1)?.[2] ?? 0).toBeGreaterThan(2.5)
  const gradient = (await data(page, '#scale-gradient')).rows
  expect(gradient.at(-1)?.[3] ?? 9).toBeLessThan(0.1)
})

test('the slider and a click on a chart choose d_k; another seed, other numbers', async ({
  explainer,
}) => {
  const page = await open(explainer)
  const slider = page.getByRole('slider', { name: 'dk' })
  await slider.focus()
  await page.keyboard.press('End')
  await expect(page).toHaveURL(/dk=512/)
  await expect(page.locator('.answer')).toContainText('With dk = 512')
  await expect(slider).toHaveAttribute('aria-valuetext', 'd_k = 512')
  const chart = page.locator('#scale-entropy').getByRole('application')
  await chart.focus()
  await page.keyboard.press('Home')
  await expect(page.locator('#scale-entropy .readout')).toContainText('dk 1')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/dk=2\b/)
  const before = await page.locator('.answer').textContent()
  await page.getByRole('button', { name: 'Other numbers' }).click()
  await expect(page).toHaveURL(/seed=2/)
  await expect(page.locator('.answer')).not.toHaveText(before ?? '')
  await page.goBack()
  await expect(page.locator('.answer')).toHaveText(before ?? '')
})

test('things to try: wide, narrow, and a head of the model', async ({ explainer }) => {
  const page = await openWhole(explainer, { text: 'Hello there', token: 1 })
  const evidence = page.locator('.evidence')
  await page.getByRole('button', { name: /Go to dk = 512/ }).click()
  await expect(evidence).toContainText(/largest weight 0\.9\d, gradient 0\.\d{3}/)
  await page.getByRole('button', { name: /Go to dk = 1\b/ }).click()
  await expect(evidence).toContainText('nothing changes')
  const numbers = ((await evidence.textContent()) ?? '').match(/\d\.\d{2}/g) ?? []
  expect(numbers[0]).toBe(numbers[1])
  await page.getByRole('button', { name: /scale away from head 3\.1/ }).click()
  await expect(explainer.text).toHaveValue(sentence)
  await expect(evidence).toContainText(/entropy of its rows \d\.\d\d nats as trained/, slow)
  const [trained = 0, without = 9] =
    ((await evidence.textContent()) ?? '').match(/\d\.\d{2}/g)?.map(Number) ?? []
  expect(trained).toBeGreaterThan(3 * without)
})

test('a head of the model: as trained it has the row of chapter 1; the factor changes it', async ({
  explainer,
}) => {
  const page = await openWhole(explainer, { text: sentence, layer: 3, head: 1, token: 8 })
  const cat = async (): Promise<number[]> => {
    const { rows } = await data(page, '#scale-model-row')
    return (rows[2] ?? []).slice(2)
  }
  const [trained = 0, changed = 0] = await cat()
  expect(Math.abs(trained - 0.49)).toBeLessThan(0.03)
  expect(changed).toBeGreaterThan(0.9)
  await page.getByRole('button', { name: 'as trained' }).click()
  await expect(page).toHaveURL(/power=0/)
  await expect(page.getByText('scale × 1', { exact: true })).toBeVisible()
  const same = await cat()
  expect(same[1]).toBe(same[0])
  await page.locator('#scale-model select').nth(1).selectOption('4')
  await expect(page.locator('#scale-model-title')).toHaveText('The same in head 3.4')
  await expect(page).toHaveURL(/layer=3&head=4/)
})

test(
  'a link shows the same numbers in a fresh browser, in the other language',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const page = await openWhole(explainer, { dk: 16, seed: 7, power: 1, layer: 5, head: 11 })
    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await openWhole(other, { dk: 16, seed: 7, power: 1, layer: 5, head: 11 }, 'ko')
    await expect(other.page.locator('h1')).toHaveText('왜 √dk로 나눌까?')
    const readouts = (of: Page) => of.locator('.readout b').allTextContents()
    expect(await readouts(other.page)).toEqual(await readouts(page))
    expect(other.problems).toEqual([])
    await context.close()
  },
)

test('files and tables hold what the picture shows', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { dk: 8 })
  const csv = (await save(page, '#scale-row', 'CSV')).split('\r\n')
  expect(csv).toContain('seed,1')
  expect(csv).toContain('d_k,8')
  const rows = csv.slice(csv.indexOf('') + 2).filter((line) => line !== '')
  expect(rows).toHaveLength(32)
  for (const column of [1, 2]) {
    const sum = rows.reduce((total, row) => total + Number(row.split(',')[column]), 0)
    expect(sum).toBeCloseTo(1, 5)
  }
  const svg = await save(page, '#scale-variance', 'SVG')
  expect(svg.match(/<polyline /g)?.length).toBeGreaterThanOrEqual(3)
  expect(svg).toContain('font-style="italic"')
  expect((await save(page, '#scale-scores', 'PNG')).slice(1, 4)).toBe('PNG')
  await page.locator('#scale-row').getByRole('button', { name: 'Table' }).click()
  await expect(page.locator('#scale-row tbody tr')).toHaveCount(32)
  await expect(page.locator('#scale-row tbody td').first()).toHaveText(
    Number(rows[0]?.split(',')[1]).toFixed(3),
  )
})

test(
  'odd values, no text, a long text; axe; nothing wider than a phone',
  { tag: '@all' },
  async ({ explainer }) => {
    const { page } = explainer
    await page.setViewportSize({ width: 360, height: 740 })
    await openWhole(explainer, { dk: 3, seed: 'x', power: 99, layer: 99, text: '' })
    await expect(page).toHaveURL(/layer=5&head=1&token=0&dk=64$/)
    await expectFits(page)
    await openWhole(explainer, { text: `${sentence}. `.repeat(60), token: 8 }, 'ko')
    await expectFits(page)
  },
)
