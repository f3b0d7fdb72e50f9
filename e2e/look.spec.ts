// Chapter 1 does what it says, with the numbers the model has.
import { expect, look, sentence, test } from './explainer'

const soft = sentence.replace('tired', 'soft')

test('the default sentence, and it -> cat in 3.1', async ({ explainer }) => {
  await explainer.openWhole()
  await expect(explainer.chips.locator('.label')).toHaveText([
    '[CLS]',
    ...sentence.toLowerCase().split(' '),
    '[SEP]',
  ])
  expect(Math.abs((await explainer.readout()) - 0.49)).toBeLessThanOrEqual(0.03)
  await expect(explainer.page.getByTestId('readout')).toContainText('it → cat')
  await expect(explainer.page.locator('h1')).toHaveText('Where does it look?')
  await expect(explainer.page.locator('.answer')).toContainText('of the weight of it lies on cat')
})

test('it -> cat in 5.11, by link', async ({ explainer }) => {
  await explainer.openWhole(look({ text: sentence, layer: 5, head: 11, token: 8, key: 2 }))
  expect(Math.abs((await explainer.readout()) - 0.68)).toBeLessThanOrEqual(0.02)
})

test('0.2 looks one token back in every row after the first; rows sum to 1', async ({
  explainer,
}) => {
  await explainer.openWhole(look({ text: sentence, layer: 0, head: 2, token: 8, table: 1 }))
  const matrix = await explainer.matrix()
  expect(matrix).toHaveLength(12)
  for (const [query, row] of matrix.entries()) {
    expect(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1)).toBeLessThan(0.007)
    if (query > 0) expect(row[query - 1]).toBeGreaterThanOrEqual(0.99)
  }
})

test('things to try: tired becomes soft, 5.11 marks the noun, 0.2 looks back', async ({
  explainer,
}) => {
  await explainer.openWhole()
  const { page } = explainer
  const evidence = page.locator('.evidence')
  await page.getByRole('button', { name: /Change tired to soft/ }).click()
  await expect(explainer.text).toHaveValue(soft)
  await expect(evidence).toHaveText(/cat 0\.\d+, it → mat 0\.\d+/)
  const [cat = 1, mat = 0] =
    ((await evidence.textContent()) ?? '').match(/0\.\d{3}/g)?.map(Number) ?? []
  expect(Math.abs(cat - 0.17)).toBeLessThan(0.03)
  expect(Math.abs(mat - 0.2)).toBeLessThan(0.03)
  await page.getByRole('button', { name: 'Back to “tired”' }).click()
  await expect(explainer.text).toHaveValue(sentence)

  await page.getByRole('button', { name: /5\.11 puts more/ }).click()
  await expect(evidence).toContainText('the other rows give cat')
  const [it = 0, least = 0, most = 0] =
    ((await evidence.textContent()) ?? '').match(/0\.\d{3}/g)?.map(Number) ?? []
  expect(Math.abs(it - 0.68)).toBeLessThan(0.02)
  expect(Math.abs(least - 0.34)).toBeLessThan(0.04)
  expect(Math.abs(most - 0.92)).toBeLessThan(0.04)

  await page.getByRole('button', { name: /0\.2 looks one token back/ }).click()
  await expect(evidence).toHaveText(/0\.99\d or more|1\.000 or more/)
})

test('a click on a token fixes the query; the row, the title and the address follow', async ({
  explainer,
}) => {
  await explainer.openWhole()
  const { page } = explainer
  await page.getByRole('button', { name: /^mat,/ }).click()
  await expect(page.locator('h1')).toHaveText('Where does mat look?')
  await expect(page.locator('#look-row-title')).toHaveText('The row of mat in 3.1')
  await expect(page).toHaveURL(/token=6/)
  await page.goBack()
  await expect(page.locator('h1')).toHaveText('Where does it look?')
})

