// Chapter 5 does what it says, with the numbers that the module counts.
import type { Page } from '@playwright/test'
import { expect, Explainer, parameters, test } from './explainer'
import { expectFits, picture, save } from './figures'

const number = (page: Page, id: string) => page.locator(`[data-number="${id}"] b`)
const heads = (page: Page) => page.locator('#parameters-heads')
const evidence = (page: Page) => page.locator('.evidence')

async function open(explainer: Explainer, state = {}, language = 'en'): Promise<Page> {
  await explainer.open(parameters(state, language))
  await expect(explainer.page.locator('h1')).toBeVisible()
  return explainer.page
}

test('opens from the chapter before and goes back, with the text kept', async ({ explainer }) => {
  const { page } = explainer
  await explainer.open('#/en/scale?text=Hello+there&token=1')
  await page.getByRole('button', { name: 'Next chapter' }).click()
  await expect(page.locator('h1')).toHaveText('Do more heads cost more?')
  await expect(page).toHaveURL(/#\/en\/parameters\?text=Hello\+there/)
  await expect(page).toHaveTitle(/Heads and parameters/)
  await page.getByRole('button', { name: 'Previous chapter' }).click()
  await expect(explainer.text).toHaveValue('Hello there')
  await page.goBack()
  await expect(page.locator('h1')).toHaveText('Do more heads cost more?')
})

test('1,048,576 weights with 1, 8, 16 and 512 heads, by slider and by number', async ({
  explainer,
}) => {
  const page = await open(explainer)
  const slider = page.getByRole('slider', { name: /^h: divisors/ })
  await slider.focus()
  for (const [key, value, size] of [
    ['Home', '1', '512'],
    ['ArrowRight', '2', '256'],
    ['End', '512', '1'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(heads(page)).toHaveValue(value)
    await expect(number(page, 'headDim')).toHaveText(size)
    await expect(number(page, 'weights')).toHaveText('1,048,576')
    await expect(number(page, 'multiplications')).toHaveText('1,048,576')
  }
  await expect(slider).toHaveAttribute('aria-valuetext', 'h = 512, d_k = 1')
  await heads(page).fill('16')
  await expect(page).toHaveURL(/width=512&heads=16/)
  await expect(number(page, 'weights')).toHaveText('1,048,576')
})

test('a figure that was redrawn is the one that a new page draws', async ({ explainer }) => {
  const page = await open(explainer)
  const drawn = () =>
    page.locator('main svg > g *').evaluateAll((marks) =>
      marks.map((mark) => {
        const attributes = [...mark.attributes].map(({ name, value }) => `${name}=${value}`)
        return [mark.tagName, ...attributes.sort(), mark.textContent].join(' ')
      }),
    )
  await page.getByRole('slider', { name: /^h: divisors/ }).focus()
  for (const key of ['Home', 'ArrowRight', 'End', 'ArrowLeft', 'ArrowLeft']) {
    await page.keyboard.press(key)
  }
  await expect(page).toHaveURL(/heads=128/)
  await page.getByRole('slider', { name: /^Key and value heads/ }).focus()
  await page.keyboard.press('Home')
  await expect(page).toHaveURL(/kv=1\b/)
  const redrawn = await drawn()
  expect(redrawn.length).toBeGreaterThan(100)
  await page.reload()
  await expect.poll(drawn).toEqual(redrawn)
})

test('bars are chosen by click and by arrow keys', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer)
  const every = page.getByRole('radiogroup', { name: 'Every h' })
  await every.getByRole('radio', { name: /^h = 4,/ }).click()
  await expect(heads(page)).toHaveValue('4')
  await page.keyboard.press('ArrowUp')
  await expect(heads(page)).toHaveValue('2')
  await expect(every.getByRole('radio', { name: /^h = 2,/ })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(every.getByRole('radio', { checked: true })).toHaveAccessibleName(
    /^h = 1, d_k = 512/,
  )
  const variants = page.getByRole('radiogroup').nth(1)
  await variants.getByRole('radio').first().focus()
  await page.keyboard.press('End')
  await expect(page).toHaveURL(/latent=1/)
})

test('an h that does not divide says why, and what would do', async ({ explainer }) => {
  const page = await open(explainer)
  await heads(page).fill('7')
  await expect(page.getByText('is not a whole number')).toContainText('73 columns for each head')
  await expect(heads(page)).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'h = 8', exact: true }).click()
  await expect(number(page, 'weights')).toHaveText('1,048,576')
})

test('things to try: a click does them, and says what came out', async ({ explainer }) => {
  const page = await open(explainer)
  await page.getByRole('button', { name: /Go to the extreme/ }).click()
  await expect(heads(page)).toHaveValue('512')
  await expect(evidence(page)).toContainText('1,048,576 weights, dk = 1')
  await page.getByRole('button', { name: /at 64 instead/ }).click()
  await expect(number(page, 'weights')).toHaveText('2,097,152')
  await expect(evidence(page)).toContainText('2 times as many')
  await page.getByRole('button', { name: /share one key and one value/ }).click()
  await expect(number(page, 'weights')).toHaveText('589,824')
  await expect(number(page, 'cache')).toHaveText('128')
  await expect(evidence(page)).toContainText('1/8')
})

