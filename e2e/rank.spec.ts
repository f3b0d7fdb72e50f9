// Chapter 9 does what it says: ranks of the model's heads, heads fitted to patterns, what can be cited.
import type { Page } from '@playwright/test'
import { expect, Explainer, rank, test } from './explainer'
import { rowsOf, save, testFiles, testWidths } from './figures'

const patience = { timeout: 60_000 }
const figures = [
  '#rank-spectrum',
  '#rank-lengths',
  '#rank-heads',
  '#rank-maps',
  '#rank-circle',
  '#rank-fits',
  '#rank-norms',
  '#rank-split',
]
const answer = (page: Page) => page.locator('.answer')
const readout = (page: Page) => page.getByTestId('fit-readout')
const long = 'The old house by the river was quiet again , and nobody knew why . '.repeat(6)

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  const { page } = explainer
  await explainer.open(rank(state, language))
  await whole(page)
  return page
}

/** Everything has been computed. */
async function whole(page: Page): Promise<void> {
  await expect(page.locator('#rank-heads [role="application"]')).toBeVisible(patience)
  await expect(page.locator('.waiting, .progress')).toHaveCount(0, patience)
}

/** The divergences by d_k, from the table of the chart. */
async function divergences(page: Page): Promise<number[]> {
  const rows = page.locator('#rank-fits tbody tr')
  if ((await rows.count()) === 0) {
    await page.locator('#rank-fits').getByRole('button', { name: 'Table' }).click()
  }
  return (await rows.locator('td:nth-child(2)').allTextContents()).map(Number)
}

test('ranks: a short text says that it is short, a long one shows both bounds', async ({
  explainer,
}) => {
  const page = await open(explainer)
  await expect(page).toHaveTitle(/Too thin/)
  await expect(answer(page)).toContainText('Your text has 12 tokens')
  await page.getByRole('button', { name: 'Take a longer text', exact: true }).click()
  await expect(answer(page)).toContainText('Over these 95 tokens', patience)
  const [scores, bulk, weights] = (await answer(page).locator('.number').allTextContents()).map(
    Number,
  )
  expect(scores).toBe(32)
  expect(bulk).toBeLessThan(32)
  expect(weights).toBeGreaterThan(64)

  // Half-way the reader has seen enough: what is there can be cited, and the rest computed later.
  // Not before everything else of the chapter is there: what arrives meanwhile must not matter.
  const heads = page.locator('#rank-heads')
  await expect(page.locator('#rank-lengths .crosshair')).toBeVisible(patience)
  await heads.getByRole('button', { name: 'Stop here' }).click(patience)
  await expect(heads.locator('.progress')).toContainText(/\d+ of 72 heads/)
  await expect(page.locator('[data-sentence="rank-evidence-ranks-en"]')).toContainText(
    /\d+ of the 72 heads/,
  )
  await heads.getByRole('button', { name: 'Compute the rest' }).click()
  await expect(heads.locator('.progress')).toHaveCount(0, patience)
  await expect(page.locator('[data-sentence="rank-evidence-ranks-ko"]')).toContainText('72개')

  const tiles = heads.locator('[role="application"]')
  await tiles.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(page.getByTestId('rank-readout')).toHaveText('4.11: 32')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/layer=4&head=11/)
  await expect(answer(page)).toContainText('the scores of 4.11', patience)
})

test('the lab: a shift needs two dimensions, a random pattern nearly all', async ({
  explainer,
}) => {
  const page = await open(explainer)
  const shift = await divergences(page)
  expect(shift).toHaveLength(12)
  expect(shift[0]).toBeGreaterThan(0.5)
  expect(shift[1]).toBeLessThan(0.3)
  await page.getByRole('button', { name: 'random, all positive' }).click()
  await expect(page).toHaveURL(/pattern=random/)
  await whole(page)
  const random = await divergences(page)
  expect(random[1]).toBeGreaterThan(0.05)
  expect(random[10]).toBe(0)
  for (const [place, value] of random.entries()) {
    expect(value).toBeLessThanOrEqual(random[place - 1] ?? Infinity)
  }
  await page.goBack()
  await expect(page).toHaveURL(/pattern=shift/)
  await whole(page)
  expect(await divergences(page)).toEqual(shift)
})

