// The page on less kind hosts and in less kind browsers: no isolation headers, a sub-path, a slow
// line, no SIMD, a lost Worker, a model that does not come, no storage.
import { mkdtempSync, rmSync, symlinkSync, mkdirSync } from 'node:fs'
import { createServer, request as fetchFrom } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serve } from '../scripts/serve.mjs'
import { expect, Explainer, look, sentence, test } from './explainer'

const site = path.resolve('web/app/dist')

test('works in a sub-path, without the headers that allow threads', async ({ page }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'headwise-'))
  mkdirSync(path.join(folder, 'some'))
  symlinkSync(site, path.join(folder, 'some/where'))
  const server = await serve({ folder, port: 0, isolation: false })
  try {
    const explainer = new Explainer(page, `${server.url}some/where`)
    await explainer.openWhole()
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
    expect(Math.abs((await explainer.readout()) - 0.49)).toBeLessThanOrEqual(0.03)
    expect(explainer.problems).toEqual([])
    const paths = explainer.requests.map((request) => new URL(request.url()).pathname)
    expect(paths.filter((each) => !each.startsWith('/some/where/'))).toEqual([])
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})

test('works with the headers that allow threads', async ({ explainer }) => {
  await explainer.openWhole()
  expect(await explainer.page.evaluate(() => crossOriginIsolated)).toBe(true)
})

/** Passes everything on to the site, the weights at a slow pace. */
async function slowSite(origin: string, bytesPerSecond: number) {
  const server = createServer((incoming, outgoing) => {
    const { headers } = incoming
    const onward = fetchFrom(new URL(incoming.url ?? '/', origin), { headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      if (!incoming.url?.includes('model.safetensors')) {
        answer.pipe(outgoing)
        return
      }
      answer.on('data', (chunk: Buffer) => {
        answer.pause()
        outgoing.write(chunk)
        setTimeout(() => answer.resume(), (chunk.length / bytesPerSecond) * 1000)
      })
      answer.on('end', () => outgoing.end())
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    onward.end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${String(port)}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test(
  'on a slow line the first layers are shown while the last are on their way',
  { tag: '@all' },
  async ({ page, baseURL }) => {
    const slow = await slowSite(baseURL ?? '', 1.2e6)
    try {
      const explainer = new Explainer(page, slow.url)
      await explainer.open()
      await expect(page.locator('h1')).toHaveText('Where does it look?')
      await expect(explainer.heads.first()).toBeVisible({ timeout: 20_000 })
      expect(await explainer.heads.count()).toBeLessThan(72)
      await expect(page.getByRole('button', { name: /MiniLM-L6/ })).toContainText('%')
      await explainer.whole()
      expect(explainer.problems).toEqual([])
    } finally {
      slow.close()
    }
  },
)

test('without SIMD it says so, with the same numbers', async ({ page, explainer }) => {
  // Workers have no init scripts: the Worker's own file is told that only the empty module validates.
  await page.route(/worker[^/]*\.js$/, async (route) => {
    const answer = await route.fetch()
    const scalar = 'WebAssembly.validate = (bytes) => bytes.byteLength <= 8;\n'
    await route.fulfill({ response: answer, body: scalar + (await answer.text()) })
  })
  await explainer.openWhole()
  await expect(page.getByText(/no WebAssembly SIMD/)).toBeVisible()
  expect(Math.abs((await explainer.readout()) - 0.49)).toBeLessThanOrEqual(0.03)
})

test('a lost Worker is said and started again; text and view are kept', async ({
  page,
  explainer,
}) => {
  await explainer.openWhole(look({ text: sentence, layer: 5, head: 11, token: 8 }))
  const [worker] = page.workers()
  if (!worker) throw new Error('the page: expected a worker; received none')
  await worker.evaluate(() => {
    setTimeout(() => close())
  })
  await explainer.text.press('End')
  await explainer.text.pressSequentially(' now')
  await expect(page.getByText(/stopped and was started again/)).toBeVisible({ timeout: 15_000 })
  await explainer.tokensEndWith('tired', 'now', '[SEP]')
  await explainer.whole()
  await expect(page.locator('#look-opened-title')).toHaveText('Head 5.11')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(/stopped and was started again/)).toBeHidden()
})

test(
  'a model that does not come: said, and asked for again',
  { tag: '@all' },
  async ({ page, baseURL }) => {
    const explainer = new Explainer(page, baseURL?.replace(/\/$/, ''))
    await page.route(/model\.safetensors/, (route) => route.fulfill({ status: 503, body: '' }))
    await explainer.open(look())
    // With its file and its reason; what waits for it says so too.
    const message = page.getByText(/model\.safetensors: expected .* 503/)
    await expect(message).toBeVisible({ timeout: 20_000 })
    await page.unroute(/model\.safetensors/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await explainer.whole()
    expect(await explainer.readout()).toBeGreaterThan(0.4)
  },
)

test('loading can be stopped and taken up again', { tag: '@all' }, async ({ page, baseURL }) => {
  const slow = await slowSite(baseURL ?? '', 1.5e6)
  try {
    const explainer = new Explainer(page, slow.url)
    await explainer.open()
    await page.getByRole('button', { name: /MiniLM-L6/ }).click()
    await page.getByRole('button', { name: 'Stop loading' }).click()
    await expect(page.getByRole('dialog').getByText(/stopped/)).toBeVisible()
    await page.getByRole('button', { name: 'Load again' }).click()
    await expect(page.getByRole('button', { name: 'Stop loading' })).toBeVisible()
  } finally {
    slow.close()
  }
})

test('storage that is forbidden is not missed', { tag: '@all' }, async ({ page, explainer }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('forbidden', 'SecurityError')
      },
    })
  })
  await explainer.openWhole()
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test(
  'with reduced motion the heads jump to their new order',
  { tag: '@all' },
  async ({ page, explainer }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await explainer.openWhole()
    await page.getByRole('button', { name: /^Order by/ }).click()
    await page.getByRole('menuitemradio', { name: /distance looked/ }).click()
    const moving = await page.evaluate(() => document.getAnimations().length)
    expect(moving).toBe(0)
  },
)
