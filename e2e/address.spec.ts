// The state is in the address, and nothing typed is anywhere else.
import { expect, Explainer, look, sentence, test } from './explainer'

test('a link shows the same figure with the same numbers in a fresh browser', async ({
  explainer,
  browser,
}) => {
  await explainer.openWhole()
  await explainer.type('Alice lost her key, so she asked Tom')
  await explainer.tokensEndWith('tom', '[SEP]')
  await explainer.whole()
  await explainer.page.getByRole('button', { name: /^she,/ }).click()
  await explainer.head('3.1').click()
  await explainer.page.getByRole('button', { name: 'Table' }).last().click()
  const matrix = await explainer.matrix()

  const context = await browser.newContext()
  const other = new Explainer(await context.newPage(), explainer.origin)
  await other.openWhole((await explainer.address()).replace(/^.*?#/, '#'))
  expect(await other.matrix()).toEqual(matrix)
  await expect(other.text).toHaveValue('Alice lost her key, so she asked Tom')
  expect(await other.readout()).toBe(await explainer.readout())
  expect(other.problems).toEqual([])
  await context.close()
})

test('back and forward walk through what was chosen', async ({ explainer }) => {
  await explainer.openWhole()
  const { page } = explainer
  const title = page.locator('#look-opened-title')
  await explainer.head('0.2').click()
  await explainer.head('5.11').click()
  await page.goBack()
  await expect(title).toHaveText('Head 0.2')
  await page.goBack()
  await expect(title).toHaveText('Head 3.1')
  await page.goForward()
  await page.goForward()
  await expect(title).toHaveText('Head 5.11')
})

test('a slider that was let go is in the address at once', async ({ explainer }) => {
  await explainer.open('#/en/parameters?heads=8')
  const slider = explainer.page.locator('#parameters-shape input[type="range"]').first()
  await expect(slider).toHaveValue('3')
  const hash = await slider.evaluate((element: HTMLInputElement) => {
    element.value = '4'
    for (const each of ['input', 'pointerup']) {
      element.dispatchEvent(new Event(each, { bubbles: true }))
    }
    return location.hash
  })
  expect(hash).toMatch(/heads=16/)
})

test('the language changes in place, is kept, and is in the address', async ({ explainer }) => {
  await explainer.openWhole(look({ text: sentence, layer: 5, head: 11, token: 8 }))
  const { page } = explainer
  const weight = await explainer.readout()
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '한국어' }).click()
  await expect(page.locator('h1')).toHaveText('it의 시선은 어디로 향할까?')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  await expect(page).toHaveURL(/#\/ko\/look\?.*layer=5&head=11/)
  await expect(page).toHaveTitle(/보기/)
  expect(await explainer.readout()).toBe(weight)
  await page.goto('about:blank')
  await explainer.open()
  await expect(page).toHaveURL(/#\/ko\/look/)
})

test('nothing typed is in any request', async ({ explainer }) => {
  await explainer.openWhole()
  await explainer.type('xylophone secrets 고양이')
  await explainer.tokensEndWith('[SEP]')
  await expect(explainer.page).toHaveURL(/xylophone/)
  await explainer.whole()
  const origin = new URL(explainer.page.url()).origin
  expect(explainer.requests.length).toBeGreaterThan(5)
  for (const request of explainer.requests) {
    const sent = decodeURIComponent(request.url()) + (request.postData() ?? '')
    const { pathname, search, origin: to } = new URL(request.url())
    expect(to).toBe(origin)
    expect(pathname + search).not.toMatch(/xylo|secret|고양이|look/i)
    if (!request.isNavigationRequest()) expect(sent).not.toMatch(/xylo|secret|고양이/i)
    expect(request.headers()['referer'] ?? '').not.toMatch(/xylo/)
  }
})

test('an address that makes no sense opens the page, and gives way to what is shown', async ({
  explainer,
}) => {
  const { page } = explainer
  await explainer.openWhole('#/xx/nowhere?layer=99&head=-4&token=9999&key=7777&sort=no')
  await expect(page.locator('h1')).toHaveText('Where does tired look?')
  await expect(page.getByTestId('readout').locator('b')).toHaveText(/\d\.\d{3}/)
  await expect(page).toHaveURL(/#\/en\/look\?text=[^&]*&layer=5&head=1&token=10$/)
  // Typed into the address of the open page, too; "back" does not stop at the nonsense.
  await page.evaluate(() => {
    location.hash = '#/en/look?text=Hi+there&layer=7&head=44&token=77&key=3'
  })
  await explainer.tokensEndWith('hi', 'there', '[SEP]')
  await expect(page).toHaveURL(/text=Hi\+there&layer=5&head=11&token=2&key=3$/)
  await page.goBack()
  await expect(page).toHaveURL(/layer=5&head=1&token=10$/)
})

test('groups of heads that cannot be give way to those that can', async ({ explainer }) => {
  await explainer.open('#/en/parameters?width=512&heads=8&kv=3&layers=0')
  await expect(explainer.page).toHaveURL(/#\/en\/parameters\?width=512&heads=8&kv=2$/)
  await explainer.open('#/en/subspaces?with=99.0&token=8')
  await expect(explainer.page).toHaveURL(/#\/en\/subspaces\?(?!.*with=)/)
})