test(
  'an own pattern is drawn by keyboard and stays in the link',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const cited = '[data-sentence="rank-evidence-fit-en"] p'
    const page = await open(explainer, { tokens: 4, pattern: 'diagonal', fit: 3 })
    const map = page.locator('#rank-maps [role="application"]').first()
    await map.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('9')
    await expect(page).toHaveURL(/pattern=own/)
    await expect(page).toHaveURL(/drawn=9900090000900009/)
    await page.keyboard.press('ArrowLeft')
    await expect(readout(page)).toContainText('query 0, key 0: wanted 0.500')
    await whole(page)
    await expect(readout(page)).toContainText(/fitted 0\.\d+/)

    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await other.open((await explainer.address()).replace(/^.*?#\/en/, '#/ko'))
    await whole(other.page)
    await expect(other.page.locator(cited)).toHaveText(
      (await page.locator(cited).textContent()) ?? '',
    )
    expect(other.problems).toEqual([])
    await context.close()
  },
)

test('what is cited can be read again', async ({ explainer }) => {
  const page = await open(explainer, { text: '=SUM(1) <b>cats</b> & "mats"', token: 1 })
  const section = page.locator('#rank-evidence-ranks')
  const saved = async (name: string): Promise<string> => {
    const download = page.waitForEvent('download')
    await section.getByRole('button', { name }).click()
    const stream = await (await download).createReadStream()
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    return Buffer.concat(parts).toString('utf8')
  }
  const evidence = JSON.parse(await saved('Evidence as JSON')) as {
    model: { sha256: string }
    data: { kind: string; name: string; sha256: string }
    link: string
    columns: string[]
    rows: number[][]
    sentence: Record<string, string>
  }
  expect(evidence.rows).toHaveLength(72)
  expect(evidence.model.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(evidence.data.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(evidence.data.name).toBe('=SUM(1) <b>cats</b> & "mats"')
  expect(evidence.link).toContain('#/en/rank')
  expect(evidence.sentence['ko']).toContain('보이지는 않는다')
  const csv = await saved('Evidence as CSV')
  expect(csv).toContain('data_name,"\'=SUM(1) <b>cats</b> & ""mats"""')
  expect(rowsOf(csv)).toHaveLength(72)
  expect(csv).toContain(evidence.model.sha256)
  const svg = await save(page, '#rank-heads', 'SVG')
  expect(svg).toContain('&lt;b&gt;cats')
  expect(svg).not.toContain('<b>')
})

test(
  'things to try: a click does them, and says what came out',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { pattern: 'blocks' })
    const evidence = page.locator('#rank-tries .evidence')
    await page.getByRole('button', { name: /look at the next token/ }).click()
    await expect(evidence).toContainText('KL divergence', patience)
    await page.getByRole('button', { name: /random pattern at the same norm/ }).click()
    await expect(evidence).toContainText('of n = 12', patience)
    await page
      .locator('#rank-tries')
      .getByRole('button', { name: /longer text/ })
      .click()
    await expect(evidence.filter({ hasText: 'weights' })).toContainText('scores 32', patience)
  },
)

testFiles(open, figures, ['rank', 'norm', 'divergence'])

test('long and odd texts have an answer', { tag: '@all' }, async ({ explainer }) => {
  test.setTimeout(180_000)
  const { page } = explainer
  await explainer.open(rank({ text: long.repeat(4), token: 1 }))
  await expect(page.getByText('The first 128 tokens are looked at here')).toBeVisible(patience)
  await expect(answer(page)).toContainText('Over these 128 tokens', patience)
  for (const text of ['', '고양이가 앉았다', '😀', 'one']) {
    await explainer.open(rank({ text, token: 1 }))
    await expect(answer(page)).toContainText('Your text has', patience)
    await expect(page.locator('[role="alert"]')).toHaveCount(0)
  }
})

testWidths(open, 'rank')