test('known models, the loaded one among them', { tag: '@all' }, async ({ explainer }) => {
  const page = await open(explainer)
  const table = page.locator('#parameters-models')
  await table.getByRole('button', { name: /in this tab/ }).click()
  await expect(page).toHaveURL(/width=384&heads=12&bias=1/)
  await expect(number(page, 'total')).toHaveText('591,360')
  await expect(page.locator('.shipped')).toContainText('3,548,160')
  await table.getByRole('button', { name: 'Llama 2 70B' }).click()
  await expect(number(page, 'weights')).toHaveText('150,994,944')
  await table.getByRole('button', { name: 'DeepSeek-V2' }).click()
  await expect(number(page, 'weights')).toHaveText('149,225,472')
  await expect(number(page, 'cache')).toHaveText('576')
  await expect(table.locator('.shown a')).toHaveAttribute('href', /2405\.04434/)
})

test('exports hold the numbers on screen', async ({ explainer }) => {
  const page = await open(explainer, { bias: 1 })
  const csv = (await save(page, '#parameters-every', 'CSV')).split('\r\n')
  expect(csv).toContain('d_model,512')
  expect(csv.some((line) => line.startsWith('headwise,'))).toBe(true)
  const rows = csv.slice(csv.indexOf('') + 2).filter((line) => line !== '')
  expect(rows).toHaveLength(10)
  expect(rows[3]).toBe('512,8,8,64,mha,1048576,2048,1050624,1048576,1024,1024')
  const data = JSON.parse(await save(page, '#parameters-variants', 'JSON')) as {
    link: string
    rows: (string | number)[][]
  }
  expect(data.link).toContain('#/en/parameters?')
  expect(data.rows.map((row) => row[4])).toEqual(['mha', 'gqa', 'gqa', 'mqa', 'mla'])
  const svg = await save(page, '#parameters-matrices', 'SVG')
  expect(svg).toContain('>262,144</text>')
  expect(svg.match(/<rect /g)?.length).toBe(1 + 4 * 9)
  const png = await save(page, '#parameters-every', 'PNG')
  expect(png.slice(1, 4)).toBe('PNG')
  await page.locator('#parameters-every').getByRole('button', { name: 'Table' }).click()
  await expect(page.locator('#parameters-every tbody tr')).toHaveCount(10)
})

test(
  'the sentences: copied with one click, complete once filled in',
  { tag: '@all' },
  async ({ explainer, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await open(explainer)
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await page.locator('[data-sentence="methods-ko"]').getByRole('button').click()
    await expect(page.getByText('Sentence copied')).toBeVisible()
    expect(await clipboard()).toMatch(/6개 층.*헤드 8개.*d_model = 512, d_k = d_v = 64.*0\.1/)

    const sentence = page.locator('[data-sentence="ablation-en"] p')
    await expect(sentence).toContainText('[optimiser]')
    await page.getByLabel('optimiser').fill('AdamW')
    await page.getByLabel('learning rate', { exact: true }).fill('3e-4')
    await page.getByLabel('learning rate is').selectOption('same')
    await page.getByLabel('steps or epochs').fill('100k steps')
    await page.getByLabel('seeds').fill('5')
    await expect(sentence).not.toContainText('[')
    await expect(page.locator('.checks .met')).toHaveCount(6)
    await expect(page).toHaveURL(/optimiser=AdamW&rate=3e-4&tuned=same/)
    await page.getByRole('button', { name: 'fixed at' }).click()
    await expect(page.locator('[data-check="matched"]')).not.toHaveClass(/met/)
    await expect(sentence).toContainText('parameters are not matched')
  },
)

test(
  'a link shows the same shape in a fresh browser, in the other language',
  { tag: '@all' },
  async ({ explainer, browser }) => {
    const state = { width: 768, heads: 12, kv: 4, bias: 1, layers: 3, seeds: 4 }
    const page = await open(explainer, state)
    const context = await browser.newContext()
    const other = new Explainer(await context.newPage(), explainer.origin)
    await other.open((await explainer.address()).replace(/^.*?#\/en/, '#/ko'))
    await expect(other.page.locator('h1')).toHaveText('헤드를 늘리면 매개변수도 늘어날까?')
    for (const id of ['weights', 'biases', 'total', 'cache']) {
      await expect(number(other.page, id)).toHaveText((await number(page, id).textContent()) ?? '')
    }
    const said = await page.locator('[data-sentence="methods-ko"] p').textContent()
    await expect(other.page.locator('[data-sentence="methods-ko"] p')).toHaveText(said ?? '')
    expect(other.problems).toEqual([])
    await context.close()
  },
)

test(
  'a symbol tells what it is now, text and figure point at each other',
  { tag: '@all' },
  async ({ explainer }) => {
    const page = await open(explainer, { heads: 16 })
    await expect(page.locator('.formula .note')).toContainText('now 1,048,576')
    await page.locator('math [data-symbol="size"]').first().click()
    await expect(page.locator('.formula .note')).toContainText('now 32')
    await page.getByRole('button', { name: 'the same four' }).hover()
    await expect(page.locator('#parameters-matrices')).toHaveClass(/lit/)
  },
)

/** A plain shape, one that cannot be built, one of another kind. */
const states = [{}, { heads: 7 }, { latent: 1, width: 5120, heads: 128, size: 128 }]

// More states than chapters.spec.ts walks, which has both widths for each language and theme.
for (const [language, colorScheme, width] of [
  ['en', 'dark', 1440],
  ['ko', 'light', 360],
] as const) {
  test.describe(`${language} ${colorScheme}`, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' })
    test(`${String(width)} px`, { tag: '@all' }, async ({ explainer }) => {
      const { page } = explainer
      await page.setViewportSize({ width, height: 900 })
      for (const [place, state] of states.entries()) {
        await open(explainer, state, language)
        await expectFits(page)
        await picture(page, `parameters-${language}-${colorScheme}-${String(place)}`)
      }
    })
  })
}
