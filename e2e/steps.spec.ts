// Chapter 3 does what it says: steps, sums with real operands, the mask, the tiny layer by hand.
import type { Page } from '@playwright/test'
import { Explainer, expect as expectSoon, sentence, steps, test } from './explainer'
import { expectFits, picture, save } from './figures'

/** Layers are computed anew by many of these tests, on machines that may be busy. */
const expect = expectSoon.configure({ timeout: 20_000 })

const sum = (page: Page) => page.getByTestId('sum')
const equation = (page: Page) => page.getByRole('application')
const figure = (page: Page) => page.locator('#steps-figure')

type State = Record<string, string | number>

async function open(explainer: Explainer, state: State = {}, language = 'en'): Promise<Page> {
  const { page } = explainer
  await explainer.open(steps(state, language))
  await expect(sum(page).locator('b')).toBeVisible({ timeout: 30_000 })
  return page
}

/** Plain text of the sum, its numbers readable. */
async function sumText(page: Page): Promise<string> {
  return ((await sum(page).textContent()) ?? '').replace(/\s+/g, ' ').replaceAll('−', '-')
}

/** The table view of the figure: cells as printed, without the names of rows. */
async function table(page: Page): Promise<string[][]> {
  const rows = figure(page).locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  return rows.evaluateAll((all) =>
    all.map((row) => Array.from(row.querySelectorAll('td'), (cell) => cell.textContent)),
  )
}

test('opens by link: the sentence, the head, a sum with its operands', async ({ explainer }) => {
  const page = await open(explainer, { text: sentence, layer: 3, head: 1, token: 8 })
  await expect(page.locator('h1')).toHaveText('How do many heads become one output?')
  await expect(page.locator('.answer')).toContainText(
    'In layer 3, the output for it is a sum of 12',
  )
  await expect(figure(page).getByText('12 × 384')).toBeVisible()
  await expect(figure(page).getByText('384 × 32')).toBeVisible()
  await expect(sum(page)).toHaveText(/^Q1\[it, 0\] = .*384 products.* = −?\d+\.\d{3}$/)
  await expect(page.locator('.same')).toContainText('give exactly the same numbers')
  await expect(page).toHaveTitle(/Four steps/)
})

test('step, scrub and play go through the steps; the address follows', async ({ explainer }) => {
  const page = await open(explainer)
  const step = page.locator('.step[aria-current]')
  const slider = page.getByRole('slider', { name: 'The steps of the layer' })
  await page.getByRole('button', { name: 'Step forward' }).click()
  await expect(step).toHaveText(/Attend/)
  await expect(page).toHaveURL(/stage=scores/)
  await slider.focus()
  for (const [key, url] of [
    ['End', /stage=output/],
    ['ArrowLeft', /stage=concat/],
    ['ArrowLeft', /stage=values/],
    ['Home', /stage=project/],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page).toHaveURL(url)
  }
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page).toHaveURL(/stage=weights/, { timeout: 15_000 })
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.getByRole('button', { name: '4 Mix' }).click()
  await expect(figure(page).getByText('384 × 384')).toBeVisible()
  await page.goBack()
  await expect(step).toHaveText(/Attend/)
})

