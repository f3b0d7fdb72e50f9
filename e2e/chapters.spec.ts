// Every chapter that is registered, whatever it is about: it opens by its link, quietly, accessibly
// and inside the window. A new chapter is covered by being in the rail. The widths, in both
// languages and themes, are tagged @all.
import { chapterIds } from '../web/app/src/state/view'
import { addressOf, expect, test, type Explainer } from './explainer'
import { expectFits, picture } from './figures'

const sizes = [
  [1440, 1000],
  [360, 740],
] as const

/** Opens a chapter and waits until the model is there and nothing says that it waits. */
async function openWhole(explainer: Explainer, chapter: string, language: string): Promise<void> {
  const { page } = explainer
  await explainer.open(addressOf(chapter, {}, language))
  await expect(page.locator('main h1')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(page.locator('header button.ready')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('alert')).toHaveCount(0)
}

test('the rail lists the chapters in the order of their numbers', async ({ explainer }) => {
  await explainer.open()
  const rail = explainer.page.getByRole('navigation', { name: 'Chapters' })
  await expect(rail.locator('button.chapter')).toHaveCount(chapterIds.length)
  const numbers = (await rail.locator('button.chapter .number').allTextContents()).map(Number)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(new Set(numbers).size).toBe(numbers.length)
})

/** Their own tests walk the widths, when everything is computed: testWidths of figures.ts. */
const walkedThere: readonly string[] = ['ablation', 'rank', 'roles', 'subspaces', 'variants']

for (const chapter of chapterIds) {
  test(`${chapter}: one pass`, async ({ explainer }) => {
    await openWhole(explainer, chapter, 'ko')
    const { page } = explainer
    await expect(page.locator('#main')).toContainText(/[가-힣]/)
    await expect(page).toHaveTitle(/\S+ · Headwise$/)
    await expectFits(page)
    await picture(page, `chapter-${chapter}`)
    // Its address is the view: opened again it is the same.
    const address = await explainer.address()
    await page.reload()
    await expect(page.locator('main h1')).toBeVisible()
    await expect(page).toHaveURL(address)
  })

  if (walkedThere.includes(chapter)) continue
  for (const [language, colorScheme] of [
    ['en', 'light'],
    ['ko', 'dark'],
  ] as const) {
    test.describe(`${chapter} ${language} ${colorScheme}`, () => {
      test.use({ colorScheme, reducedMotion: 'reduce' })
      test('all widths', { tag: '@all' }, async ({ explainer }) => {
        test.slow()
        const { page } = explainer
        const [[width, height]] = sizes
        await page.setViewportSize({ width, height })
        await openWhole(explainer, chapter, language)
        for (const [wide, high] of sizes) {
          await page.setViewportSize({ width: wide, height: high })
          await expect(page.locator('main h1')).toBeVisible()
          await expectFits(page)
          await picture(page, `chapter-${chapter}-${language}-${colorScheme}-${String(wide)}`)
        }
      })
    })
  }
}
