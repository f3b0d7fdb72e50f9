// The module in Chromium when things go wrong: a .wasm file that is not there or not what it should
// be, no SIMD, no memory, a Worker that is killed in the middle of a call. The error says what to
// look at, and the next call works.
import { expect, test, type Page, type Route } from '@playwright/test'

import { compute, moduleFolder, onPage, type Runtime } from './module'

const entrances = ['module/index.js', 'module/core/index.js']

let host = { folder: '', remove: (): void => undefined }
test.beforeAll(() => {
  host = moduleFolder()
})
test.afterAll(() => host.remove())

const open = (page: Page, isolation: boolean, work: (url: string) => Promise<void>) =>
  onPage(page, { folder: host.folder, isolation }, work)

/** Puts `code` before the Worker's own: Workers have no init scripts. */
async function inWorkers(page: Page, code: string): Promise<void> {
  await page.route('**/worker.js', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: code + (await answer.text()) })
  })
}

const html = '<!doctype html><title>Not what you look for</title>'
const answers: [what: string, word: string, answer: (route: Route) => Promise<void>][] = [
  ['404', '404', (route) => route.fulfill({ status: 404, body: 'nothing' })],
  [
    'a page in its place',
    'DOCTYPE',
    (route) => route.fulfill({ contentType: 'text/html', body: html.toUpperCase() }),
  ],
  [
    'a page that is called WebAssembly',
    '<!doctype html>',
    (route) => route.fulfill({ contentType: 'application/wasm', body: html }),
  ],
  ['no answer', 'no answer', (route) => route.abort()],
]

for (const [what, word, answer] of answers) {
  const tag = what === '404' ? [] : ['@all']
  test(`the .wasm file: ${what} is an error that names the address`, { tag }, async ({ page }) => {
    await page.context().route('**/*.wasm', answer)
    await open(page, false, async (url) => {
      for (const entrance of entrances) {
        const { error, code } = await compute(page, entrance)
        expect(code).toBe('NETWORK')
        expect(error).toContain(`${url}module/wasm/headwise-relaxed.wasm`)
        expect(error).toContain(word)
      }
    })
  })
}

test(
  'the .wasm file: a host that calls it something else does no harm',
  { tag: '@all' },
  async ({ page }) => {
    await page.context().route('**/*.wasm', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, contentType: 'application/octet-stream' })
    })
    await open(page, true, async () => {
      for (const entrance of entrances) {
        expect(await compute(page, entrance)).toMatchObject({ output: 1, warnings: [], error: '' })
      }
    })
  },
)

test('an engine without SIMD takes the scalar build', async ({ page }) => {
  const noSimd = 'WebAssembly.validate = (bytes) => bytes.byteLength <= 8;\n'
  await inWorkers(page, noSimd)
  await page.addInitScript(noSimd)
  await open(page, true, async () => {
    for (const entrance of entrances) {
      const done = await compute(page, entrance)
      expect(done).toMatchObject({ build: 'scalar', threads: 1, output: 1, warnings: [] })
    }
    const { code, error } = await compute(page, entrances[0] ?? '', { build: 'simd' })
    expect(code).toBe('UNSUPPORTED')
    expect(error).toContain('scalar')
  })
})

/** A device that shares memory of at most so many MiB. */
const shares = (most: number) => `{
  const Memory = WebAssembly.Memory
  WebAssembly.Memory = class extends Memory {
    constructor(limits) {
      if (limits.shared && limits.maximum > ${most * 16}) throw new RangeError('too much')
      super(limits)
    }
  }
}\n`

test(
  'a device that shares little memory is asked for less, which it says once',
  { tag: '@all' },
  async ({ page }) => {
    await inWorkers(page, shares(600))
    await open(page, true, async () => {
      const done = await compute(page, 'module/index.js', { threads: 2 })
      expect(done).toMatchObject({ build: 'threads-relaxed', threads: 2, output: 1 })
      expect(done.warnings).toEqual([expect.stringMatching(/512 of 4096 MiB/)])
    })
  },
)

