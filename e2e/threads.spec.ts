// The module itself in Chromium, unbundled: which build it takes with and without cross-origin
// isolation, in its own Worker, in a Worker of the user's and on the page's thread, what it does on a
// host that lacks the threads' scripts, and that models load.
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect, test, type Page } from '@playwright/test'

import { serve } from '../scripts/serve.mjs'

/** As much of the module as is called in the page. */
interface Runtime {
  info: { build: string; threads: number }
  attention(...tensors: unknown[]): Promise<{ output: { data: Float32Array } }>
  loadModel(address: URL): Promise<{
    run(text: string): Promise<{ tokens: string[]; output: { dims: number[] } }>
  }>
  dispose(): void
}
interface Outcome {
  build: string
  threads: number
  output: number
  warnings: string[]
  error: string
}

const ownWorker = `
import { createRuntime } from './module/core/index.js'
const hw = await createRuntime({ threads: 2 })
const one = { data: Float32Array.of(1), dims: [1, 1, 1, 1] }
const { output } = hw.attention(one, one, one)
postMessage({ ...hw.info, output: output.data[0] })
hw.dispose()
`

let folder = ''

test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'headwise-'))
  cpSync('web/module/dist', path.join(folder, 'module'), { recursive: true })
  cpSync('web/module/dist', path.join(folder, 'incomplete'), {
    recursive: true,
    filter: (file) => !/thread(-relaxed)?\.js$/.test(file),
  })
  symlinkSync(path.resolve('web/models'), path.join(folder, 'models'))
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Headwise</title>')
  writeFileSync(path.join(folder, 'own-worker.js'), ownWorker)
})
test.afterAll(() => {
  rmSync(folder, { recursive: true })
})

async function openPage(page: Page, isolation: boolean) {
  const server = await serve({ folder, port: 0, isolation })
  await page.goto(server.url)
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolation)
  return server
}

/** Makes a runtime from that file of the module, computes and disposes of it. */
function compute(page: Page, file: string, options: object = {}): Promise<Outcome> {
  return page.evaluate(
    async ([address, given]) => {
      const outcome: Outcome = { build: '', threads: 0, output: 0, warnings: [], error: '' }
      const { createRuntime } = (await import(`${location.origin}/${address}`)) as {
        createRuntime: (options: object) => Promise<Runtime>
      }
      const onWarning = (message: string) => outcome.warnings.push(message)
      try {
        const hw = await createRuntime({ ...given, onWarning })
        const one = { data: Float32Array.of(1), dims: [1, 1, 1, 1] }
        const { output } = await hw.attention(one, one, one)
        Object.assign(outcome, { ...hw.info, output: output.data[0] })
        hw.dispose()
      } catch (error) {
        outcome.error = String(error)
      }
      return outcome
    },
    [file, options] as const,
  )
}

test('a page that is isolated gets threads, in a Worker', async ({ page }) => {
  const server = await openPage(page, true)
  try {
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
  } finally {
    await server.close()
  }
})

test("the page's own thread computes alone, and says why", async ({ page }) => {
  const server = await openPage(page, true)
  try {
    const done = await compute(page, 'module/core/index.js', { threads: 3 })
    expect(done).toMatchObject({ build: 'relaxed', threads: 1, output: 1, warnings: [] })
    const { error } = await compute(page, 'module/core/index.js', { build: 'threads' })
    expect(error).toContain("a page's main thread")
  } finally {
    await server.close()
  }
})

test('a page that is not isolated gets one thread, and says what would give more', async ({
  page,
}) => {
  const server = await openPage(page, false)
  try {
    for (const file of ['module/index.js', 'module/core/index.js']) {
      const done = await compute(page, file, { threads: 3 })
      expect(done).toMatchObject({ build: 'relaxed', threads: 1, output: 1, warnings: [] })
    }
    const { error } = await compute(page, 'module/index.js', { build: 'threads' })
    expect(error).toContain('Cross-Origin-Opener-Policy')
  } finally {
    await server.close()
  }
})

test('a host without the scripts of the threads: one thread and one warning', async ({ page }) => {
  const server = await openPage(page, true)
  try {
    const done = await compute(page, 'incomplete/index.js', { threads: 3 })
    expect(done).toMatchObject({ build: 'relaxed', threads: 1, output: 1 })
    expect(done.warnings).toEqual([expect.stringContaining('thread-relaxed.js')])
    const { error } = await compute(page, 'incomplete/index.js', { build: 'threads', threads: 3 })
    expect(error).toContain('thread.js')
  } finally {
    await server.close()
  }
})

test('a model loads and runs in a page without a bundler', async ({ page }) => {
  const server = await openPage(page, true)
  try {
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
  } finally {
    await server.close()
  }
})
