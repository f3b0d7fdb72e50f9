// Chapter 12: three maps of one sentence, a translation that can be stepped through and turned
// elsewhere, an alignment, and a language model that goes on with a text. Untagged is what a reader
// meets first; the rest runs in the long form.
import type { Locator, Page } from '@playwright/test'
import { addressOf, expect, test, type Explainer } from './explainer'
import { expectFits, save } from './figures'

type State = Record<string, string | number>

const english = 'Where is the station?'
const cross = (state: State = {}, language = 'en'): string => addressOf('cross', state, language)

const translation = (page: Page): Locator => page.getByTestId('translation').getByRole('button')
const written = (page: Page): Locator => page.getByTestId('written').getByRole('button')

/** Opens the chapter and waits until the translation and its maps are there. */
async function openTranslated(explainer: Explainer, address: string): Promise<void> {
  await explainer.open(address)
  await expect(explainer.page.locator('#cross-cross [role="application"]')).toBeVisible({
    timeout: 30_000,
  })
}

/** Waits until what was asked last is on screen, maps included. */
const settled = (page: Page): Promise<void> =>
  expect(page.locator('.stale')).toHaveCount(0, { timeout: 30_000 })

/** The table of one of the maps: its columns, its rows, and the numbers without their sum. */
async function tableOf(page: Page, place: string) {
  const figure = page.locator(`#cross-${place}`)
  await figure.locator('.tools > button').first().click()
  await expect(figure.locator('tbody tr').first()).toBeVisible()
  const columns = (await figure.locator('thead th').allTextContents()).slice(1, -1)
  const rows = await figure.locator('tbody tr').evaluateAll((all) =>
    all.map((row) => ({
      name: row.querySelector('th')?.textContent ?? '',
      cells: Array.from(row.querySelectorAll('td'), (cell) => Number(cell.textContent)),
    })),
  )
  await figure.locator('.tools > button').first().click()
  return {
    columns: columns.map((each) => each.trim()),
    names: rows.map(({ name }) => name.trim()),
    numbers: rows.map(({ cells }) => cells.slice(0, -1)),
    sums: rows.map(({ cells }) => cells.at(-1) ?? NaN),
  }
}

/** The data of a figure, as its JSON file has it. */
async function dataOf(
  page: Page,
  figure: string,
): Promise<{ columns: string[]; rows: unknown[][] }> {
  return JSON.parse(await save(page, figure, 'JSON')) as never
}

test('one sentence, three maps: a square, a triangle with the future at 0, a rectangle', async ({
  explainer,
}) => {
  const { page } = explainer
  await openTranslated(explainer, cross({ text: english }))
  const french = await translation(page).allTextContents()
  expect(french.length).toBeGreaterThan(2)
  expect(french.at(-1)).toBe('</s>')

  const self = await tableOf(page, 'encoder')
  expect(self.names).toEqual(self.columns)
  expect(self.names.slice(0, 2)).toEqual(['Where', 'is'])

  const causal = await tableOf(page, 'decoder')
  expect(causal.names).toEqual(french)
  expect(causal.columns.slice(1)).toEqual(french.slice(0, -1))
  causal.numbers.forEach((row, query) => {
    expect(row.slice(query + 1).every((weight) => weight === 0)).toBe(true)
  })
  expect(causal.numbers[0]?.[0]).toBe(1)

  const rectangle = await tableOf(page, 'cross')
  expect(rectangle.names).toEqual(french)
  expect(rectangle.columns).toEqual(self.columns)
  for (const { sums } of [self, causal, rectangle]) {
    for (const sum of sums) expect(Math.abs(sum - 1)).toBeLessThanOrEqual(0.001)
  }
})

test('another candidate turns the translation; a link brings sentence, step and choice back', async ({
  explainer,
}) => {
  const { page } = explainer
  await openTranslated(explainer, cross({ text: english }))
  const before = await translation(page).allTextContents()
  await translation(page).nth(1).click()
  const candidates = page.getByRole('list', { name: /could be written/ }).getByRole('button')
  await expect(candidates).toHaveCount(8)
  await expect(candidates.first()).toHaveAttribute('aria-pressed', 'true')
  const second = (await candidates.nth(1).textContent()) ?? ''
  await candidates.nth(1).click()
  await expect(translation(page).nth(1)).toHaveText(second)
  await settled(page)
  const after = await translation(page).allTextContents()
  expect(after[0]).toBe(before[0])
  expect(after.slice(0, 2)).not.toEqual(before.slice(0, 2))

  const address = await explainer.address()
  expect(address).toMatch(/tstep=1.*take=1\.\d+/)
  await page.goto('about:blank')
  await page.goto(address)
  await expect(page.locator('#cross-cross [role="application"]')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => translation(page).allTextContents()).toEqual(after)
  await expect(translation(page).nth(1)).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: /own choice/ }).click()
  await expect(page).not.toHaveURL(/take=/)
  await settled(page)
  await expect.poll(() => translation(page).allTextContents()).toEqual(before)
})

