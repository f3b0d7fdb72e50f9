// Nothing leaks: thousands of mixed calls, failing ones among them, leave the WebAssembly memory as
// it was after the first hundred, and no object behind.
import { HeadwiseError, type KeyValueCacheOptions, type LatentAttentionInputs } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { core, usedMemory, worker, type AnyRuntime } from './support/runtimes.js'
import { filled, noise } from './support/tensors.js'

const lengths = [1, 3, 17]
const width = 8

/** One call of each kind; `length` makes it a small or a larger one. */
const calls: ((hw: AnyRuntime, length: number) => Promise<void>)[] = [
  async (hw, length) => {
    const x = noise([2, 2, length, width], length)
    const headMask = [1, 0]
    await hw.attention(x, x, x, { causal: true, returnWeights: true, softcap: 5, headMask })
  },
  async (hw, length) => {
    const x = noise([1, 2, length, width], length)
    const mask = noise([length, 2 * length], length)
    await hw.attention(x, x, x, { pastKey: x, pastValue: x, mask, returnScores: 'biased' })
  },
  async (hw, length) => {
    const x = noise([2, 2, length, width], length)
    const bad = filled([2, 2, 5, width - 1], 0)
    await refused('key', () => hw.attention(x, bad, bad))
    await refused('mask', () => hw.attention(x, x, x, { mask: filled([length + 1], 0) }))
  },
  async (hw) => {
    // Scores of some 140 MB, more than the module may take.
    const x = filled([1, 1, 6000, 1], 0)
    await refused('scores', () => hw.attention(x, x, x, { returnScores: 'scaled' }))
  },
  async (hw, length) => {
    const sizes: KeyValueCacheOptions = { batch: 1, kvHeads: 2, headDim: width, capacity: length }
    const x = noise([1, 2, length, width], length)
    const cache = await hw.createKeyValueCache(sizes)
    await hw.attention(x, x, x, { cache, causal: true })
    await refused('cache', () => hw.attention(x, x, x, { cache }))
    await cache.keys()
    await cache.truncate(0)
    cache.dispose()
    await refused('cache', () => hw.attention(x, x, x, { cache }))
    await refused('capacity', () => hw.createKeyValueCache({ ...sizes, capacity: 1e9 }))
  },
  async (hw, length) => {
    const x = noise([2, length, width], length)
    const matrix = noise([width, width])
    const weights = { query: matrix, key: matrix, value: matrix, output: matrix }
    const layer = await hw.createMultiHeadAttention({
      dModel: width,
      numHeads: 2,
      weights,
      rotary: {},
      alibi: true,
    })
    await layer.forward(x, { returnHeads: true, returnWeights: true })
    await refused('key', () => layer.forward(x, { value: x }))
    await refused('query', () => layer.forward(filled([1, 1, width + 1], 0)))
    layer.dispose()
    await refused('weights.key', () =>
      hw.createMultiHeadAttention({
        dModel: width,
        numHeads: 2,
        weights: { ...weights, key: filled([width + 1, width], 0) },
      }),
    )
  },
  async (hw, length) => {
    const inputs: LatentAttentionInputs = {
      queryNope: noise([1, 2, length, 4]),
      queryRope: noise([1, 2, length, 2]),
      latent: noise([1, length, 5]),
      keyRope: noise([1, length, 2]),
      weights: { uk: noise([2, 5, 4]), uv: noise([2, 5, 3]) },
    }
    await hw.latentAttention(inputs, { form: 'expanded', causal: true })
    await hw.latentAttention(inputs, { form: 'absorbed', returnWeights: true })
    const bad = { ...inputs, keyRope: filled([1, length + 1, 2], 0) }
    await refused('keyRope', () => hw.latentAttention(bad))
  },
]

async function refused(argument: string, call: () => unknown): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (error instanceof HeadwiseError && error.argument === argument) return
    throw error
  }
  throw new Error(`a call with a bad ${argument} is not refused`)
}

async function mixedCall(hw: AnyRuntime, index: number): Promise<void> {
  const call = calls[index % calls.length]
  await call?.(hw, lengths[Math.floor(index / calls.length) % lengths.length] ?? 1)
}

/** What lies beneath the runtime of `headwise/core`. */
interface Beneath {
  engine: { bindings: Record<string, unknown>; blocks(): number }
}

/** Objects made of the classes that the bindings export, and not deleted yet. */
function countObjects(bindings: Record<string, unknown>): { live: number } {
  const count = { live: 0 }
  for (const [name, made] of Object.entries(bindings)) {
    const prototype: unknown = typeof made === 'function' ? made.prototype : undefined
    if (typeof prototype !== 'object' || prototype === null || !('delete' in prototype)) continue
    bindings[name] = new Proxy(made as new () => { delete(): void }, {
      construct(target) {
        const object = new target()
        const deleteObject = object.delete.bind(object)
        object.delete = () => {
          deleteObject()
          count.live--
        }
        count.live++
        return object
      },
    })
  }
  return count
}

describe.each([
  { ...core, rounds: 10_000 },
  { ...worker, rounds: 1_000 },
])('$name', ({ open, rounds }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open({ maximumMemory: 64 * 2 ** 20 })
  })
  afterAll(() => hw.dispose())

  test(`${rounds} mixed calls leave the memory flat`, async () => {
    for (let i = 0; i < 100; i++) await mixedCall(hw, i)
    expect(await usedMemory(hw)).toBe(0)
    const { reserved, peak } = hw.info.memory
    for (let i = 100; i < rounds; i++) await mixedCall(hw, i)
    expect(await usedMemory(hw)).toBe(0)
    expect(hw.info.memory).toEqual({ used: 0, peak, reserved })
  })
})

test('every object behind a handle is deleted', async () => {
  const hw = await core.open({ maximumMemory: 64 * 2 ** 20 })
  const { engine } = hw as unknown as Beneath
  // The operations that these calls leave idle serve all the later ones.
  for (let i = 0; i < calls.length; i++) await mixedCall(hw, i)
  const objects = countObjects(engine.bindings)
  const cache = await hw.createKeyValueCache({ batch: 1, kvHeads: 1, headDim: 1, capacity: 1 })
  expect(objects.live).toBe(1)
  for (let i = 0; i < 10 * calls.length; i++) await mixedCall(hw, i)
  expect(objects.live).toBe(1)
  cache.dispose()
  expect(objects.live).toBe(0)
  expect(engine.blocks()).toBe(0)
  hw.dispose()
})
