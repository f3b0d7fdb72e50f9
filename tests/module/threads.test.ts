// The builds with threads: the same bits on any number of them, memory that a device refuses, places
// that have no threads, and that nothing outlives the runtime.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { RuntimeOptions } from 'headwise'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { core, entrances, worker, withoutWorker, type AnyRuntime } from './support/runtimes.js'
import { filled, noise } from './support/tensors.js'

const one = filled([1, 1, 1, 1], 1)

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A call of the op and a layer, large enough to be cut into pieces. */
async function results(hw: AnyRuntime): Promise<Float32Array[]> {
  const tensor = noise([1, 5, 200, 16])
  const { output } = await hw.attention(tensor, tensor, tensor, { causal: true })
  const weight = noise([48, 48])
  const weights = { query: weight, key: weight, value: weight, output: weight }
  const layer = await hw.createMultiHeadAttention({ dModel: 48, numHeads: 6, weights })
  const { output: layerOutput } = await layer.forward(noise([1, 150, 48]))
  layer.dispose()
  return [output.data, layerOutput.data]
}

describe.each(['threads', 'threads-relaxed'] as const)('%s', (build) => {
  test('the same bits on any number of threads', async () => {
    let expected: Float32Array[] | undefined
    for (const threads of [1, 2, 3, 8]) {
      const hw = await core.open({ build, threads })
      expect(hw.info.threads).toBe(threads)
      const got = await results(hw)
      hw.dispose()
      expected ??= got
      expect(got).toEqual(expected)
    }
  })

  test('the same bits as the build without them', async () => {
    const plain = await core.open({ build: build === 'threads' ? 'simd' : 'relaxed' })
    const hw = await core.open({ build, threads: 3 })
    expect(await results(hw)).toEqual(await results(plain))
    plain.dispose()
    hw.dispose()
  })
})

test.each(entrances)('$name: as many threads as asked for, none with one', async ({ open }) => {
  const three = await open({ threads: 3 })
  expect(three.info).toMatchObject({ build: 'threads-relaxed', threads: 3 })
  three.dispose()
  const single = await open({ threads: 1 })
  expect(single.info).toMatchObject({ build: 'relaxed', threads: 1 })
  single.dispose()
})

describe('memory', () => {
  test('more than allowed is an error, and the next call works', async () => {
    const hw = await core.open({ threads: 2, maximumMemory: 64 << 20 })
    const large = noise([1, 4, 2048, 64])
    const attempt = async () => hw.attention(large, large, large, { returnWeights: true })
    await expect(attempt).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' })
    expect((await hw.attention(one, one, one)).output.data).toEqual(one.data)
    expect(hw.info.memory).toMatchObject({ used: 0 })
    expect(hw.info.memory.reserved).toBeLessThanOrEqual(64 << 20)
    hw.dispose()
  })

  test('it grows as calls need it', async () => {
    const hw = await core.open({ threads: 2 })
    const { reserved } = hw.info.memory
    const large = noise([1, 8, 1024, 256])
    const { output } = await hw.attention(large, large, large)
    expect(output.data.length).toBe(large.data.length)
    expect(hw.info.memory.reserved).toBeGreaterThan(reserved)
    hw.dispose()
  })

  /** A device that gives shared memory of at most so many pages of 64 KiB. */
  function stubMemory(most: number): void {
    class Memory extends WebAssembly.Memory {
      constructor(limits: WebAssembly.MemoryDescriptor) {
        if ((limits.maximum ?? 0) > most) throw new RangeError('could not allocate memory')
        super(limits)
      }
    }
    vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Memory: { value: Memory } }))
  }

  test('a device that refuses is asked for less, which it says once', async () => {
    stubMemory(20_000)
    const onWarning = vi.fn()
    const hw = await core.open({ threads: 2, onWarning })
    expect(hw.info.threads).toBe(2)
    expect((await hw.attention(one, one, one)).output.data).toEqual(one.data)
    hw.dispose()
    expect(onWarning.mock.calls).toEqual([[expect.stringMatching(/1024 of 4096 MiB/)]])
  })

  test('a device that gives none gets one thread, which it says once', async () => {
    stubMemory(0)
    const onWarning = vi.fn()
    const hw = await core.open({ threads: 2, onWarning })
    expect(hw.info).toMatchObject({ build: 'relaxed', threads: 1 })
    hw.dispose()
    expect(onWarning.mock.calls).toEqual([[expect.stringMatching(/one thread/)]])
    const named = core.open({ build: 'threads', threads: 2 })
    await expect(named).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' })
  })
})

describe.each([
  ["a page's main thread", { document: { baseURI: 'http://localhost/' } }, 'main thread'],
  ['a page that is not isolated', { crossOriginIsolated: false }, 'Cross-Origin-Opener-Policy'],
  ['an engine that cannot share memory', { SharedArrayBuffer: undefined }, 'isolated'],
])('on %s', (_place, globals, word) => {
  test.each([core, withoutWorker])('$name: no threads, and why', async ({ open }) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    const hw = await open()
    expect(hw.info).toMatchObject({ build: 'relaxed', threads: 1 })
    hw.dispose()
    const named = open({ build: 'threads' })
    await expect(named).rejects.toMatchObject({ code: 'UNSUPPORTED', argument: 'build' })
    await expect(open({ build: 'threads' })).rejects.toThrow(word)
  })
})

describe('the WebAssembly file', () => {
  const path = (build: string) =>
    fileURLToPath(import.meta.resolve(`headwise/wasm/headwise-${build}.wasm`))

  test.each([
    ['its name', { wasm: path('threads'), threads: 2 }],
    ['the option', { wasm: path('threads'), build: 'threads', threads: 2 }],
  ] satisfies [string, RuntimeOptions][])('of a threads build, by %s', async (_by, options) => {
    const hw = await core.open(options)
    expect(hw.info).toMatchObject({ build: 'threads', threads: 2 })
    expect((await hw.attention(one, one, one)).output.data).toEqual(one.data)
    hw.dispose()
  })

  test('of another build is an error, and ends the threads', async () => {
    const before = threadsOfProcess()
    const wrong = core.open({ build: 'threads', threads: 4, wasm: path('simd') })
    await expect(wrong).rejects.toMatchObject({ code: 'UNSUPPORTED', argument: 'wasm' })
    await expect.poll(threadsOfProcess).toBeLessThanOrEqual(before)
  })
})

/** How many threads the process has, as Linux tells. */
function threadsOfProcess(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0
}

test.each([core, worker])('$name: disposing ends all threads', async ({ open }) => {
  const before = threadsOfProcess()
  const runtimes = await Promise.all([open({ threads: 4 }), open({ threads: 4 })])
  if (process.platform === 'linux') expect(threadsOfProcess()).toBeGreaterThanOrEqual(before + 6)
  const tensor = noise([1, 4, 100, 16])
  for (const hw of runtimes) {
    await hw.attention(tensor, tensor, tensor)
    hw.dispose()
  }
  await expect.poll(threadsOfProcess, { timeout: 10_000 }).toBeLessThanOrEqual(before)
})

test('idle threads do not keep Node from ending', () => {
  const script = fileURLToPath(new URL('./fixtures/leaves-threads.mjs', import.meta.url))
  const flags = process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd'] : []
  const { stdout, status } = spawnSync(process.execPath, [...flags, script], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  expect({ stdout, status }).toEqual({ stdout: '3 3\n', status: 0 })
})
