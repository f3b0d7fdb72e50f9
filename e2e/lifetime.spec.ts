// The module's life in a page: importing it does nothing, runtimes do not disturb each other, and what
// is disposed gives its memory back.
import { expect, test, type Page } from '@playwright/test'

import { chromiumLaunchOptions } from '../scripts/lib/chromium.mjs'
import { moduleFolder, onPage, type Runtime } from './module'

// `measureUserAgentSpecificMemory` answers at once and after a collection, instead of in a while.
test.use({
  launchOptions: chromiumLaunchOptions([
    '--enable-blink-features=ForceEagerMeasureMemory',
    '--js-flags=--expose-gc',
  ]),
})

let host = { folder: '', remove: (): void => undefined }
test.beforeAll(() => {
  host = moduleFolder()
})
test.afterAll(() => host.remove())

const open = (page: Page, work: () => Promise<void>) =>
  onPage(page, { folder: host.folder, isolation: true }, work)

test('importing alone fetches code and starts nothing', async ({ page }) => {
  await open(page, async () => {
    const fetched: string[] = []
    page.context().on('request', (request) => fetched.push(new URL(request.url()).pathname))
    for (const file of ['index.js', 'core/index.js']) {
      const names = await page.evaluate(async (name) => {
        const module = (await import(`${location.origin}/module/${name}`)) as object
        return Object.keys(module)
      }, file)
      expect(names).toContain('createRuntime')
    }
    // Time in which something that was started would show.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
    expect(fetched.length).toBeGreaterThan(2)
    expect(fetched.filter((path) => !path.startsWith('/module/'))).toEqual([])
    expect(
      fetched.filter((path) => /\/wasm\/|\/worker\.js|thread\.js|tokenizers/.test(path)),
    ).toEqual([])
    expect(page.workers()).toEqual([])
  })
})

test('two runtimes on one page do not disturb each other', async ({ page }) => {
  await open(page, async () => {
    const outcome = await page.evaluate(async () => {
      const { createRuntime } = (await import(`${location.origin}/module/index.js`)) as {
        createRuntime: (options: object) => Promise<Runtime>
      }
      const [first, second] = await Promise.all([
        createRuntime({ threads: 2 }),
        createRuntime({ build: 'simd' }),
      ])
      const tensor = (value: number) => ({
        data: new Float32Array(4 * 512 * 32).fill(value),
        dims: [1, 4, 512, 32],
      })
      const [one, two] = [tensor(1), tensor(2)]
      const [a, b] = await Promise.all([
        first.attention(one, one, one),
        second.attention(two, two, two),
      ])
      // The first ends while the second computes.
      const late = second.attention(two, two, two)
      first.dispose()
      const c = await late
      const builds = [first.info.build, second.info.build]
      second.dispose()
      return { builds, values: [a, b, c].map(({ output }) => output.data[0]) }
    })
    expect(outcome.builds).toEqual(['threads-relaxed', 'simd'])
    for (const [i, value] of [1, 2, 2].entries()) expect(outcome.values[i]).toBeCloseTo(value, 5)
    await expect.poll(() => page.workers().length).toBe(0)
  })
})

/** Bytes of the page and its Workers after a collection: the median of three. */
function memoryOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const measured = performance as unknown as {
      measureUserAgentSpecificMemory(): Promise<{ bytes: number }>
    }
    const bytes: number[] = []
    while (bytes.length < 3) {
      ;(globalThis as unknown as { gc(): void }).gc()
      bytes.push((await measured.measureUserAgentSpecificMemory()).bytes)
    }
    return bytes.sort((a, b) => a - b)[1] ?? NaN
  })
}

/** Makes a runtime, computes with a model and disposes of it, so many times. */
function cycles(page: Page, file: string, count: number): Promise<number> {
  return page.evaluate(
    async ([address, times]) => {
      const { createRuntime } = (await import(`${location.origin}/${address}`)) as {
        createRuntime: (options: object) => Promise<Runtime>
      }
      let most = 0
      for (let i = 0; i < times; i++) {
        const hw = await createRuntime({ threads: 2 })
        const data = new Float32Array(4 * 512 * 64).fill(1)
        const tensor = { data, dims: [1, 4, 512, 64] }
        await hw.attention(tensor, tensor, tensor)
        most = Math.max(most, hw.info.memory.reserved)
        hw.dispose()
      }
      return most
    },
    [file, count] as const,
  )
}

for (const [name, file] of [
  ['headwise', 'module/index.js'],
  ['headwise/core', 'module/core/index.js'],
] as const) {
  test(`${name}: 50 runtimes give all their memory back`, { tag: '@all' }, async ({ page }) => {
    test.setTimeout(360_000)
    await open(page, async () => {
      // What the first ones bring in to stay: code, compiled and optimized.
      const reserved = await cycles(page, file, 10)
      const start = await memoryOf(page)
      await cycles(page, file, 50)
      await expect.poll(() => page.workers().length).toBe(0)
      // One runtime that stayed would be more than the whole page.
      expect(reserved).toBeGreaterThan(start)
      await expect
        .poll(async () => (await memoryOf(page)) / start, { timeout: 120_000 })
        .toBeLessThan(1.1)
    })
  })
}