test('any cell: by pointer, by arrows, fixed by Enter and by link', async ({ explainer }) => {
  const page = await open(explainer, { stage: 'weights' })
  await expect(sum(page)).toHaveText(/^A1\[it, cat\] = exp\(.*\) \/ .* = 0\.\d{3}$/)
  const [score = 0, largest = 0, total = 1, weight = 0] = (
    (await sumText(page)).match(/-?\d+\.\d{3}/g) ?? []
  ).map(Number)
  expect(Math.abs(Math.exp(score - largest) / total - weight)).toBeLessThan(0.002)
  await equation(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect(sum(page)).toHaveText(/^A1\[it, sat\]/)
  await page.keyboard.press('ArrowUp')
  await expect(sum(page)).toHaveText(/^A1\[because, sat\]/)
  await page.keyboard.press('PageUp')
  await expect(sum(page)).toHaveText(/^S1\[because, sat\] = \( .*32 products.*√32/)
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/token=7.*cell=weights\.7\.3/)
  await page.reload()
  await expect(sum(page)).toHaveText(/^A1\[because, sat\]/, { timeout: 30_000 })

  const box = await equation(page).boundingBox()
  if (!box) throw new Error('the equation: expected a box; received none')
  await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2)
  await equation(page).hover({ position: { x: 240, y: 160 } })
  await expect(sum(page)).toHaveText(/^S1\[/)

  // A cell that this sentence does not have.
  await page.mouse.move(0, 0)
  await open(explainer, { stage: 'weights', cell: 'weights.40.3' })
  await expect(sum(page)).toHaveText(/^A1\[it, cat\]/)
  await expect(page).not.toHaveURL(/cell=/)
})

test('causal: later tokens are hidden, recomputed by the kernels', async ({ explainer }) => {
  const page = await open(explainer, { stage: 'weights', table: 1 })
  const before = await table(page)
  await page.getByRole('button', { name: 'Causal mask' }).click()
  await expect(page.getByText('trained to look both ways')).toBeVisible()
  await expect
    .poll(async () => (await table(page))[0])
    .toEqual(['1.000', ...Array.from({ length: 11 }, () => '0.000')])
  const after = (await table(page)).map((row) => row.map(Number))
  for (const [query, row] of after.entries()) {
    expect(row.slice(query + 1).every((weight) => weight === 0)).toBe(true)
    expect(Math.abs(row.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(0.007)
    // What is left keeps its proportions: the old row, scaled up.
    const old = (before[query] ?? []).slice(0, query + 1).map(Number)
    const left = old.reduce((a, b) => a + b, 0)
    for (const [key, weight] of old.entries()) {
      if (left > 0.1) expect(Math.abs((row[key] ?? 0) - weight / left)).toBeLessThan(0.02)
    }
  }
  await page.getByRole('button', { name: 'scores', exact: true }).click()
  await expect.poll(async () => (await table(page))[0]?.[1]).toBe('−∞')
})

test(
  'things to try: each does what it says, with what was computed',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer)
    const evidence = page.locator('.evidence')
    await page.getByRole('button', { name: /Multiply by all heads/ }).click()
    await expect(figure(page).getByText('384 × 384')).toBeVisible()
    await expect(sum(page)).toHaveText(/^Q\[it, 32\]/)
    await expect(evidence).toContainText('differ by')
    await page.getByRole('button', { name: /Switch the mask on/ }).click()
    await expect(evidence).toContainText('the first row is 1.000 and zeros')
    await expect(evidence).toContainText('still sums to 1.000')
    await page.getByRole('button', { name: /Take a pencil/ }).click()
    await expect(sum(page)).toHaveText(/^S0\[c, a\] = \( 2·3 \+ 1·2 \) \/ √2 = 5\.66$/)
    await expect(evidence).toContainText('5.66')
  },
)

test(
  'the tiny layer: change a cell, a wrong one, back; the link brings it all',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const page = await open(explainer, { preset: 'tiny', stage: 'project' })
    await expect(sum(page)).toHaveText(/^Q0\[c, 0\] = 1·1 \+ 1·0 \+ 1·1 \+ 0·0 = 2$/)
    await page.getByLabel('X, row 2, column 0').fill('5')
    await expect(sum(page)).toHaveText(/^Q0\[c, 0\] = 5·1 \+ 1·0 \+ 1·1 \+ 0·0 = 6$/)
    await expect(page).toHaveURL(/edits=x20_5/)
    const wrong = page.getByLabel('W Q, row 0, column 0')
    await wrong.fill('many')
    await expect(wrong).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText('A number from −99 to 99')).toBeVisible()
    await expect(sum(page)).toHaveText(/ = 6$/)
    await wrong.fill('-0.5')
    await expect(sum(page)).toHaveText(/5·\(−0\.50\).* = −1\.50$/)
    await expect(wrong).toHaveAttribute('aria-invalid', 'false')

    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await other.open((await explainer.address()).replace(/^.*?#\/en/, '#/ko'))
    await expect(sum(other.page)).toHaveText((await sum(page).textContent()) ?? '', {
      timeout: 30_000,
    })
    expect(other.problems).toEqual([])
    await context.close()

    await page.getByRole('button', { name: 'Back to the first numbers' }).click()
    await expect(page).not.toHaveURL(/edits=/)
    await expect(sum(page)).toHaveText(/ = 2$/)
  },
)

test('the output is the sum of the heads; another head is a click away', async ({ explainer }) => {
  const page = await open(explainer)
  const adds = page.locator('#steps-adds')
  await adds.getByRole('button', { name: 'Table' }).click()
  const rows = adds.locator('tbody tr')
  await expect(rows).toHaveCount(14)
  const csv = (await save(page, '#steps-adds', 'CSV')).split('\r\n')
  expect(csv).toContain('layer,3')
  const lines = csv.filter((line) => line.startsWith('sum,')).map((line) => line.split(','))
  expect(lines).toHaveLength(14)
  for (const [place, line] of lines.entries()) {
    const shown = Number(await rows.nth(place).locator('td').textContent())
    expect(Math.abs(Number(line[5]) - shown)).toBeLessThanOrEqual(0.0005)
  }
  const keys = csv.filter((line) => line.startsWith('key,3.1,')).map((line) => line.split(','))
  expect(keys.map((line) => line[3])).toContain('because')
  await page.getByLabel('head', { exact: true }).selectOption('7')
  await expect(figure(page)).toContainText('Head 3.7')
  await expect(page.locator('#steps-row-title')).toHaveText('Inside head 3.7: the keys of it')
  await expect(page).toHaveURL(/head=7/)
})

test('exports hold the numbers on screen', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { preset: 'tiny', stage: 'values' })
  const csv = (await save(page, '#steps-figure', 'CSV')).split('\r\n')
  expect(csv).toContain('layer,tiny')
  const z = csv.filter((line) => line.startsWith('z,2,c,0,'))
  expect(z).toHaveLength(1)
  const value = Number(z[0]?.split(',').at(-1))
  expect(await sumText(page)).toContain(`= ${value.toFixed(2)}`)
  const data = JSON.parse(await save(page, '#steps-figure', 'JSON')) as {
    link: string
    rows: unknown[]
  }
  expect(data.link).toContain('#/en/steps?')
  expect(data.rows).toHaveLength(9 + 6 + 6)
  const svg = await save(page, '#steps-figure', 'SVG')
  expect(svg).toContain(`>${value.toFixed(2)}</text>`)
  expect((await save(page, '#steps-figure', 'PNG')).slice(1, 4)).toBe('PNG')
})

