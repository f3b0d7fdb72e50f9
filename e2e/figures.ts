// What every chapter's figures are asked: files with the numbers on screen, no findings of axe, room
// at every width. The long form keeps pictures to look at in test-results/screens.
import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test, type Explainer } from './explainer'

export type FileKind = 'SVG' | 'PNG' | 'CSV' | 'JSON'

/** Saves a figure, in English, and reads the file again. */
export async function save(page: Page, figure: string, kind: FileKind): Promise<string> {
  await page.locator(figure).getByRole('button', { name: 'Save' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
  return readFile(await (await download).path(), 'utf8')
}

/** The rows of a CSV file, below its header. */
export function rowsOf(csv: string): string[][] {
  const lines = csv.replace(/^\uFEFF/, '').split('\r\n')
  return lines
    .slice(lines.indexOf('') + 2)
    .filter((line) => line !== '')
    .map((line) => line.split(','))
}

export interface SavedTable {
  link: string
  columns: string[]
  rows: (string | number | null)[][]
}

/** Every file of a figure: the same columns and rows in both data files, and pictures of it. */
export async function saveAll(page: Page, figure: string): Promise<SavedTable> {
  const table = JSON.parse(await save(page, figure, 'JSON')) as SavedTable
  const csv = rowsOf(await save(page, figure, 'CSV'))
  expect(csv).toHaveLength(table.rows.length)
  expect(csv[0]?.length).toBe(table.columns.length)
  expect(table.link).toContain('#/en/')
  expect(await save(page, figure, 'SVG')).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
  expect((await save(page, figure, 'PNG')).slice(1, 4)).toBe('PNG')
  return table
}

export async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))
}

/** How much wider the page is than the window, px; not above 0 where it fits. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** No axe findings, and nothing wider than the window. */
export async function expectFits(page: Page): Promise<void> {
  expect(await overflow(page), 'wider than the window').toBeLessThanOrEqual(0)
  expect(await findings(page)).toEqual([])
}

/** A picture of the whole page, in the long form: drawing it takes as long as a short test. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['HEADWISE_LONG'] === undefined) return
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `test-results/screens/${name}.png`, fullPage: true })
}

/** Opens a chapter, in a language, and waits until everything is computed. */
type Open = (explainer: Explainer, state: object, language?: string) => Promise<Page>

/** Every figure: all its files, its table or its picture; and symbols of the formula that have a value. */
export function testFiles(
  open: Open,
  figures: readonly string[],
  symbols: readonly string[],
): void {
  test(
    'every figure: all files, the table, the symbols',
    { tag: '@all' },
    async ({ explainer }) => {
      test.setTimeout(180_000)
      const page = await open(explainer, {})
      for (const figure of figures) {
        const { rows } = await saveAll(page, figure)
        expect(rows.length).toBeGreaterThan(1)
        const place = page.locator(figure)
        const wasTable = (await place.locator('tbody').count()) > 0
        // Some are a table first, and a picture on demand.
        await place.getByRole('button', { name: /^(Table|Figure)$/ }).click()
        if (wasTable) await expect(place.locator('svg, canvas').first()).toBeVisible()
        else await expect(place.locator('tbody tr').nth(1)).toBeVisible()
      }
      for (const symbol of symbols) {
        await page.locator(`math [data-symbol="${symbol}"]`).first().click()
        await expect(page.locator('.formula .note')).toContainText(/now .*\d/)
      }
    },
  )
}

/** Everything computed, wide and narrow. */
export function testWidths(open: Open, chapter: string): void {
  for (const [language, colorScheme] of [
    ['en', 'light'],
    ['ko', 'dark'],
  ] as const) {
    test.describe(`${language} ${colorScheme}`, () => {
      test.use({ colorScheme, reducedMotion: 'reduce' })
      test('everything computed fits', { tag: '@all' }, async ({ explainer }) => {
        test.slow()
        const { page } = explainer
        await page.setViewportSize({ width: 1440, height: 900 })
        await open(explainer, {}, language)
        for (const width of [1440, 360]) {
          await page.setViewportSize({ width, height: 900 })
          await expectFits(page)
          await picture(page, `${chapter}-${language}-${colorScheme}-${String(width)}`)
        }
      })
    })
  }
}
