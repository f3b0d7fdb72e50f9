// Chapter 8 does what it says: switches, losses, attention and meaning behind them, one head at a time,
// many at once, the reader's pairs, files that read back.
import type { Page } from '@playwright/test'
import { addressOf, expect, test, type Explainer } from './explainer'
import { expectFits, saveAll, testWidths } from './figures'

const patience = { timeout: 60_000 }
const long = { timeout: 240_000 }
const loss = (page: Page) => page.getByTestId('loss')
const switchOf = (page: Page, name: string) => page.locator(`[data-switch="${name}"]`)
const work = (page: Page, name: string) => page.locator(`[data-work="${name}"]`)

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  const { page } = explainer
  await explainer.open(addressOf('ablation', state, language))
  await expect(loss(page)).toBeVisible(patience)
  await expect(page.getByTestId('kept')).toBeVisible(patience)
  return page
}

/** Loss with all heads, and without those that are off. */
const losses = async (page: Page): Promise<number[]> =>
  (await loss(page).locator('td:nth-child(2)').allTextContents()).slice(0, 2).map(Number)

/** Few pairs measure fast. */
const few = Array.from({ length: 16 }, (_, place) => {
  const name = ['Anna', 'Ben', 'Cleo', 'Dan'][place % 4] ?? ''
  const thing = ['a cat', 'two dogs', 'a boat', 'no car'][Math.floor(place / 4)] ?? ''
  return `${name} has ${thing}.\t${thing} belongs to ${name}.`
}).join('\n')

const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
})

test('heads are switched off and on, and the loss follows', async ({ explainer }) => {
  const page = await open(explainer)
  await expect(page).toHaveTitle(/Switching heads off/)
  await expect(page.locator('.answer')).toContainText('Without 3.1')
  await expect(switchOf(page, '3.1')).toHaveAttribute('aria-checked', 'false')
  await switchOf(page, '3.1').click()
  await expect(page).toHaveURL(/off=none/)
  await expect(page.locator('.answer')).toContainText('With all heads', patience)
  const [before] = await losses(page)

  await page.getByRole('button', { name: 'Layer 0 off' }).click()
  await expect(page.locator('.answer')).toContainText('Without 12 heads', patience)
  const [base, without] = await losses(page)
  expect(base).toBe(before)
  expect(without).toBeGreaterThan(base ?? 0)
  await expect(page.locator('#ablation-behind')).toContainText('changes most')
  await page.goBack()
  await expect(page.locator('.answer')).toContainText('With all heads', patience)

  await switchOf(page, '3.1').focus()
  await page.keyboard.press('ArrowDown')
  await expect(switchOf(page, '4.1')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/off=4\.1/)
})

test('silent or going wrong: four ways side by side', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { off: '3.1_4.2', how: 'mean' })
  await page.locator('#ablation-pairs input[type=file]').setInputFiles(file('few.tsv', few))
  await expect(page.getByTestId('pairs')).toContainText('few.tsv: 16 pairs')
  await work(page, 'ways').getByRole('button').click()
  await expect(page.locator('#ablation-switches [role=region] tbody tr')).toHaveCount(4, patience)

  await page
    .locator('#ablation-pairs input[type=file]')
    .setInputFiles(file('broken.tsv', `${few}\nalone\n`))
  await expect(page.getByRole('alert')).toContainText(/broken\.tsv: line 17/)
})

test(
  'one at a time and many at once, on few pairs; cancelled, and evidence',
  { tag: '@all' },
  async ({ explainer }) => {
    test.slow()
    const page = await open(explainer)
    await work(page, 'importance').getByRole('button').click()
    await expect(page).toHaveURL(/run=importance/)
    await expect(page.locator('#ablation-importance [role=application]')).toBeVisible(patience)
    await work(page, 'importance').getByRole('button', { name: 'Cancel' }).click()
    await expect(work(page, 'importance')).toContainText('what is shown is a part')

    await page.locator('#ablation-pairs input[type=file]').setInputFiles(file('few.tsv', few))
    await expect(page.getByTestId('pairs')).toContainText('16 pairs')
    await work(page, 'importance').getByRole('button').click()
    await expect(page.getByTestId('sure')).toContainText('of 72 heads', long)
    await work(page, 'pruning').getByRole('button').click()
    await expect(page.getByTestId('pruned')).toContainText('Half of the heads', long)
    await page.getByRole('button', { name: /The 36 least important off/ }).click()
    await expect(page.locator('.answer')).toContainText('Without 36 heads', patience)

    const importance = await saveAll(page, '#ablation-importance')
    expect(importance.rows).toHaveLength(72)
    await page.getByRole('button', { name: 'Many at once' }).last().click()
    const sentence = page.locator('[data-sentence="ablation-evidence-en"]')
    await expect(sentence).toContainText('in 5 random orders')
  },
)

for (const [model, said] of [
  ['translate-en-fr', 'word for word in'],
  ['novels-lm', 'bits for each byte of text'],
] as const) {
  test(
    `${model}: its own loss, and a head of it switched off`,
    { tag: '@all' },
    async ({ explainer }) => {
      const { page } = explainer
      await explainer.open(addressOf('ablation', { model, off: 'none' }, 'en'))
      await expect(loss(page)).toBeVisible(long)
      await expect(page.locator('.answer')).toContainText(said)
      const [base, same] = await losses(page)
      expect(same).toBe(base)
      await page.locator('[data-switch]').last().click()
      await expect(page).toHaveURL(/off=\d/)
      await expect(page.locator('.answer')).toContainText('Without', patience)
      const [before, without] = await losses(page)
      expect(before).toBe(base)
      expect(without).not.toBe(base)
      await expectFits(page)
    },
  )
}

testWidths(open, 'ablation')