test(
  'a head opens by click; hovering another one previews its row under the tokens',
  { tag: '@all' },
  async ({ explainer }) => {
    await explainer.openWhole()
    await explainer.head('0.2').click()
    await expect(explainer.page.locator('#look-opened-title')).toHaveText('Head 0.2')
    await expect(explainer.page).toHaveURL(/layer=0&head=2/)
    const because = explainer.page.locator('[data-place="7"] .weight')
    await expect(because).toHaveText(/>99%|100%/)
    await explainer.head('3.1').hover()
    await expect(because).not.toHaveText(/>99%|100%/)
  },
)

test('the crosshair reads out a cell, a click fixes it', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole(look({ text: sentence, layer: 0, head: 2, token: 8 }))
  const map = explainer.page.getByRole('application')
  await map.scrollIntoViewIfNeeded()
  const place = await map
    .locator('rect')
    .nth(12 * 5 + 4)
    .boundingBox()
  if (!place) throw new Error('the cell: expected a box; received none')
  await explainer.page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await expect(explainer.page.getByTestId('readout')).toContainText('the → on')
  expect(await explainer.readout()).toBeGreaterThanOrEqual(0.99)
  await explainer.page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
  await expect(explainer.page).toHaveURL(/token=5&key=4/)
})

test('heads in the order of a measure: largest first', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  await page.getByRole('button', { name: /^Order by/ }).click()
  await page.getByRole('menuitemradio', { name: /weight on the previous token/ }).click()
  await expect(page).toHaveURL(/sort=previous/)
  const captions = await page.locator('[data-head] .caption').allTextContents()
  const values = captions.map((caption) => Number(caption.trim().split(/\s+/)[1]))
  expect(values).toHaveLength(72)
  expect(values).toEqual([...values].sort((a, b) => b - a))
  expect(captions[0]).toMatch(/^0\.2\b/)
})

test('a weight explains itself with its real operands', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole()
  const line = explainer.page.locator('.softmax .line')
  await expect(line).toContainText('exp(')
  const text = ((await line.textContent()) ?? '').replaceAll('−', '-')
  const found = /exp\(\s*(-?[\d.]+)\s*-\s*(-?[\d.]+)\s*\)\s*\/\s*([\d.]+)\s*=\s*([\d.]+)/.exec(text)
  const [score = 0, largest = 0, sum = 1, weight = 0] = (found ?? []).slice(1).map(Number)
  expect(Math.abs(Math.exp(score - largest) / sum - weight)).toBeLessThan(0.01)
  expect(weight).toBe(await explainer.readout())
})

test('contribution: weight times the length of v W_O', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  const weight = await explainer.readout()
  await page.getByRole('button', { name: 'contribution', exact: true }).click()
  await expect(page).toHaveURL(/quantity=contribution/)
  const contribution = await explainer.readout()
  const line = ((await page.locator('.softmax .line').textContent()) ?? '').replace(/\s+/g, ' ')
  const norm = Number(/× ([\d.]+)/.exec(line)?.[1])
  expect(Math.abs(weight * norm - contribution)).toBeLessThan(0.01)
})

test(
  'dimmed special tokens: the row says how much they hold',
  { tag: '@all' },
  async ({ explainer }) => {
    await explainer.openWhole()
    await explainer.page.getByRole('button', { name: 'Dim special tokens' }).click()
    await expect(
      explainer.page.getByText(/\d+% of this row lies on the dimmed tokens/),
    ).toBeVisible()
  },
)

test('every example opens', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  const menu = page.getByRole('button', { name: 'Examples' })
  await menu.click()
  const names = await page.getByRole('menuitem').locator('.item-label').allTextContents()
  expect(names.length).toBeGreaterThanOrEqual(10)
  await page.keyboard.press('Escape')
  for (const name of names) {
    await menu.click()
    await page.getByRole('menuitem', { name }).click()
    await expect(explainer.text).toHaveValue(name.split(' / ')[0] ?? '')
    await explainer.whole()
    await expect(page.locator('.answer .number').first()).toBeVisible()
  }
})
