// Chapters 6, 7, 9 and 10 take the translator as well, its encoder's two layers of eight heads; chapter
// 7 the language model too.
import type { Page } from '@playwright/test'
import { addressOf, expect, rank, subspaces, test, variants } from './explainer'
import { save } from './figures'

const patience = { timeout: 45_000 }
const model = 'translate-en-fr'
const long = 'The old house by the river was quiet again, and nobody knew why. '.repeat(6)
const answer = (page: Page) => page.locator('.answer')
const choose = (page: Page, name: string) => page.locator(`[data-model="${name}"]`)
const numbers = async (page: Page): Promise<number[]> =>
  (await answer(page).locator('.number').allTextContents()).map(Number)

test('chapter 6: planes and likeness of its heads', async ({ explainer }) => {
  const { page } = explainer
  await explainer.open(subspaces({ model, layer: 1, head: 7 }))
  await expect(page.locator('[data-end="chance"] td').first()).toBeVisible(patience)
  await expect(page.getByText('its encoder is looked at')).toBeVisible()
  await expect(answer(page)).toContainText('1.7')
  await expect(page.getByRole('combobox', { name: 'Layer' }).locator('option')).toHaveCount(2)
  const [first] = await numbers(page)
  await choose(page, 'minilm-l6').click()
  await expect(page.getByRole('combobox', { name: 'Layer' }).locator('option')).toHaveCount(6)
  await expect.poll(async () => (await numbers(page))[0], patience).not.toBe(first)
  await expect(page.getByText('its encoder is looked at')).toBeHidden()
  expect(explainer.problems).toEqual([])
})

test('chapter 7: what its heads do, and those of the language model', async ({ explainer }) => {
  const { page } = explainer
  await explainer.open(addressOf('roles', { model, role: 'separator' }, 'en'))
  await expect(answer(page)).toContainText('of 16 heads', patience)
  await expect(page.locator('#roles-examples')).toContainText('Weight on </s>')
  await expect(page.locator('#roles-coreference tbody tr').first()).toBeVisible(patience)
  const found = await save(page, '#roles-grid', 'JSON')
  expect(found).toContain('translate-en-fr (int8)')
  await choose(page, 'novels-lm').click()
  await expect(answer(page)).toContainText('of 36 heads', patience)
  await choose(page, 'minilm-l6').click()
  await expect(answer(page)).toContainText('of 72 heads', patience)
  await expect(page.locator('#roles-examples')).toContainText('Weight on [SEP]')
  expect(explainer.problems).toEqual([])
})

test('chapter 9: the bound of the ranks is its own d_k', async ({ explainer }) => {
  const { page } = explainer
  await explainer.open(rank({ model, text: long, layer: 1, head: 2 }))
  const { headDim } = await explainer.page.evaluate(async (name) => {
    const config = (await (await fetch(`models/${name}/config.json`)).json()) as {
      d_model: number
      encoder_attention_heads: number
    }
    return { headDim: config.d_model / config.encoder_attention_heads }
  }, model)
  await expect(answer(page)).toContainText(`with dk = ${String(headDim)}`, patience)
  expect((await numbers(page))[0]).toBe(headDim)
  await choose(page, 'minilm-l6').click()
  await expect(answer(page)).toContainText('with dk = 32', patience)
  expect((await numbers(page))[0]).toBe(32)
  expect(explainer.problems).toEqual([])
})

test('chapter 10: its layer as MHA, GQA, MQA and MLA', async ({ explainer }) => {
  const { page } = explainer
  await explainer.open(variants({ model, layer: 0 }))
  const rows = page.locator('#variants-prices tbody tr')
  await expect(rows.last().locator('td').last()).toHaveText(/^\d\.\d{3}$/, patience)
  const cells = await rows.evaluateAll((all) =>
    all.map((row) => Array.from(row.children, (cell) => cell.textContent.trim())),
  )
  const grouped = cells.filter(([name]) => !name?.startsWith('MLA'))
  expect(grouped.map(([name]) => name)).toEqual(['MHA', 'GQA 4', 'GQA 2', 'MQA'])
  const errors = grouped.map((row) => Number(row[4]))
  expect(errors[0]).toBe(0)
  for (const error of errors.slice(1)) expect(error).toBeGreaterThan(0.1)
  expect(explainer.problems).toEqual([])
})
