// Chapter 11 does what it says: the stepper ends where the attention op ends, measurements come,
// agree with each other, can be cancelled, and travel in a link. No time is asserted.
import type { Page } from '@playwright/test'
import { expect, Explainer, sentence, speed, test } from './explainer'
import { expectFits, picture, rowsOf, save } from './figures'

/** Measurements take their time on a busy machine. */
const patience = 120_000

const place = (page: Page) => page.getByTestId('place')
const number = (page: Page, id: string) => page.getByTestId(id)
const evidence = (page: Page) => page.locator('.evidence')

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  await explainer.open(speed(state, language))
  await expect(number(explainer.page, 'maximum')).toBeVisible({ timeout: 30_000 })
  return explainer.page
}

test('step by step to the output of the attention op', async ({ explainer }) => {
  const page = await open(explainer, { text: sentence, token: 8 })
  await expect(place(page)).toHaveText('Step 5 of 9: queries 4–7 against keys 4–7')
  const forward = page.getByRole('button', { name: 'One step forward' })
  await forward.click()
  await expect(place(page)).toContainText('queries 4–7 against keys 8–11')
  await expect(page).toHaveURL(/step=6/)
  // The row is complete: divided, and the same as the op's to the last digit shown.
  await expect(number(page, 'quotient')).toHaveText(/^−?\d\.\d{4}$/)
  const rows = page.locator('#speed-rows tbody tr')
  await expect(rows).toHaveCount(6)
  for (const cells of await rows.evaluateAll((all) =>
    all.map((row) => Array.from(row.querySelectorAll('td'), (cell) => cell.textContent)),
  )) {
    const [tiled, whole] = cells.map((cell) => Number(cell.replace('−', '-')))
    expect(Math.abs((tiled ?? NaN) - (whole ?? NaN))).toBeLessThanOrEqual(0.00001001)
  }
  const [digits = '', power = ''] = /(\d\.\d) · 10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/
    .exec((await page.locator('.answer').textContent()) ?? '')
    ?.slice(1) ?? ['', '']
  expect(Number(digits)).toBeLessThan(10)
  expect('⁶⁷⁸⁹').toContain(power)

  const slider = page.getByRole('slider', { name: 'Step', exact: true })
  await slider.focus()
  await page.keyboard.press('End')
  await expect(place(page)).toContainText('Step 9 of 9')
  await page.keyboard.press('Home')
  await expect(place(page)).toHaveText('Step 0 of 9: nothing loaded yet')
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(place(page)).toContainText('Step 9 of 9', { timeout: 30_000 })
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
})

test(
  'things to try: a click does them, and says what came out',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { text: sentence, token: 8 })
    await page.getByRole('button', { name: /single tile of the whole text/ }).click()
    await expect(place(page)).toHaveText('Step 1 of 1: queries 0–11 against keys 0–11')
    await expect(evidence(page)).toContainText('6,144 B')
    await expect(number(page, 'rescale')).toHaveText('0')
    await page.getByRole('button', { name: /one query and one key/ }).click()
    await expect(place(page)).toContainText('of 144: queries 0 against keys 11')
    // 12 queries and outputs, 12 times all keys and values, 32 numbers of 4 bytes each.
    await expect(evidence(page)).toContainText('39,936 B')
    await expect(number(page, 'verdict')).toContainText('4.7 times')
    await page.getByRole('button', { name: /some 500 tokens/ }).click()
    // 2 · 32 · (496 + 8 · 496) numbers, against 4 · 32 · 496 + 4 · 496².
    await expect(evidence(page)).toContainText('496 tokens: 1.1 MB by tiles, 4.2 MB with the', {
      timeout: 30_000,
    })
    await expect(number(page, 'verdict')).toContainText('the whole matrix would move')
  },
)

