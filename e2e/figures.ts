// What every chapter's figures are asked: files with the numbers on screen, no findings of axe, room
// at every width.
import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

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

/** No axe findings, and nothing wider than the window. */
export async function expectFits(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(over).toBeLessThanOrEqual(0)
  expect(await findings(page)).toEqual([])
}
