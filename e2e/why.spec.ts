// Chapter 2: a row as a budget, and a layer as one wide head, as its mean, and as its own heads.
import type { Page } from '@playwright/test'
import { expect, Explainer, sentence, test, why } from './explainer'
import { expectFits, save } from './figures'

const slow = { timeout: 30_000 }
const state = { text: sentence, layer: 3, head: 1, token: 8 }

async function open(explainer: Explainer, more = {}, language = 'en'): Promise<Page> {
  const { page } = explainer
  await explainer.open(why({ ...state, ...more }, language))
  await expect(page.getByTestId('sum')).toBeVisible(slow)
  await expect(page.locator('#why-lost .crosshair')).toBeVisible(slow)
  return page
}

interface Saved {
  columns: string[]
  rows: (string | number)[][]
}

async function data(page: Page, figure: string): Promise<Saved> {
  return JSON.parse(await save(page, figure, 'JSON')) as Saved
}

/** Weights of the budget before and after, by key. */
async function budget(page: Page): Promise<{ before: number[]; after: number[] }> {
  const { columns, rows } = await data(page, '#why-budget')
  expect(columns).toEqual(['key_index', 'key', 'score', 'weight_before', 'weight_after'])
  const column = (place: number): number[] => rows.map((row) => Number(row[place]))
  return { before: column(3), after: column(4) }
}

test('what one key gains, all others lose, each by the same factor; and back', async ({
  explainer,
}) => {
  const page = await open(explainer)
  const slider = page.getByRole('slider', { name: 'Raise the score of mat' })
  await slider.focus()
  for (let press = 0; press < 8; press++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/raise=6&by=2$/)
  const said = page.locator('#why-budget .said')
  await expect(said).toContainText('mat with +2.00 in its score')
  await expect(slider).toHaveAttribute('aria-valuetext', /^\+2\.00, weight 0\.\d{3}$/)
  await expect(page.getByTestId('sum')).toHaveText('1.000')
  const { before, after } = await budget(page)
  const odds = (share = 0): number => share / (1 - share)
  expect(Math.log(odds(after[6]) / odds(before[6]))).toBeCloseTo(2, 3)
  const factor = (after[2] ?? 0) / (before[2] ?? 1)
  expect(factor).toBeLessThan(1)
  for (const [key, weight] of before.entries()) {
    if (key !== 6) expect((after[key] ?? 0) / weight).toBeCloseTo(factor, 4)
  }
  await page.getByRole('button', { name: 'Back to the trained scores' }).click()
  await expect(page).not.toHaveURL(/raise/)
  await expect(said).toContainText('Drag a slider')
})

test('a slider that is held stays while the layers behind it arrive', async ({ explainer }) => {
  const { page } = explainer
  await explainer.open(why({ ...state, layer: 0, head: 0 }))
  const slider = page.getByRole('slider').first()
  await slider.focus(slow)
  await page.locator('header button.ready').waitFor(slow)
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/by=1$/)
  await expect(slider).toBeFocused()
})

test('it: one head takes cat, another was; the mean has less of both, the wide head neither', async ({
  explainer,
}) => {
  const page = await open(explainer)
  await expect(page.getByTestId('found')).toHaveText(
    /^cat gets most in head 3\.1, 0\.\d\d; was in head 3\.9, 0\.\d\d\.$/,
  )
  const { rows } = await data(page, '#why-lost')
  for (const key of [2, 9]) {
    const [most = 0, mean = 1, wide = 1] = (rows[key] ?? []).slice(2).map(Number)
    expect(most).toBeGreaterThan(3 * mean)
    expect(wide).toBeLessThan(mean)
  }
  const [ofMean = 0, ofHeads = 9] = (
    (await page.getByTestId('spread').textContent())?.match(/\d\.\d\d/g) ?? []
  ).map(Number)
  expect(ofMean).toBeGreaterThan(ofHeads + 0.1)
  await page.locator('[data-wanted="second"]').selectOption('10')
  await expect(page).toHaveURL(/second=10/)
  await expect(page.getByTestId('found')).toContainText('tired in head')
})