test('the causal mask skips tiles; head and layer change the numbers', async ({ explainer }) => {
  const page = await open(explainer, { text: sentence, token: 8, step: 99 })
  await expect(place(page)).toContainText('Step 9 of 9')
  const before = await number(page, 'sum').textContent()
  await page.getByRole('button', { name: 'Causal mask' }).click()
  await expect(place(page)).toContainText('Step 6 of 6')
  await expect(page.locator('#speed-tiles')).toContainText('leaves 3 of 9 tiles')
  await expect(page).toHaveURL(/causal=1/)
  await page.getByRole('button', { name: 'Causal mask' }).click()
  await page.locator('#speed-tiles select').nth(1).selectOption('5')
  await expect(page).toHaveURL(/head=5/)
  await expect(number(page, 'sum')).not.toHaveText(before ?? '')
})

test('exports hold every row of every step', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { text: sentence, token: 8 })
  const csv = await save(page, '#speed-tiles', 'CSV')
  const rows = rowsOf(csv)
  expect(rows).toHaveLength(9 * 4)
  expect(rows[0]?.slice(0, 5)).toEqual(['1', '0', '[CLS]', '0', '3'])
  expect(rows.at(-1)?.at(-1)).toBe('12288')
  const shown = Number((await number(page, 'maximum').textContent())?.replace('−', '-'))
  const row = rows.find(([step, query]) => step === '5' && query === '4')
  expect(Number(row?.[5])).toBeCloseTo(shown, 3)
  const svg = await save(page, '#speed-moved', 'SVG')
  expect(svg).toContain('12,288 B</text>')
  await page.locator('#speed-tiles').getByRole('button', { name: 'Table' }).click()
  await expect(page.locator('#speed-tiles tbody tr')).toHaveCount(4)
})

test('measured here: results come, agree, and are told apart from a link', async ({
  explainer,
  browser,
}) => {
  test.setTimeout(2 * patience)
  const page = await open(explainer, { text: sentence, token: 8, n: 128 })
  const device = page.locator('#speed-device')
  await device.getByRole('button', { name: 'Measure here' }).click()
  await expect(number(page, 'origin')).toContainText('Measured on this device', {
    timeout: patience,
  })
  await expect(page).toHaveURL(/result=1_/)
  const rows = rowsOf(await save(page, '#speed-device', 'CSV'))
  expect(rows.length).toBeGreaterThanOrEqual(2)
  for (const [build = '', threads, median, low, high, samples, gflops] of rows) {
    expect(['scalar', 'simd', 'relaxed', 'threads', 'threads-relaxed']).toContain(build)
    expect(Number(threads)).toBeGreaterThanOrEqual(1)
    expect(Number(low)).toBeLessThanOrEqual(Number(median))
    expect(Number(median)).toBeLessThanOrEqual(Number(high))
    expect(Number(samples)).toBeGreaterThanOrEqual(3)
    // 4 n^2 d FLOP in the median time.
    expect(Number(gflops) * Number(median)).toBeCloseTo((4 * 128 ** 2 * 512) / 1e6, 1)
  }

  const context = await browser.newContext()
  const other = new Explainer(await context.newPage(), explainer.origin)
  await other.open((await explainer.address()).replace(/^.*?#\/en/, '#/ko'))
  await expect(number(other.page, 'origin')).toContainText('여기서 계산한 것이 아니라')
  await other.page.locator('#speed-device').getByRole('button', { name: '표로 보기' }).click()
  await expect(other.page.locator('#speed-device tbody tr')).toHaveCount(rows.length)
  const speeds = await other.page.locator('#speed-device tbody td:nth-child(5)').allTextContents()
  for (const [line, shown] of speeds.entries()) {
    expect(Math.abs(Number(shown) - Number(rows[line]?.[6]))).toBeLessThan(0.2)
  }
  expect(other.problems).toEqual([])
  await context.close()
})

test(
  'a measurement can be cancelled, and one that makes no sense is said to',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { text: sentence, token: 8, n: 2048, result: '1_nonsense' })
    const device = page.locator('#speed-device')
    await expect(device).toContainText('cannot be read')
    await device.getByRole('button', { name: 'Measure here' }).click()
    await expect(device.getByRole('progressbar')).toBeVisible()
    await device.getByRole('button', { name: 'Cancel' }).click()
    await expect(device.getByRole('button', { name: 'Measure here' })).toBeVisible()
    await expect(device.getByRole('progressbar')).toHaveCount(0)
    // The page itself still computes.
    await page.getByRole('button', { name: 'One step forward' }).click()
    await expect(place(page)).toContainText('Step 6 of 9')
  },
)

