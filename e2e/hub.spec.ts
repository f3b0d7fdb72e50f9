// A model of the hub in a page, here a local server with its paths on two other origins: cold, warm,
// offline, cut and resumed, aborted, and where storage refuses. Nothing is asked that a browser would
// ask leave for first: real hubs do not grant it everywhere.
import { readFileSync } from 'node:fs'

import { expect, test as base, type Page } from '@playwright/test'

import { contentSecurityPolicy, serve } from '../scripts/serve.mjs'
import { HubServer } from '../tests/module/support/hub-server'
import { moduleFolder } from './module'

const names = ['config.json', 'tokenizer.json', 'model.safetensors'] as const
const files = Object.fromEntries(
  names.map((name) => [name, readFileSync(`web/models/minilm-l6/${name}`)]),
) as Record<(typeof names)[number], Buffer>
const model = 'somebody/minilm-l6'
const partBytes = 4 << 20

/** What a page tells of a load. */
interface Outcome {
  tokens: number
  error: string
  code: string
  overall: { loaded: number; total: number }
  warnings: string[]
  used: number
  /** Addresses that are kept. */
  kept: string[]
}

interface LoadOptions {
  worker?: false
  /** Aborts when so many bytes of the weights have come. */
  abortAt?: number
  cache?: boolean
}

