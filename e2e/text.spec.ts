// Typing, and texts that nobody would call well-behaved.
import { expect, look, sentence, test } from './explainer'

test('runs while one types, and keeps the fixed token on its word', async ({ explainer }) => {
  await explainer.openWhole()
  await explainer.text.press('Home')
  await explainer.text.pressSequentially('Look ', { delay: 20 })
  await expect(explainer.chips.nth(9).locator('.label')).toHaveText('it')
  await expect(explainer.chips.nth(9)).toHaveAttribute('aria-pressed', 'true')
  await expect(explainer.page).toHaveURL(/text=Look\+The\+cat.*token=9/)
  await explainer.page.goBack()
  await expect(explainer.text).toHaveValue(sentence)
  await expect(explainer.chips.nth(8)).toHaveAttribute('aria-pressed', 'true')
})

const stress: [name: string, text: string, shown: RegExp][] = [
  ['empty', '', /two special tokens only/],
  ['one letter', 'a', /lies on a/],
  ['one emoji', '😀', /\[UNK\]/],
  ['a family and a flag', '👩‍👩‍👧‍👦 🇰🇷 text', /text/],
  ['Korean', '고양이는 피곤해서 매트에 앉았다', /does not read Korean/],
  ['right to left', 'القطة جلست لأنها متعبة', /./],
  ['pasted HTML', '<img src=x onerror=alert(1)><b>bold</b>', /./],
  ['blanks and breaks', ' \n\t  ', /two special tokens only/],
  ['combining marks', 'e\u0301e\u0301 Z̴̛͕a̷l̸g̶o', /./],
  ['a formula of a spreadsheet', '=HYPERLINK("http://example.org")', /./],
]

for (const [name, text, shown] of stress) {
  const tag = ['empty', 'Korean', 'pasted HTML'].includes(name) ? [] : ['@all']
  test(`shows sensibly: ${name}`, { tag }, async ({ explainer }) => {
    await explainer.openWhole(look({ text, layer: 3, head: 1, token: 1 }))
    await expect(explainer.page.locator('main')).toContainText(shown)
    await expect(explainer.text).toHaveValue(text)
    await expect(explainer.page.getByTestId('readout').locator('b')).toHaveText(/\d\.\d{3}/)
    expect(await explainer.page.locator('main img, main b b').count()).toBe(0)
  })
}

test('without words the lead says what there is to share', async ({ explainer }) => {
  await explainer.openWhole(look({ text: '', layer: 3, head: 1, token: 0 }))
  const { page } = explainer
  await expect(page.locator('h1')).toHaveText('Where does a head look when there are no words?')
  await expect(page.locator('.answer')).toHaveText(/There is no text.* \[CLS\] puts >?\d+% on \[/)
  await explainer.type('Words')
  await expect(page.locator('h1')).toHaveText('Where does [CLS] look?')
})

test('the closing token can be the query too', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole()
  await explainer.chips.last().click()
  await expect(explainer.chips.last()).toHaveAttribute('aria-pressed', 'true')
  await expect(explainer.page.locator('h1')).toHaveText('Where does [SEP] look?')
})

test('jamo stand in one box for each syllable', { tag: '@all' }, async ({ explainer }) => {
  await explainer.openWhole(look({ text: '피곤해서', layer: 3, head: 1, token: 1 }))
  const boxes = explainer.page.locator('.group.syllable .source')
  await expect(boxes).toHaveText(['피', '곤', '해', '서'])
})

test('600 words: says what is used, and the map zooms, filters and answers', async ({
  explainer,
}) => {
  const words = Array.from({ length: 600 }, (_, place) => (place % 7 === 3 ? 'river' : 'stone'))
  await explainer.openWhole(look({ text: words.join(' '), layer: 0, head: 2, token: 20 }))
  const { page } = explainer
  await expect(page.getByText(/The first 512 are used, 90 at the end are left out/)).toBeVisible()
  await expect(explainer.chips).toHaveCount(512)
  const map = page.getByRole('application')
  await map.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByTestId('readout')).toContainText('→')
  await page.keyboard.press('+')
  await page.keyboard.press('0')
  await page.getByLabel('Only tokens that contain').fill('river')
  await expect(page.getByText(/^\d+ of 512 tokens$/)).toBeVisible()
  await page.getByLabel('Only tokens that contain').fill('nothing like it')
  await expect(page.getByText('No token contains this.')).toBeVisible()
})

test(
  '512 tokens: the whole maps are measured bit by bit, then ordered; files wait for it',
  { tag: '@all' },
  async ({ explainer }) => {
    test.slow()
    const words = Array.from({ length: 600 }, (_, place) => `w${String(place % 9)}`)
    await explainer.openWhole(look({ text: words.join(' '), layer: 0, head: 2, token: 20 }))
    const { page } = explainer
    await page.getByRole('button', { name: /^Order by/ }).click()
    await page.getByRole('menuitemradio', { name: /breadth of the rows/ }).click()
    const foot = page.locator('#look-grid p[aria-live]')
    await expect(foot).toHaveText(/^Measured \d+ of 72 heads/)
    await expect(foot).toHaveText(/^Entropy of a row/, { timeout: 120_000 })
    const captions = await page.locator('[data-head] .caption').allTextContents()
    const values = captions.map((caption) => Number(caption.trim().split(/\s+/)[1]))
    expect(values).toHaveLength(72)
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(values[0]).toBeLessThanOrEqual(Math.log(512))
  },
)

test('typing over a long text never waits for it', { tag: '@all' }, async ({ explainer }) => {
  const long = Array.from({ length: 400 }, () => 'stone').join(' ')
  await explainer.openWhole(look({ text: long, token: 5 }))
  await explainer.text.fill(`${long} again`)
  await explainer.type('A short one')
  await explainer.tokensEndWith('a', 'short', 'one', '[SEP]')
  await explainer.whole()
})

test('a pair of sentences', async ({ explainer }) => {
  await explainer.openWhole(look({ text: 'The river rose.', pair: 'People left.', token: 2 }))
  await explainer.tokensEndWith('.', '[SEP]', 'people', 'left', '.', '[SEP]')
  await explainer.page.locator('#second-sentence').fill('Nobody stayed.')
  await explainer.tokensEndWith('[SEP]', 'nobody', 'stayed', '.', '[SEP]')
})