test('the model goes on with a text: bent before it is drawn, the same with and without the cache', async ({
  explainer,
}) => {
  const { page } = explainer
  await openTranslated(explainer, cross({ text: english, prompt: 'It was a', write: 8, topk: 4 }))
  const parts = written(page)
  await expect(parts).toHaveCount(8, { timeout: 30_000 })
  const text = await parts.allTextContents()
  const file = await dataOf(page, '#cross-next')
  const [probability, drawn] = ['probability', 'drawn'].map((name) => file.columns.indexOf(name))
  const first = file.rows.filter(([place]) => place === 0)
  const column = (at: number | undefined) => first.map((row) => Number(row[at ?? NaN]))
  const kept = column(drawn).filter((each) => each > 0)
  expect(kept).toHaveLength(4)
  expect(kept.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 6)
  expect(column(probability).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1 + 1e-6)

  await page.getByRole('button', { name: 'no cache' }).click()
  await expect(page.locator('#cross-times')).toContainText(/ms with the cache, .* ms without/)
  await expect.poll(() => parts.allTextContents(), { timeout: 30_000 }).toEqual(text)
  await page.locator('#cross-next').getByLabel('seed').fill('77')
  await page.locator('#cross-next').getByLabel('seed').press('Enter')
  await expect.poll(() => parts.allTextContents()).not.toEqual(text)
})

test(
  'files of several heads: the future exactly 0, and all rows sum to 1',
  { tag: '@all' },
  async ({ explainer }) => {
    const { page } = explainer
    await openTranslated(explainer, cross({ text: english }))
    const heads = await page.locator('#cross-alignment .grid button').count()
    expect(heads).toBeGreaterThan(8)
    for (const head of [0, Math.floor(heads / 2), heads - 1]) {
      await page.locator('#cross-alignment .grid button').nth(head).click()
      for (const place of ['encoder', 'decoder', 'cross']) {
        const { rows } = await dataOf(page, `#cross-${place}`)
        const sums = new Map<unknown, number>()
        for (const [query, , key, , weight] of rows as [number, string, number, string, number][]) {
          sums.set(query, (sums.get(query) ?? 0) + weight)
          if (place === 'decoder' && key > query) expect(weight).toBe(0)
        }
        for (const sum of sums.values()) expect(Math.abs(sum - 1)).toBeLessThan(1e-5)
      }
    }
  },
)

test('steps with the keyboard; rows come one by one', { tag: '@all' }, async ({ explainer }) => {
  const { page } = explainer
  await openTranslated(explainer, cross({ text: english, tstep: 0 }))
  const causal = page.locator('#cross-decoder')
  const slider = page.locator('#cross-decoding').getByRole('slider')
  const faint = () => causal.locator('svg g rect[fill-opacity]').count()
  const many = await faint()
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await expect(translation(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(faint).toBeLessThan(many)
  const map = page.locator('#cross-cross [role="application"]')
  await map.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await expect(page.getByTestId('cross-readout')).toContainText('→ Where')
  await page.keyboard.press('Enter')
  await expect(translation(page).first()).toHaveAttribute('aria-pressed', 'true')
  await page.locator('#cross-decoding').getByRole('button', { name: 'Play' }).click()
  await expect(translation(page).last()).toHaveAttribute('aria-pressed', 'true', {
    timeout: 15_000,
  })
})

test('beams show what they found, best first', { tag: '@all' }, async ({ explainer }) => {
  const { page } = explainer
  await openTranslated(explainer, cross({ text: english }))
  await page.getByRole('button', { name: '4 beams' }).click()
  const found = page.locator('#cross-decoding ol li')
  await expect(found).toHaveCount(4, { timeout: 30_000 })
  const scores = (await found.allTextContents()).map((each) =>
    Number(/(−?\d\.\d{3}) per token/.exec(each)?.[1]?.replace('−', '-')),
  )
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  await expect(page).toHaveURL(/beams=4/)
})

test(
  'typing is never held up, and the choices of a sentence go with it',
  { tag: '@all' },
  async ({ explainer }) => {
    const { page } = explainer
    await openTranslated(explainer, cross({ text: english }))
    await page
      .getByRole('list', { name: /could be written/ })
      .getByRole('button')
      .nth(1)
      .click()
    await expect(page).toHaveURL(/take=/)
    await explainer.type('She is happy.')
    await explainer.tokensEndWith('happy', '.', '</s>')
    await expect(page).not.toHaveURL(/take=/)
    await expect(page.locator('#cross-encoder')).toContainText('happy')
  },
)

test(
  'a translator that does not come is said, and comes when asked again',
  { tag: '@all' },
  async ({ page, baseURL }) => {
    let broken = true
    await page.route('**/models/translate-en-fr/model.safetensors', (route) =>
      broken ? route.abort() : route.continue(),
    )
    await page.goto(`${baseURL ?? ''}${cross({ text: english })}`)
    const alert = page.getByRole('alert').first()
    await expect(alert).toContainText('translator', { timeout: 30_000 })
    broken = false
    await alert.getByRole('button').click()
    await expect(translation(page).last()).toHaveText('</s>', { timeout: 30_000 })
  },
)

test('the translator is fetched for this chapter only', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole()
  const asked = () =>
    explainer.requests.filter((each) => /translate-en-fr|novels-lm/.test(each.url()))
  expect(asked()).toEqual([])
})

for (const language of ['en', 'ko']) {
  test(
    `tables and choices open: axe has no findings (${language})`,
    { tag: '@all' },
    async ({ explainer }) => {
      test.slow()
      const { page } = explainer
      await page.setViewportSize({ width: 360, height: 780 })
      await openTranslated(explainer, cross({ text: english, beams: 2, join: 'all' }, language))
      await expect(written(page).first()).toBeVisible({ timeout: 30_000 })
      for (const tool of await page.locator('.tools').all()) {
        await tool.getByRole('button').first().click()
      }
      await expectFits(page)
    },
  )
}