/** Loads and runs the model in the page. */
function load(page: Page, endpoint: string, options: LoadOptions = {}): Promise<Outcome> {
  return page.evaluate(
    async ([hub, name, { abortAt, cache, ...runtime }]) => {
      interface Runtime {
        info: { memory: { used: number } }
        loadModel(
          source: string,
          options: object,
        ): Promise<{
          run(text: string): Promise<{ tokens: string[] }>
          dispose(): void
        }>
        attention(...tensors: object[]): Promise<unknown>
        dispose(): void
      }
      const { createRuntime } = (await import(`${location.origin}/module/index.js`)) as {
        createRuntime: (options: object) => Promise<Runtime>
      }
      const warnings: string[] = []
      const onWarning = (message: string) => warnings.push(message)
      const hw = await createRuntime({ build: 'simd', ...runtime, onWarning })
      const abort = new AbortController()
      let overall = { loaded: 0, total: 0 }
      const onProgress = (progress: { file: string; loaded: number; overall: typeof overall }) => {
        overall = progress.overall
        const isFar =
          progress.file === 'model.safetensors' && progress.loaded > (abortAt ?? Infinity)
        if (isFar) abort.abort(new Error('enough'))
      }
      const outcome = { tokens: 0, error: '', code: '' }
      try {
        const given = { signal: abort.signal, onProgress, hub: { endpoint: hub } }
        const loaded = await hw.loadModel(name, cache === undefined ? given : { ...given, cache })
        outcome.tokens = (await loaded.run('the cat sat')).tokens.length
        loaded.dispose()
      } catch (error) {
        const { code } = error as { code?: string }
        Object.assign(outcome, { error: String(error), code: code ?? '' })
      }
      const one = { data: Float32Array.of(1), dims: [1, 1, 1, 1] }
      // What is aborted is given back when the Worker hears of it.
      for (let tries = 0; tries < 50; tries++) {
        await hw.attention(one, one, one)
        if (hw.info.memory.used === 0) break
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const { used } = hw.info.memory
      hw.dispose()
      const keys = (await caches.has('headwise'))
        ? await (await caches.open('headwise')).keys()
        : []
      return { ...outcome, overall, warnings, used, kept: keys.map(({ url }) => url) }
    },
    [endpoint, model, options] as const,
  )
}

/** A page that may ask the hub and its other origin, and the hub. */
const test = base.extend<{ hub: HubServer }>({
  hub: async ({ page }, use) => {
    const hub = await HubServer.start(files)
    const host = moduleFolder()
    const allowed = `connect-src 'self' ${hub.endpoint} ${hub.otherOrigin}`
    const csp = contentSecurityPolicy.replace("connect-src 'self'", allowed)
    const server = await serve({ folder: host.folder, port: 0, csp: csp as never })
    await page.goto(server.url)
    await use(hub)
    await server.close()
    host.remove()
    hub.stop()
  },
})

/** Node's tests have the same of a smaller model. */
const tag = { tag: '@all' }

const whole = { tokens: 5, error: '', warnings: [], used: 0 }

test('cold, warm, a new commit, offline', async ({ page, hub }) => {
  const { endpoint } = hub
  const sum = Object.values(files).reduce((total, { length }) => total + length, 0)
  const cold = await load(page, endpoint)
  expect(cold).toMatchObject({ ...whole, overall: { loaded: sum, total: sum } })
  expect(hub.asked.filter(({ method }) => method === 'OPTIONS')).toEqual([])
  expect(hub.downloads().sort()).toEqual([...names].sort())
  expect(cold.kept.filter((url) => url.endsWith('/about'))).toHaveLength(3)

  hub.asked = []
  expect(await load(page, endpoint)).toMatchObject(whole)
  expect(hub.asked.map(({ method }) => method)).toEqual(['HEAD'])

  const config = JSON.parse(files['config.json'].toString()) as object
  hub.commit({ ...files, 'config.json': JSON.stringify(config) })
  const renewed = await load(page, endpoint)
  expect(renewed).toMatchObject(whole)
  expect(renewed.kept.filter((url) => url.endsWith('/about'))).toHaveLength(3)

  hub.stop()
  expect(await load(page, endpoint)).toMatchObject(whole)
})

test(
  'cut in the middle and resumed, in the same load and in the next',
  tag,
  async ({ page, hub }) => {
    const { endpoint } = hub
    hub.cut = { after: 2 * partBytes + 1000, times: 1 }
    expect(await load(page, endpoint, { cache: false })).toMatchObject({ ...whole, kept: [] })
    const resumed = hub.asked.filter(({ range }) => range !== undefined)
    expect(resumed.map(({ origin }) => origin)).toEqual(['hub', 'cdn'])
    expect(hub.asked.filter(({ method }) => method === 'OPTIONS')).toEqual([])

    const then = () => hub.statuses.set('model.safetensors', { status: 503 })
    hub.cut = { after: 2 * partBytes + 1000, times: 1, then }
    expect(await load(page, endpoint)).toMatchObject({ code: 'NETWORK', used: 0 })
    hub.statuses.clear()
    hub.asked = []
    expect(await load(page, endpoint)).toMatchObject(whole)
    const [first] = hub.asked.filter(({ origin }) => origin === 'cdn')
    expect(Number(/bytes=(\d+)-/.exec(first?.range ?? '')?.[1]) % partBytes).toBe(0)
    expect(first?.range).not.toBeUndefined()
  },
)

test('aborted: the reason, and nothing is kept', async ({ page, hub }) => {
  const { endpoint } = hub
  const aborted = await load(page, endpoint, { abortAt: 2 * partBytes })
  expect(aborted).toMatchObject({ error: 'Error: enough', used: 0 })
  const weights = () =>
    page.evaluate(async () => {
      const keys = await (await caches.open('headwise')).keys()
      return keys.map(({ url }) => url).filter((url) => url.includes('model.safetensors'))
    })
  await expect.poll(weights).toEqual([])
  expect(await load(page, endpoint)).toMatchObject(whole)
})

test(
  'storage that is full: one warning, and the model all the same',
  tag,
  async ({ page, hub }) => {
    await page.evaluate(() => {
      Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    })
    const outcome = await load(page, hub.endpoint, { worker: false })
    expect(outcome).toMatchObject({ tokens: 5, error: '' })
    expect(outcome.warnings).toEqual([expect.stringContaining('QuotaExceededError')])
  },
)
