// The key/value cache through every entrance.
import { beforeAll, afterAll, describe, expect, test } from 'vitest'

import { configurations, core, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { noise } from './support/tensors.js'

const sizes = { batch: 2, kvHeads: 2, headDim: 4, valueHeadDim: 3, capacity: 9 }
const query = noise([2, 4, 6, 4], 1)
const key = noise([2, 2, 6, 4], 2)
const value = noise([2, 2, 6, 3], 3)

/** Positions [first, end) of a tensor [B, H, S, D]. */
function slice(
  tensor: { data: Float32Array; dims: readonly number[] },
  first: number,
  end: number,
) {
  const [batch = 0, heads = 0, length = 0, width = 0] = tensor.dims
  const rows: number[] = []
  for (let head = 0; head < batch * heads; head++) {
    const start = head * length * width
    rows.push(...tensor.data.subarray(start + first * width, start + end * width))
  }
  return { data: Float32Array.from(rows), dims: [batch, heads, end - first, width] }
}

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())

  test('token by token equals one causal pass', async () => {
    const whole = await hw.attention(query, key, value, { causal: true })
    const cache = await hw.createKeyValueCache(sizes)
    for (const [first, end] of [
      [0, 1],
      [1, 4],
      [4, 6],
    ] as const) {
      const [q, k] = [slice(query, first, end), slice(key, first, end)]
      const v = slice(value, first, end)
      const { output } = await hw.attention(q, k, v, { cache, causal: true })
      const expected = slice(whole.output, first, end)
      expect(output.dims).toEqual(expected.dims)
      output.data.forEach((number, i) => expect(number).toBeCloseTo(expected.data[i] ?? NaN, 5))
      expect(cache.length).toBe(end)
    }
    expect((await cache.keys()).data).toEqual(key.data)
    expect((await cache.values()).data).toEqual(value.data)
    cache.dispose()
    expect((await hw.attention(query, key, value)).output.dims).toEqual([2, 4, 6, 3])
    expect(await usedMemory(hw)).toBe(0)
  })

  test('a full cache is an error that appends nothing', async () => {
    const cache = await hw.createKeyValueCache(sizes)
    await hw.attention(query, key, value, { cache })
    const error = await Promise.resolve()
      .then(() => hw.attention(query, key, value, { cache }))
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'cache' })
    for (const word of ['9', '6']) expect((error as Error).message).toContain(word)
    expect(cache.length).toBe(6)
    await cache.truncate(3)
    expect(cache.length).toBe(3)
    await cache.reset()
    expect(cache.length).toBe(0)
    cache.dispose()
  })

  test.each([
    ['batch', { ...sizes, batch: 0 }],
    ['capacity', { ...sizes, capacity: 2.5 }],
    ['headDim', { ...sizes, headDim: undefined }],
    ['options.valueDim', { ...sizes, valueDim: 3 }],
  ])('sizes are judged: %s', async (argument, given) => {
    await expect(async () => hw.createKeyValueCache(given as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    })
  })

  test('more than fits into memory is an error', async () => {
    const huge = { ...sizes, capacity: 2 ** 40 }
    await expect(async () => hw.createKeyValueCache(huge)).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
    })
  })

  test('a disposed cache, and one of another runtime, are refused', async () => {
    const cache = await hw.createKeyValueCache(sizes)
    cache.dispose()
    cache.dispose()
    await expect(async () => hw.attention(query, key, value, { cache })).rejects.toMatchObject({
      code: 'DISPOSED',
      argument: 'cache',
    })
    expect(() => cache.length).toThrow('disposed')
    const other = await core.open()
    const foreign = await other.createKeyValueCache(sizes)
    await expect(async () =>
      hw.attention(query, key, value, { cache: foreign }),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'cache' })
    other.dispose()
  })
})