test(
  'the maps: every head as the model has it, their mean, each row a budget',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer)
    const { columns, rows } = await data(page, '#why-maps')
    expect(columns.slice(4, 8)).toEqual(['wide', 'mean', '3.0', '3.1'])
    expect(rows).toHaveLength(144)
    for (const row of rows) {
      const heads = row.slice(6).map(Number)
      const mean = heads.reduce((sum, weight) => sum + weight, 0) / 12
      expect(Math.abs(Number(row[5]) - mean)).toBeLessThan(1e-6)
    }
    for (let map = 4; map < columns.length; map++) {
      const sum = rows.slice(96, 108).reduce((total, row) => total + Number(row[map]), 0)
      expect(sum).toBeCloseTo(1, 5)
    }
    await page.locator('[data-map="3.9"]').click()
    await expect(page).toHaveURL(/head=9&token=8&map=head/)
    await expect(page.locator('#why-budget-title')).toHaveText('The budget of it in head 3.9')
    const map = page.getByRole('application', { name: /^Map: head 3\.9/ })
    await map.focus()
    await page.keyboard.press('End')
    await expect(page.locator('#why-maps').getByTestId('readout')).toContainText('it → [SEP]')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/token=7/)
  },
)

test(
  'a raised score stays with its word while one types',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { raise: 6, by: 2 })
    await explainer.text.press('Home')
    await explainer.text.pressSequentially('Now ', { delay: 15 })
    await explainer.tokensEndWith('was', 'tired', '[SEP]')
    await expect(page).toHaveURL(/token=9&raise=7&by=2$/, slow)
    await expect(page.locator('#why-budget .said')).toContainText('mat with +2.00', slow)
  },
)

test('things to try', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { text: 'Hello there', token: 1 })
  const evidence = page.locator('.evidence')
  await page.getByRole('button', { name: /Raise the score of mat/ }).click()
  await expect(explainer.text).toHaveValue(sentence)
  await expect(evidence).toContainText(/mat takes 0\.7\d+; cat falls from 0\.\d+ to 0\.1\d+/, slow)
  await page.getByRole('button', { name: /Open the one wide head/ }).click()
  await expect(evidence).toContainText(/its largest weight is 0\.9\d+, on \[CLS\]/, slow)
  await page.getByRole('button', { name: /Go to layer 4/ }).click()
  await expect(evidence).toContainText(/head 4\.3 gives cat 0\.\d\d, head 4\.9 gives was/, slow)
})

test(
  'a link shows the same in a fresh browser, in the other language',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const more = { layer: 4, head: 3, map: 'mean', first: 6, second: 10, raise: 2, by: -1.5 }
    const page = await open(explainer, more)
    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await open(other, more, 'ko')
    await expect(other.page.locator('h1')).toHaveText('헤드는 왜 여러 개일까?')
    const weights = (of: Page) => of.locator('#why-budget .weight').allTextContents()
    expect(await weights(other.page)).toEqual(await weights(page))
    expect(other.problems).toEqual([])
    await context.close()
  },
)

test('files and tables hold what the pictures show', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { raise: 6, by: 3 })
  const csv = (await save(page, '#why-budget', 'CSV')).split('\r\n')
  for (const line of ['layer,3', 'head,1', 'raised_key,6', 'raised_by,3']) {
    expect(csv).toContain(line)
  }
  for (const figure of ['#why-budget', '#why-maps', '#why-heads', '#why-lost']) {
    expect(await save(page, figure, 'SVG')).toContain('<svg')
    expect((await save(page, figure, 'PNG')).slice(1, 4)).toBe('PNG')
  }
  const { after } = await budget(page)
  await page.locator('#why-budget').getByRole('button', { name: 'Table' }).click()
  await expect(page.locator('#why-budget tbody tr').nth(6).locator('td').last()).toHaveText(
    (after[6] ?? 0).toFixed(3),
  )
  await page.locator('#why-maps').getByRole('button', { name: 'Table' }).click()
  await expect(page.locator('#why-maps thead th')).toHaveCount(15)
})

test(
  'odd values and no text: something sensible, accessible, on a phone',
  { tag: '@all' },
  async ({ explainer }) => {
    const { page } = explainer
    await page.setViewportSize({ width: 360, height: 740 })
    await open(explainer, { text: '', layer: 99, map: 'all', first: 77, raise: 50, by: 2 })
    await expect(page).toHaveURL(/layer=5&head=1&token=1$/)
    await expectFits(page)
  },
)

test('a long text, on a phone', { tag: '@all' }, async ({ explainer }) => {
  const { page } = explainer
  await page.setViewportSize({ width: 360, height: 740 })
  await open(explainer, { text: `${sentence}. `.repeat(60), token: 300 }, 'ko')
  await expect(page.locator('#why-budget input')).toHaveCount(12)
  await expectFits(page)
})
