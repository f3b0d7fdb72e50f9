// What is saved from a figure holds the numbers that are on screen.
import { readFile } from 'node:fs/promises'
import { expect, look, sentence, test, type Explainer } from './explainer'

async function save(explainer: Explainer, figure: string, kind: string): Promise<Buffer> {
  const { page } = explainer
  await page.locator(figure).getByRole('button', { name: 'Save' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(new RegExp(`^headwise-.*\\.${kind.toLowerCase()}$`))
  return readFile(await file.path())
}

const address = look({ text: sentence, layer: 3, head: 1, token: 8, key: 2 })

test('CSV of a head: header, and every pair', async ({ explainer }) => {
  await explainer.openWhole(address)
  await expect(explainer.page.locator('.softmax .line')).toContainText('exp(')
  const lines = (await save(explainer, '#look-opened', 'CSV')).toString('utf8').split('\r\n')
  expect(lines[0]).toMatch(/^\uFEFFmodel,all-MiniLM-L6-v2/)
  expect(lines).toContain(`text,${sentence}`)
  expect(lines).toContain('layer,3')
  expect(lines).toContain('head,1')
  expect(lines.some((line) => /^headwise,\d+\.\d+\.\d+/.test(line))).toBe(true)
  const rows = lines.slice(lines.indexOf('') + 2).filter((line) => line !== '')
  expect(rows).toHaveLength(144)
  const cells = rows.find((row) => row.startsWith('8,it,2,cat,'))?.split(',') ?? []
  expect(Number(cells[4]).toFixed(3)).toBe((await explainer.readout()).toFixed(3))
  expect(Number(cells[6])).toBeGreaterThan(0)
})

test('JSON of a head is the same data', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole(address)
  await expect(explainer.page.locator('.softmax .line')).toContainText('exp(')
  const data = JSON.parse((await save(explainer, '#look-opened', 'JSON')).toString('utf8')) as {
    text: string
    link: string
    columns: string[]
    rows: (string | number)[][]
  }
  expect(data.text).toBe(sentence)
  expect(data.link).toContain('#/en/look?')
  expect(data.columns).toContain('contribution')
  const weights = data.rows.filter((row) => row[0] === 8).map((row) => Number(row[4]))
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5)
})

test('SVG and PNG of a head', async ({ explainer }) => {
  await explainer.openWhole(address)
  const svg = (await save(explainer, '#look-opened', 'SVG')).toString('utf8')
  expect(svg.match(/<rect /g)?.length).toBe(1 + 144 + 1)
  expect(svg).toContain('>because</text>')
  expect(svg).toContain(`text: ${sentence}`)
  const parsed = await explainer.page.evaluate((source) => {
    const { documentElement } = new DOMParser().parseFromString(source, 'image/svg+xml')
    return documentElement.nodeName
  }, svg)
  expect(parsed).toBe('svg')
  const png = await save(explainer, '#look-opened', 'PNG')
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
  expect(png.readUInt32BE(16)).toBeGreaterThan(600)
})

test('all heads: SVG, and CSV with every measure', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole(address)
  const svg = (await save(explainer, '#look-grid', 'SVG')).toString('utf8')
  expect(svg.match(/<image /g)?.length).toBe(72)
  const lines = (await save(explainer, '#look-grid', 'CSV')).toString('utf8').split('\r\n')
  const rows = lines.slice(lines.indexOf('') + 2).filter((line) => line !== '')
  expect(rows).toHaveLength(72)
  const previous = Number(rows.find((row) => row.startsWith('0,2,'))?.split(',')[5])
  expect(previous).toBeGreaterThan(0.99)
})

test('cells that a spreadsheet would run are made harmless', async ({ explainer }) => {
  await explainer.openWhole(look({ text: '=1+1 @x -y <b>&', layer: 3, head: 1, token: 1 }))
  const csv = (await save(explainer, '#look-opened', 'CSV')).toString('utf8')
  expect(csv).toContain("text,'=1+1")
  expect(csv).toContain("'=,")
  const text = csv.split('\r\n').flatMap((line) => line.split(','))
  expect(text.filter((cell) => /^[=+@]/.test(cell))).toEqual([])
  const svg = (await save(explainer, '#look-opened', 'SVG')).toString('utf8')
  expect(svg).toContain('&lt;')
  expect(svg).not.toContain('<b>')
})

test(
  'copies the figure as an image, and the link to the view',
  { tag: '@all' },
  async ({ explainer, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await explainer.openWhole(address)
    const { page } = explainer
    await page.locator('#look-opened').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('menuitem', { name: 'Copy as image' }).click()
    await expect(page.getByText('Copied')).toBeVisible()
    const types = await page.evaluate(async () => (await navigator.clipboard.read())[0]?.types)
    expect(types).toContain('image/png')
    await page.getByRole('button', { name: 'Copy link to this view' }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  },
)
