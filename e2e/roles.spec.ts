// Chapter 7 does what it says: roles on the lab's sentences and on the reader's, badges with their
// cases, pronouns, broken files, files that read back.
import type { Page } from '@playwright/test'
import { addressOf, expect, test, type Explainer } from './explainer'
import { rowsOf, save, saveAll, testWidths } from './figures'

const patience = { timeout: 60_000 }
const score = (page: Page) => page.getByTestId('score')
const counts = (page: Page) => page.getByTestId('counts')
const cases = (page: Page) => page.locator('#roles-examples li')
const filter = (page: Page, id: string) => page.locator(`#roles-examples [data-filter="${id}"]`)
const work = (page: Page, name = 'roles') => page.locator(`[data-work="${name}"]`)

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  const { page } = explainer
  await explainer.open(addressOf('roles', state, language))
  await whole(page)
  return page
}

/** Everything has been measured. */
async function whole(page: Page): Promise<void> {
  await expect(page.getByTestId('without')).toBeVisible(patience)
  await expect(page.locator('#roles-coreference tbody tr').first()).toBeVisible(patience)
}

const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
})
const line = (id: number, form: string, tag: string, head: number, relation: string): string =>
  [id, form, '_', tag, '_', '_', head, relation, '_', '_'].join('\t')
const treebank = (count: number): string =>
  Array.from({ length: count }, (_, place) =>
    [
      line(1, 'The', 'DET', 2, 'det'),
      line(2, 'cat', 'NOUN', 3, 'nsubj'),
      line(3, 'saw', 'VERB', 0, 'root'),
      line(4, `dog${String(place % 7)}`, 'NOUN', 3, 'obj'),
    ].join('\n'),
  ).join('\n\n')

test('from a badge to the cases for and against it in two clicks', async ({ explainer }) => {
  const page = await open(explainer)
  await expect(page).toHaveTitle(/What heads do/)
  await expect(page.locator('.answer')).toContainText('of 72 heads find a relation')
  const badge = page.locator('#roles-grid .list .relation').first()
  const head = (await badge.getAttribute('data-badge'))?.split(' ')[0] ?? ''
  await badge.click()
  await expect(page.locator('#roles-examples h2')).toContainText(head)
  await expect(score(page)).toContainText('Counts as a role')
  await filter(page, 'wrong').click()
  await expect(cases(page).first()).toContainText(/against it|No case/)
  await filter(page, 'right').click()
  await expect(cases(page).first()).toContainText('for it')
  // As many as the score says.
  const share = Number(await score(page).locator('.number').first().textContent())
  const [right, wrong] = await Promise.all(
    ['right', 'wrong'].map(async (id) =>
      Number(((await filter(page, id).textContent()) ?? '').replace(/\D/g, '')),
    ),
  )
  expect((right ?? 0) / ((right ?? 0) + (wrong ?? 0))).toBeCloseTo(share, 2)

  // The contrast of two heads on pronouns.
  await expect(page.locator('#roles-coreference')).toContainText('In 5.11 pronouns put')
  await page.getByRole('button', { name: /Open 5\.11 on pronouns/ }).click()
  await expect(score(page)).toContainText('The pronoun has more weight on its antecedent')
  await expect(page.locator('#roles-tries .evidence')).toContainText('other words')
  await cases(page)
    .first()
    .getByRole('button', { name: /See the map/ })
    .click()
  await expect(page).toHaveURL(/#\/en\/look/)
})

test('a treebank of the reader, a broken one, a text, and back', async ({ explainer }) => {
  const page = await open(explainer)
  const input = page.locator('#roles-bank input[type=file]')
  await input.setInputFiles(file('mine.conllu', treebank(40)))
  await expect(counts(page)).toContainText('40 of 40 sentences, 160 words', patience)
  await expect(page).toHaveURL(/on=file/)
  await whole(page)

  await input.setInputFiles(file('broken.conllu', treebank(2).replace('\t3\tobj', '\tthree\tobj')))
  await expect(page.getByRole('alert')).toContainText(/broken\.conllu: .*line 4/)
  await expect(counts(page)).toContainText('mine.conllu')

  await input.setInputFiles(file('plain.txt', 'The cat sat. It was tired.\n'))
  await expect(counts(page)).toContainText('2 of 2 sentences', patience)
  await expect(page.locator('#roles-bank')).toContainText('There are no labels here')
  await expect(page.locator('.answer')).toContainText('Without labels', patience)

  await page.getByRole('button', { name: 'your text' }).click()
  await explainer.type('Rain fell. The dog slept.')
  await expect(counts(page)).toContainText('2 of 2 sentences', patience)
  await page.getByRole('button', { name: 'the lab’s sentences' }).click()
  await expect(page.locator('.answer')).toContainText('find a relation', patience)
})

test('measuring is cancelled half-way, and the part stays', async ({ explainer }) => {
  const page = await open(explainer)
  await page
    .locator('#roles-bank input[type=file]')
    .setInputFiles(file('long.conllu', treebank(20_000)))
  await expect(work(page).locator('progress')).toBeVisible(patience)
  await expect(counts(page)).toBeVisible(patience)
  await work(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(work(page)).toContainText('what is shown is a part')
  await expect(counts(page)).toContainText('of 20,000 sentences')
  await expect(page.locator('#roles-map [role=application]')).toBeVisible()
})

test('files of the figures, and evidence to cite', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer, { role: 'obj', layer: 2, head: 0 })
  const map = await saveAll(page, '#roles-map')
  expect(map.rows.length).toBeGreaterThan(72 * 20)
  const csv = rowsOf(await save(page, '#roles-grid', 'CSV'))
  expect(csv.length).toBeGreaterThan(3)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Evidence as JSON' }).click(),
  ])
  const stream = await download.createReadStream()
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  const evidence = JSON.parse(Buffer.concat(chunks).toString()) as {
    model: { sha256: string }
    data: { sha256: string; name: string }
    options: Record<string, unknown>
    sentence: Record<string, string>
  }
  expect(evidence.data.name).toBe('headwise sentences')
  expect(evidence.model.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(evidence.data.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(evidence.options['complete']).toBe(true)
  expect(evidence.sentence['en']).toContain('not what the model uses it for')
})

test(
  'a link opens the same view; keys move in grid and map',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { role: 'det', layer: 2, head: 8, way: 'down' }, 'ko')
    await expect(page.locator('#roles-examples h2')).toContainText('2.8 헤드와 det: 한정사')
    const map = page.locator('#roles-map [role=application]')
    await map.focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByTestId('heat-readout').first()).toContainText(/n = \d+/)
    await page.keyboard.press('Enter')
    await expect(page.locator('#roles-examples h2')).toContainText('헤드와')
    await page.locator('[data-role-head="2.8"]').focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.locator('[data-role-head="2.9"]')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/layer=2&head=9/)
  },
)

testWidths(open, 'roles')

test('a million words: measured as far as wanted', { tag: '@all' }, async ({ explainer }) => {
  test.slow()
  const page = await open(explainer)
  await page
    .locator('#roles-bank input[type=file]')
    .setInputFiles(file('million.conllu', treebank(250_000)))
  await expect(counts(page)).toContainText('of 250,000 sentences', { timeout: 120_000 })
  await work(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(work(page)).toContainText('what is shown is a part')
})
