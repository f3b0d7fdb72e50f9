// Chapter 15: terms are found and linked to, neighbours explained, numbers computed, exports whole.
import type { Page } from '@playwright/test'
import { addressOf, expect, test, type Explainer } from './explainer'
import { save } from './figures'

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  await explainer.open(addressOf('glossary', state, language))
  await expect(explainer.page.locator('h1')).toBeVisible()
  return explainer.page
}

const chosen = (page: Page) => page.locator('.term.chosen')
const found = (page: Page) => page.locator('#glossary-terms [role="status"]')

test('a link shows its term, in either language', async ({ explainer }) => {
  const page = await open(explainer, { term: 'causal-mask' })
  await expect(chosen(page)).toContainText('causal mask')
  await expect(chosen(page)).toContainText('인과 마스크')
  await expect(chosen(page)).toBeInViewport()
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '한국어' }).click()
  await expect(page.locator('h1')).toHaveText('무엇을 무엇이라 부를까?')
  await expect(chosen(page).locator('dfn')).toHaveText('인과 마스크')
  await expect(page).toHaveURL(/#\/ko\/glossary\?term=causal-mask$/)
})

test('terms are searched in both languages; a term leads to the chapter that shows it', async ({
  explainer,
}) => {
  const page = await open(explainer)
  const field = page.getByLabel('Find a term')
  await field.fill('헤드 차원')
  await expect(found(page)).toHaveText(/^1 of \d+ terms$/)
  await expect(page).toHaveURL(/find=/)
  await page.locator('[data-term="head-dimension"] .shown-in').click()
  await expect(page.locator('h1')).toHaveText('Do more heads cost more?')
  await page.goBack()
  await expect(field).toHaveValue('헤드 차원')
  await field.fill('zebra')
  await expect(found(page)).toHaveText(/No term is called so/)
})

test('a term’s own link is copied', { tag: '@all' }, async ({ explainer, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await open(explainer, { find: 'softmax' })
  await page.getByRole('button', { name: 'Link to softmax' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/#\/en\/glossary\?term=softmax$/)
})

test(
  'neighbours: by pointer and by keyboard, with what they have to do with it',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer)
    const map = page.getByRole('radiogroup', { name: 'Neighbours of multi-head attention' })
    const about = page.locator('#glossary-neighbours .about')
    await map.getByRole('radio', { name: /^GQA/ }).click()
    await expect(about).toContainText('Query heads in groups')
    await expect(about.getByRole('link')).toHaveAttribute('href', /2305\.13245/)
    await page.keyboard.press('ArrowRight')
    await expect(map.getByRole('radio', { name: /^MQA/ })).toBeFocused()
    await expect(about).toContainText('1/h of before')
    await expect(page).toHaveURL(/place=mqa/)
    await page.keyboard.press('End')
    await expect(about).toContainText('a router chooses')
  },
)

test('things to try: a click does them', async ({ explainer }) => {
  const page = await open(explainer)
  await page.getByRole('button', { name: /Look for “mask”/ }).click()
  await expect(page.getByLabel('Find a term')).toHaveValue('mask')
  const count = Number(/\d+/.exec((await found(page).textContent()) ?? '')?.[0])
  await expect(page.locator('.evidence b + .number, .evidence .number').first()).toHaveText(
    String(count),
  )
  await page.getByRole('button', { name: /Is FlashAttention a variant/ }).click()
  await expect(page.getByRole('radio', { name: /^FlashAttention/ })).toBeChecked()
  await page.getByRole('button', { name: /cross-attention written up/ }).click()
  await expect(page.locator('[data-sentence="paper-cross-en"] p')).toContainText('m × n map')
  await expect(page.locator('[data-sentence="paper-cross-ko"] p')).toContainText('m × n 맵')
  await page.getByRole('button', { name: 'Vision transformer' }).click()
  await expect(page.locator('[data-sentence="paper-vision-en"] p')).toContainText('197 tokens')
})

test('claims beside what the kernels compute now, whatever the reader’s text is', async ({
  explainer,
}) => {
  const page = await open(explainer, { text: 'Another text', token: 1 })
  const numbers = async (id: string): Promise<number[]> => {
    const line = page.locator(`[data-difference="${id}"] .evidence`)
    await expect(line).toContainText('computed now', { timeout: 30_000 })
    return (await line.locator('.number').allTextContents()).map((text) => parseFloat(text))
  }
  const [pronoun = 0, least = 0, most = 0] = await numbers('noun')
  expect(Math.abs(pronoun - 0.68)).toBeLessThan(0.02)
  expect(Math.abs(least - 0.34)).toBeLessThan(0.04)
  expect(Math.abs(most - 0.92)).toBeLessThan(0.04)
  const [opening = 0, closing = 100] = await numbers('rest')
  expect(opening).toBeGreaterThan(closing)
  const [own = 0, other = 1] = await numbers('verb')
  expect(own).toBeGreaterThan(0)
  expect(other).toBeGreaterThan(0)
})

test(
  'figures are saved with what they show, and read as tables',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { place: 'mla' })
    const csv = (await save(page, '#glossary-neighbours', 'CSV')).split('\r\n')
    expect(csv.some((line) => line.startsWith('headwise,'))).toBe(true)
    const rows = csv.slice(csv.indexOf('') + 2).filter((line) => line !== '')
    expect(rows).toHaveLength(13)
    expect(rows).toContain('MLA,variant: keys and values from a latent')
    const levels = JSON.parse(await save(page, '#glossary-levels', 'JSON')) as { rows: string[][] }
    expect(levels.rows.map((row) => row[0])).toEqual([
      'attention',
      'multi-head attention',
      'layer',
      'transformer',
    ])
    const svg = await save(page, '#glossary-neighbours', 'SVG')
    expect(svg).toContain('>FlashAttention</text>')
    expect((await save(page, '#glossary-levels', 'PNG')).slice(1, 4)).toBe('PNG')
    await page.locator('#glossary-neighbours').getByRole('button', { name: 'Table' }).click()
    await expect(page.locator('#glossary-neighbours tbody tr')).toHaveCount(13)
  },
)

test('every reference is listed with its address', async ({ explainer }) => {
  const page = await open(explainer)
  const all = page.locator('[data-reference]')
  expect(await all.count()).toBeGreaterThan(20)
  await expect(all.filter({ hasText: 'Attention Is All You Need' })).toContainText(
    'Vaswani, A., Shazeer, N.',
  )
  for (const href of await all
    .locator('a')
    .evaluateAll((links) => links.map((a) => a.getAttribute('href')))) {
    expect(href).toMatch(/^https:\/\//)
  }
})