test('another text, another layer: the figure follows', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { stage: 'values' })
  await explainer.text.fill('Hello there, friend')
  await explainer.tokensEndWith('friend', '[SEP]')
  await expect(figure(page).getByText('6 × 32').first()).toBeVisible()
  await page.getByLabel('layer', { exact: true }).selectOption('0')
  await expect(figure(page)).toContainText('Head 0.1')
  await explainer.text.fill('')
  await expect(figure(page).getByText('2 × 2').first()).toBeVisible()
  await explainer.text.fill('고양이 😀')
  await expect(
    figure(page)
      .getByText(/^\d+ × 32$/)
      .first(),
  ).toBeVisible()
  await expect(sum(page)).toHaveText(/ = −?\d+\.\d{3}$/)
})

test('512 tokens are condensed, not dropped', { tag: '@all' }, async ({ explainer }) => {
  const text = Array.from({ length: 60 }, () => sentence).join('. ')
  const page = await open(explainer, { text, stage: 'weights', token: 20 })
  await expect(figure(page).getByText('512 × 512').first()).toBeVisible({ timeout: 30_000 })
  await expect(sum(page)).toHaveText(/^A1\[.* = \d\.\d{3}$/)
  await page.getByRole('button', { name: '4 Mix' }).click()
  await expect(figure(page).getByText('512 × 384').first()).toBeVisible()
})

test(
  'a symbol and a sentence light up what they speak of',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer)
    await page.locator('math [data-symbol="concat"]').first().click()
    await expect(page.locator('.formula .note')).toContainText('now 12 × 384')
    await page.getByRole('button', { name: 'a sum of 12 vectors' }).hover()
    await expect(page.locator('#steps-adds')).toHaveClass(/lit/)
    await page.getByRole('button', { name: 'Each step' }).hover()
    await expect(figure(page)).toHaveClass(/lit/)
  },
)

test(
  'motion: the matrix is made before the eyes, and jumps where motion is unwanted',
  {
    tag: '@all',
  },
  async ({ explainer }) => {
    const page = await open(explainer, { stage: 'scores' })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Step forward' }).click()
    await expect(page.locator('.cover')).toHaveCount(0)
    await expect(page).toHaveURL(/stage=weights/)
    // Half-way by the scrubber: half of the matrix is covered until it is let go.
    const slider = page.getByRole('slider', { name: 'The steps of the layer' })
    await slider.evaluate((input: HTMLInputElement) => {
      input.value = '2.5'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await expect(page.locator('.cover')).toHaveCount(1)
    await slider.dispatchEvent('change')
    await expect(page.locator('.cover')).toHaveCount(0)
    await expect(page).toHaveURL(/stage=values/)
  },
)

const views: State[] = [
  {},
  { whole: 1 },
  { stage: 'scores', masked: 1 },
  { stage: 'weights', table: 1 },
  { stage: 'concat' },
  { stage: 'output' },
  { preset: 'tiny', stage: 'output', masked: 1 },
]

// More states than chapters.spec.ts walks, which has both widths for each language and theme.
for (const [language, colorScheme, width] of [
  ['en', 'dark', 1440],
  ['ko', 'light', 360],
] as const) {
  test.describe(`${language} ${colorScheme}`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' })
    test(`${String(width)} px`, { tag: '@all' }, async ({ explainer }) => {
      test.slow()
      const { page } = explainer
      await page.setViewportSize({ width, height: 900 })
      for (const [place, state] of views.entries()) {
        await open(explainer, state, language)
        await expectFits(page)
        await picture(page, `steps-${language}-${colorScheme}-${String(width)}-${String(place)}`)
      }
    })
  })
}
