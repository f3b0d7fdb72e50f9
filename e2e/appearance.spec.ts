// How the page looks: no accessibility findings, nothing wider than the window. Chapters in every
// width are chapters.spec.ts'.
import { expect, look, sentence, test } from './explainer'
import { expectFits, findings, overflow, picture } from './figures'

for (const language of ['en', 'ko']) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${language} ${colorScheme}`, () => {
      test.use({ colorScheme })
      const quick = language === 'ko' && colorScheme === 'dark' // chapters.spec.ts has Korean in light

      test('axe has no findings', { tag: quick ? [] : ['@all'] }, async ({ explainer }) => {
        const { page } = explainer
        await explainer.openWhole(look({}, language))
        await expect(page.locator('.softmax')).toBeVisible()
        expect(await findings(page)).toEqual([])
        await page.locator('#look-grid .tools > button').first().click()
        await page.locator('#look-opened .tools > button').first().click()
        await page.locator('#look-grid').getByRole('button').first().click()
        expect(await findings(page)).toEqual([])
      })
    })
  }
}

test('axe has no findings in the model dialog', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole()
  await explainer.page.getByRole('button', { name: /MiniLM-L6/ }).click()
  expect(await findings(explainer.page)).toEqual([])
})

const states: [name: string, language: string, state: Record<string, string | number>][] = [
  ['contribution-dim', 'ko', { text: sentence, quantity: 'contribution', dim: 1, token: 8 }],
  ['by-distance', 'en', { text: sentence, sort: 'distance', token: 8 }],
  ['table', 'en', { text: sentence, table: 1, token: 8 }],
  ['korean-text', 'ko', { text: '고양이는 피곤해서 매트에 앉았다', token: 5 }],
  ['long', 'en', { text: Array.from({ length: 30 }, () => sentence).join('. '), token: 8 }],
]

for (const [name, language, state] of states) {
  test(`${name}, wide and narrow`, { tag: '@all' }, async ({ explainer }) => {
    test.slow()
    const { page } = explainer
    await explainer.openWhole(look(state, language))
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await expectFits(page)
      await picture(page, `${name}-${String(width)}`)
    }
  })
}

test('on a phone the chapters are in a sheet, and the opened head comes before the grid', async ({
  explainer,
}) => {
  const { page } = explainer
  await page.setViewportSize({ width: 360, height: 740 })
  await explainer.openWhole(look({}, 'ko'))
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  const [opened, grid] = await Promise.all(
    ['#look-opened', '#look-grid'].map((id) => page.locator(id).boundingBox()),
  )
  expect(opened?.y ?? Infinity).toBeLessThan(grid?.y ?? 0)
  await page.getByRole('button', { name: '차례' }).click()
  const sheet = page.getByRole('dialog', { name: '차례' })
  await expect(sheet).toBeVisible()
  await picture(page, 'ko-360-chapters')
  await sheet.getByRole('button', { name: '수식' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.locator('#look-formula')).toBeInViewport()
})

test('text and figure point at each other', async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  const words = page.getByRole('button', { name: 'Each small map' })
  await words.hover()
  await expect(page.locator('#look-grid')).toHaveClass(/lit/)
  await page.locator('#look-grid-title').hover()
  await expect(words).toHaveClass(/lit/)
  await page.getByRole('button', { name: 'columns', exact: true }).hover()
  await expect(page.locator('#look-opened .guide')).toHaveCount(1)
})

test('a symbol of the formula tells what it is now', async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  const weight = (await explainer.readout()).toFixed(3)
  await expect(page.locator('.formula .note')).toContainText(`now ${weight}`)
  await page.locator('math [data-symbol="width"]').click()
  await expect(page.locator('.formula .note')).toContainText('now 32')
  await page.getByRole('button', { name: /^v j/ }).click()
  await expect(page.locator('.formula .note')).toContainText('value vector of token j')
})
