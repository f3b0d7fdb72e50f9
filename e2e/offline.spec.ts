// Without a network after one visit; new versions that wait to be asked for; storage that refuses.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serve } from '../scripts/serve.mjs'
import { addressOf, expect, Explainer, look, sentence, test as base } from './explainer'

base.use({ serviceWorkers: 'allow' })

/** A copy of the site in a sub-path of its own server, so that it can change and go away. */
const test = base.extend<{ site: { folder: string; url: string; close: () => Promise<void> } }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed here
  site: async ({}, use) => {
    const root = mkdtempSync(path.join(tmpdir(), 'headwise-offline-'))
    const folder = path.join(root, 'some/where')
    cpSync('web/app/dist', folder, { recursive: true })
    const server = await serve({ folder: root, port: 0 })
    await use({ folder, url: `${server.url}some/where`, close: server.close })
    await server.close()
    rmSync(root, { recursive: true })
  },
})

/** A service worker as the next build would have it after a change of this file. */
function change(folder: string, file: string): void {
  const worker = path.join(folder, 'service-worker.js')
  const script = readFileSync(worker, 'utf8')
  const [before, after] = script.split(
    new RegExp(`(?<=${file}.{1,3},\\s*.?revision.?:\\s*.)[0-9a-f]{16}`),
  )
  if (after === undefined) throw new Error(`${file}: expected a revision in the service worker`)
  writeFileSync(worker, `${before ?? ''}next${after}`)
}

/** Opens the page and waits until it and the model are kept. */
async function visit(explainer: Explainer): Promise<void> {
  await explainer.openWhole()
  await explainer.page.getByRole('button', { name: /MiniLM-L6/ }).click()
  await expect(explainer.page.getByText(/open without a network/)).toBeVisible({ timeout: 30_000 })
  await explainer.page.keyboard.press('Escape')
}

/** Opens the chapter that has models of its own, and waits until they are kept too. */
async function visitTranslator(explainer: Explainer): Promise<void> {
  const { page } = explainer
  await explainer.open(addressOf('cross', {}, 'en'))
  await expect(page.getByTestId('written').getByRole('button').first()).toBeVisible({
    timeout: 30_000,
  })
  const kept = () =>
    page.evaluate(async () => {
      const requests = await (await caches.open('headwise-models')).keys()
      return requests.filter(({ url }) => url.includes('model.safetensors')).length
    })
  await expect.poll(kept, { timeout: 20_000 }).toBe(3)
}

test('after one visit: page, model and every chapter with the server gone', async ({
  page,
  context,
  site,
}) => {
  test.slow() // every chapter, and all models
  const first = new Explainer(page, site.url)
  await visit(first)
  await visitTranslator(first)
  expect(first.problems).toEqual([])
  await page.close()
  await site.close()

  const again = new Explainer(await context.newPage(), site.url)
  await again.openWhole(look({ text: sentence, layer: 5, head: 11, token: 8, key: 2 }))
  expect(Math.abs((await again.readout()) - 0.68)).toBeLessThanOrEqual(0.02)
  expect(await again.page.evaluate(() => crossOriginIsolated)).toBe(true)
  await again.type('Typed without a network')
  await again.tokensEndWith('network', '[SEP]')
  await again.whole()
  const rail = again.page.getByRole('navigation', { name: 'Chapters' })
  const chapters = await rail.locator('button.chapter').count()
  for (let place = 0; place < chapters; place++) {
    await rail.locator('button.chapter').nth(place).click()
    await expect(rail.locator('button.chapter').nth(place)).toHaveAttribute('aria-current', 'page')
    await expect(again.page.locator('h1')).toBeVisible()
    await expect(again.page.getByRole('alert')).toHaveCount(0)
  }
  await again.page.getByRole('button', { name: 'Language' }).click()
  await again.page.getByRole('menuitemradio', { name: '한국어' }).click()
  await expect(again.page.locator('html')).toHaveAttribute('lang', 'ko')
  // The look for a new version fails, and is all that does.
  expect(again.problems.filter((each) => !/ERR_CONNECTION_REFUSED/.test(each))).toEqual([])
})

test(
  'a new version waits until the reader takes it; the view stays',
  { tag: '@all' },
  async ({ page, context, site }) => {
    const explainer = new Explainer(page, site.url)
    await visit(explainer)
    const state = look({ text: 'My own words', layer: 2, head: 9, token: 2 })
    await explainer.openWhole(state)

    // The next build: another page, another service worker.
    const index = path.join(site.folder, 'index.html')
    const mark = '<meta name="build" content="next" />'
    writeFileSync(index, readFileSync(index, 'utf8').replace('</head>', `${mark}</head>`))
    change(site.folder, 'index.html')

    await page.reload()
    const notice = page.getByText('A new version of this page is ready')
    await expect(notice).toBeVisible({ timeout: 20_000 })
    await expect(page.locator('meta[name="build"]')).toHaveCount(0)
    await page.getByRole('button', { name: 'Later' }).click()
    await expect(notice).toBeHidden()

    const other = new Explainer(await context.newPage(), site.url)
    await other.openWhole()
    await page.reload()
    await page.getByRole('button', { name: 'Reload', exact: true }).click()
    await expect(page.locator('meta[name="build"]')).toHaveCount(1)
    await expect(explainer.text).toHaveValue('My own words')
    await expect(page.locator('#look-opened-title')).toHaveText('Head 2.9')
    await expect(notice).toBeHidden()
    // The other tab is told, and not taken from under its reader's hands.
    await expect(other.page.getByText('A new version of this page is ready')).toBeVisible()
    await expect(other.page.locator('meta[name="build"]')).toHaveCount(0)
  },
)

test(
  'a model of another content is fetched anew, and the old one forgotten',
  { tag: '@all' },
  async ({ page, site }) => {
    const explainer = new Explainer(page, site.url)
    await visit(explainer)
    const keys = () =>
      page.evaluate(async () => {
        const cache = await caches.open('headwise-models')
        return (await cache.keys()).map(({ url }) => url)
      })
    const before = await keys()
    expect(before.some((key) => key.includes('model.safetensors?revision='))).toBe(true)
    change(site.folder, 'models/minilm-l6/README.md')
    await page.reload()
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Reload', exact: true }).click()
    await loaded
    await expect
      .poll(async () => (await keys()).filter((key) => key.includes('README')), { timeout: 30_000 })
      .toEqual([expect.stringContaining('revision=next')])
    expect(await keys()).toHaveLength(before.length)
  },
)

test(
  'storage that is full or forbidden: the page works, and says what it cannot do',
  { tag: '@all' },
  async ({ page, site }) => {
    const worker = path.join(site.folder, 'service-worker.js')
    const full = `Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));\n`
    writeFileSync(worker, full + readFileSync(worker, 'utf8'))
    const explainer = new Explainer(page, site.url)
    await explainer.openWhole()
    await page.getByRole('button', { name: /MiniLM-L6/ }).click()
    await expect(page.getByText(/needs the network to open/)).toBeVisible({ timeout: 30_000 })
    await page.keyboard.press('Escape')
    await explainer.type('Still computing')
    await explainer.tokensEndWith('computing', '[SEP]')
    await explainer.whole()
  },
)
