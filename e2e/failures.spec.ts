// Files of the page that do not come: what is missing is said in words, what is there stays, and
// trying again works.
import { builtFile, expect, Explainer, look, sentence, test } from './explainer'

/** Failed requests are in the console, as they should be; nothing else is. */
function unexpected({ problems }: Explainer): string[] {
  return problems.filter((each) => !/Failed to load resource|net::ERR|503/.test(each))
}

const frames = { en: builtFile('src/i18n/frame.en.ts'), ko: builtFile('src/i18n/frame.ko.ts') }

test('words that do not come: the other language stands in, and says so', async ({
  page,
  baseURL,
}) => {
  const explainer = new Explainer(page, baseURL?.replace(/\/$/, ''))
  await page.route(frames.ko, (route) => route.abort())
  await explainer.open(look({}, 'ko'))
  await expect(page.locator('h1')).toHaveText('Where does it look?')
  const notice = page.getByRole('alert')
  await expect(notice).toContainText('could not be loaded in Korean')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.unroute(frames.ko)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('h1')).toHaveText('it의 시선은 어디로 향할까?')
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(unexpected(explainer)).toEqual([])
})

test(
  'no words at all: a plain message in both languages, and a way back',
  { tag: '@all' },
  async ({ page, baseURL }) => {
    const explainer = new Explainer(page, baseURL?.replace(/\/$/, ''))
    for (const file of Object.values(frames)) await page.route(file, (route) => route.abort())
    await explainer.open(look({ text: 'Kept', token: 1 }))
    const message = page.getByRole('alert')
    await expect(message).toContainText('The page could not be loaded')
    await expect(message).toContainText('페이지를 불러오지 못했습니다')
    for (const file of Object.values(frames)) await page.unroute(file)
    await message.getByRole('button', { name: '다시 시도' }).click()
    await expect(explainer.text).toHaveValue('Kept')
    expect(unexpected(explainer)).toEqual([])
  },
)

test('a script that does not come: the page says so after a while', async ({ page, baseURL }) => {
  await page.route(builtFile('index.html'), (route) => route.abort())
  await page.goto(`${baseURL ?? ''}${look()}`)
  await expect(page.getByText(/If nothing else appears, reload it/)).toBeVisible({
    timeout: 15_000,
  })
})

test('a chapter that does not come: named, read out, tried again; the others stay', async ({
  page,
  baseURL,
}) => {
  const explainer = new Explainer(page, baseURL?.replace(/\/$/, ''))
  const file = builtFile('src/chapters/parameters/open.ts')
  await page.route(file, (route) => route.abort())
  await explainer.openWhole(look({ text: sentence, layer: 5, head: 11, token: 8 }))
  await page.getByRole('button', { name: /Heads and parameters/ }).click()
  const message = page.getByRole('alert')
  await expect(message).toContainText('“Heads and parameters” could not be loaded')
  await page.goBack()
  await expect(page.locator('#look-opened-title')).toHaveText('Head 5.11')
  await expect(message).toHaveCount(0)
  await page.goForward()
  const server = `${explainer.origin}/`
  await page.route(server, (route) => route.abort())
  await message.getByRole('button', { name: 'Try again' }).click()
  await expect(message).toContainText('The server does not answer')
  await page.unroute(server)
  await page.unroute(file)
  await message.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('h1')).toHaveText('Do more heads cost more?')
  await expect(message).toHaveCount(0)
  expect(unexpected(explainer)).toEqual([])
})

test(
  'a language that does not come leaves the page as it is',
  { tag: '@all' },
  async ({ page, baseURL }) => {
    const explainer = new Explainer(page, baseURL?.replace(/\/$/, ''))
    await explainer.openWhole()
    const file = builtFile('src/chapters/look/ko.ts')
    await page.route(file, (route) => route.abort())
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: '한국어' }).click()
    await expect(page.getByRole('alert')).toContainText('could not be loaded in Korean')
    await expect(page.locator('h1')).toHaveText('Where does it look?')
    await expect(page.getByRole('button', { name: 'Copy link to this view' })).toBeVisible()
    await page.unroute(file)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.locator('h1')).toHaveText('it의 시선은 어디로 향할까?')
    expect(unexpected(explainer)).toEqual([])
  },
)

test(
  'a figure that does not come: said in its place, and tried again',
  { tag: '@all' },
  async ({ page, baseURL }) => {
    const explainer = new Explainer(page, baseURL?.replace(/\/$/, ''))
    const file = builtFile('src/figures/LongMap.svelte')
    await page.route(file, (route) => route.abort())
    const long = Array.from({ length: 80 }, () => 'stone').join(' ')
    await explainer.openWhole(look({ text: long, layer: 0, head: 2, token: 5 }))
    const message = page.getByRole('alert')
    await expect(message).toContainText('This figure could not be loaded')
    await page.unroute(file)
    await message.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('application')).toBeVisible({ timeout: 20_000 })
    expect(unexpected(explainer)).toEqual([])
  },
)

test('without the model nothing says that it is on its way', async ({ page, baseURL }) => {
  const explainer = new Explainer(page, baseURL?.replace(/\/$/, ''))
  await page.route(/(config\.json|model\.safetensors)$/, (route) =>
    route.fulfill({ status: 503, body: '' }),
  )
  const typed = { text: 'Not an example', token: 1 }
  for (const [language, failed, waiting] of [
    ['en', 'could not be loaded', /on its way|has arrived|Computing|being computed|Waiting/],
    ['ko', '모델을 받지 못해', /받는 중|받는 대로|계산하는 중|기다리는/],
  ] as const) {
    await explainer.open(look(typed, language))
    await expect(page.locator('#look-opened')).toContainText(failed, { timeout: 20_000 })
    await expect(page.locator('.answer')).toContainText(failed)
    await expect(page.locator('main')).not.toContainText(waiting)
    await page.goto('about:blank')
    await explainer.open(`#/${language}/parameters`)
    await expect(page.locator('#parameters-models')).toContainText(failed, { timeout: 20_000 })
    await expect(page.locator('main')).not.toContainText(waiting)
    await page.goto('about:blank')
  }
  expect(unexpected(explainer)).toEqual([])
})