test('loops, depth, roof and memory, one after another', { tag: '@all' }, async ({ explainer }) => {
  test.setTimeout(2 * patience)
  const page = await open(explainer, { text: sentence, token: 8 })
  for (const [part, verdict] of [
    ['growth', /held \d+(\.\d)? MB with the weights kept/],
    ['loops', /Head by head takes \d+\.\d\d, \d+\.\d\d, \d+\.\d\d times/],
    ['depth', /At 1024 positions the recurrent layer runs at \d+\.\d/],
    ['roof', /below \d+\.\d FLOP per byte memory decides/],
  ] as const) {
    await page.locator(`[data-measure="${part}"]`).click()
    await expect(number(page, `${part}-verdict`)).toHaveText(verdict, { timeout: patience })
  }
  const growth = rowsOf(await save(page, '#speed-growth', 'CSV'))
  const last = growth.find(([length]) => length === '4096')?.map(Number) ?? []
  const [, , , matrix = 0, tiles = 0] = last
  // The matrix of one head, 4 bytes a weight, on top of what tiles need.
  expect(matrix - tiles).toBeGreaterThanOrEqual(4 * 4096 ** 2)
  expect(tiles).toBeLessThan(8e6)
  const agree = /agree to (\d\.\d) · 10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/.exec(
    (await number(page, 'loops-verdict').textContent()) ?? '',
  )
  expect('⁶⁷').toContain(agree?.[2])
})

test(
  'a link restores step, tiles and mask in a fresh browser',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const state = { text: sentence, token: 3, layer: 5, head: 11, tileq: 3, tilek: 6, step: 4 }
    const page = await open(explainer, state)
    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await other.open((await explainer.address()).replace(/^.*?#\/en/, '#/ko'))
    for (const id of ['maximum', 'rescale', 'sum', 'quotient']) {
      await expect(number(other.page, id)).toHaveText(
        (await number(page, id).textContent()) ?? '',
        {
          timeout: 30_000,
        },
      )
    }
    await expect(other.page.locator('h1')).toHaveText('시간과 메모리는 어디에 쓰일까?')
    expect(other.problems).toEqual([])
    await context.close()
  },
)

test('a text of one word, and none', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { text: 'Hi', token: 1 })
  await expect(place(page)).toContainText('of 1: queries 0–2 against keys 0–2')
  await explainer.text.fill('')
  await expect(place(page)).toContainText('of 1: queries 0–1 against keys 0–1')
})

test(
  'a symbol tells what it is now, text and figure point at each other',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { text: sentence, token: 8 })
    const maximum = (await number(page, 'maximum').textContent()) ?? ''
    await expect(page.locator('.formula .note')).toContainText(`now ${maximum}`)
    await page.getByRole('button', { name: 'moving numbers' }).hover()
    await expect(page.locator('#speed-moved')).toHaveClass(/lit/)
  },
)

const result = '1_20261130T0512_512_58613.46700.24100_simd.1.14200.14100.15003.11'
const states = [
  { step: 6, result },
  { causal: 1, step: 0, table: 1 },
]

// More states than chapters.spec.ts walks, which has both widths for each language and theme.
for (const [language, colorScheme, width] of [
  ['en', 'dark', 1440],
  ['ko', 'light', 360],
] as const) {
  test.describe(`${language} ${colorScheme}`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' })
    test(`${String(width)} px`, { tag: '@all' }, async ({ explainer }) => {
      test.setTimeout(patience)
      const { page } = explainer
      await page.setViewportSize({ width, height: 900 })
      for (const [place, state] of states.entries()) {
        await explainer.open(speed({ text: sentence, token: 8, ...state }, language))
        await expect(page.locator('#speed-tiles svg').last()).toBeVisible({ timeout: 30_000 })
        await expect(number(page, 'verdict')).toBeVisible({ timeout: 30_000 })
        await expectFits(page)
        await picture(page, `speed-${language}-${colorScheme}-${String(width)}-${String(place)}`)
      }
    })
  })
}
