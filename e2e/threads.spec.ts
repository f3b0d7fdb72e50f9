// The module itself in Chromium, unbundled: which build it takes with and without cross-origin
// isolation, in its own Worker, in a Worker of the user's and on the page's thread, what it does on a
// host that lacks the threads' scripts, and that models load.
import { cpSync } from 'node:fs'
import path from 'node:path'

import { expect, test, type Page } from '@playwright/test'

import { compute, moduleFolder, onPage, type Runtime } from './module'

const ownWorker = `
import { createRuntime } from './module/core/index.js'
const hw = await createRuntime({ threads: 2 })
const one = { data: Float32Array.of(1), dims: [1, 1, 1, 1] }
const { output } = hw.attention(one, one, one)
postMessage({ ...hw.info, output: output.data[0] })
hw.dispose()
`

let host = { folder: '', remove: (): void => undefined }

test.beforeAll(() => {
  host = moduleFolder({ 'own-worker.js': ownWorker })
  cpSync('web/module/dist', path.join(host.folder, 'incomplete'), {
    recursive: true,
    filter: (file) => !/thread\.js$/.test(file),
  })
})
test.afterAll(() => host.remove())

const open = (page: Page, isolation: boolean, work: () => Promise<void>) =>
  onPage(page, { folder: host.folder, isolation }, work)

test('a page that is isolated gets threads, in a Worker', async ({ page }) => {
  await open(page, true, async () => {
    const done = await compute(page, 'module/index.js', { threads: 3 })
    expect(done).toMatchObject({ build: 'threads-relaxed', threads: 3, output: 1, warnings: [] })
    await expect.poll(() => page.workers().length).toBe(0)

    const cores = await page.evaluate(() => Math.min(navigator.hardwareConcurrency, 8))
    expect((await compute(page, 'module/index.js')).threads).toBe(cores)
    expect((await compute(page, 'module/index.js', { threads: 1 })).build).toBe('relaxed')

    const own = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const worker = new Worker('own-worker.js', { type: 'module' })
          worker.addEventListener('message', ({ data }) => {
            worker.terminate()
            resolve(data)
          })
        }),
    )
    expect(own).toMatchObject({ build: 'threads-relaxed', threads: 2, output: 1 })
  })
})

test("the page's own thread computes alone, and says why", async ({ page }) => {
  await open(page, true, async () => {
    const done = await compute(page, 'module/core/index.js', { threads: 3 })
    expect(done).toMatchObject({ build: 'relaxed', threads: 1, output: 1, warnings: [] })
    const { error } = await compute(page, 'module/core/index.js', { build: 'threads' })
    expect(error).toContain("a page's main thread")
  })
})

test('a page that is not isolated gets one thread, and says what would give more', async ({
  page,
}) => {
  await open(page, false, async () => {
    for (const file of ['module/index.js', 'module/core/index.js']) {
      const done = await compute(page, file, { threads: 3 })
      expect(done).toMatchObject({ build: 'relaxed', threads: 1, output: 1, warnings: [] })
    }
    const { error } = await compute(page, 'module/index.js', { build: 'threads' })
    expect(error).toContain('Cross-Origin-Opener-Policy')
  })
})

test('a host without the scripts of the threads: one thread and one warning', async ({ page }) => {
  await open(page, true, async () => {
    const done = await compute(page, 'incomplete/index.js', { threads: 3 })
    expect(done).toMatchObject({ build: 'relaxed', threads: 1, output: 1 })
    expect(done.warnings).toEqual([expect.stringContaining('thread.js')])
    const { error } = await compute(page, 'incomplete/index.js', { build: 'threads', threads: 3 })
    expect(error).toContain('thread.js')
  })
})

test('a model loads and runs in a page without a bundler', async ({ page }) => {
  await open(page, true, async () => {
    const run = await page.evaluate(async () => {
      const { createRuntime } = (await import(`${location.origin}/module/index.js`)) as {
        createRuntime: () => Promise<Runtime>
      }
      const hw = await createRuntime()
      const model = await hw.loadModel(new URL('models/minilm-l6/', location.href))
      const { tokens, output } = await model.run('a cat sat')
      hw.dispose()
      return { tokens, dims: output.dims }
    })
    expect(run).toEqual({ tokens: ['[CLS]', 'a', 'cat', 'sat', '[SEP]'], dims: [1, 5, 384] })
  })
})