test(
  'a device that shares none computes on one thread, which it says once',
  { tag: '@all' },
  async ({ page }) => {
    await inWorkers(page, shares(0))
    await open(page, true, async () => {
      const done = await compute(page, 'module/index.js', { threads: 2 })
      expect(done).toMatchObject({ build: 'relaxed', threads: 1, output: 1 })
      expect(done.warnings).toEqual([expect.stringMatching(/one thread/)])
    })
  },
)

for (const isolation of [false, true]) {
  const where = isolation ? 'with threads' : 'on one thread'
  test(`memory that runs out is an error, and the next call works (${where})`, async ({ page }) => {
    await open(page, isolation, async () => {
      for (const entrance of entrances) {
        const outcome = await page.evaluate(async (file) => {
          const { createRuntime } = (await import(`${location.origin}/${file}`)) as {
            createRuntime: (options: object) => Promise<Runtime>
          }
          const hw = await createRuntime({ maximumMemory: 2 ** 26, threads: 2 })
          const filled = (dims: number[]) => {
            const size = dims.reduce((product, dim) => product * dim, 1)
            return { data: new Float32Array(size).fill(1), dims }
          }
          // 8192 x 8192 weights: 256 MiB, four times what the module may take.
          const large = filled([1, 1, 8192, 4])
          const code = await (async () =>
            hw.attention(large, large, large, { returnWeights: true }))()
            .then(() => 'none')
            .catch((error: unknown) => (error as { code: string }).code)
          const small = filled([1, 1, 2, 2])
          const { output } = await hw.attention(small, small, small)
          const { used } = hw.info.memory
          hw.dispose()
          return { code, output: [...output.data], used }
        }, entrance)
        expect(outcome).toEqual({ code: 'OUT_OF_MEMORY', output: [1, 1, 1, 1], used: 0 })
      }
    })
  })

  test(`a Worker killed in the middle of a call is said, and replaced (${where})`, async ({
    page,
  }) => {
    await open(page, isolation, async () => {
      await page.evaluate(async () => {
        const { createRuntime } = (await import(`${location.origin}/module/index.js`)) as {
          createRuntime: (options: object) => Promise<Runtime>
        }
        const hw = await createRuntime({ threads: 2 })
        const cache = await hw.createKeyValueCache({
          batch: 1,
          kvHeads: 1,
          headDim: 1,
          capacity: 1,
        })
        const data = new Float32Array(8 * 16384 * 64)
        const large = { data, dims: [1, 8, 16384, 64] }
        const codeOf = (promise: Promise<unknown>) =>
          promise.then(
            () => 'none',
            (error: unknown) => (error as { code: string }).code,
          )
        const call = codeOf(hw.attention(large, large, large))
        Object.assign(window, { waiting: { hw, cache, call, codeOf } })
      })
      const worker = page.workers().find((each) => each.url().endsWith('/worker.js'))
      if (!worker) throw new Error("the page: expected the module's Worker; received none")
      await worker.evaluate(() => {
        close()
      })
      const outcome = await page.evaluate(async () => {
        const { hw, cache, call, codeOf } = (
          window as unknown as {
            waiting: {
              hw: Runtime
              cache: { keys(): Promise<unknown> }
              call: Promise<string>
              codeOf: (promise: Promise<unknown>) => Promise<string>
            }
          }
        ).waiting
        const [inFlight, handle] = [await call, await codeOf(cache.keys())]
        const one = { data: Float32Array.of(1), dims: [1, 1, 1, 1] }
        const { output } = await hw.attention(one, one, one)
        const { build } = hw.info
        hw.dispose()
        return { inFlight, handle, output: output.data[0], build }
      })
      expect(outcome).toEqual({
        inFlight: 'WORKER_LOST',
        handle: 'WORKER_LOST',
        output: 1,
        build: isolation ? 'threads-relaxed' : 'relaxed',
      })
      await expect.poll(() => page.workers().length).toBe(0)
    })
  })
}
