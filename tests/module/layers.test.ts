// Layers through every entrance: what the cases of the conformance runner do not ask.
import { parameterParts, type TensorLike } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { configurations, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { noise } from './support/tensors.js'

const [dModel, numHeads, kvHeads] = [16, 4, 2]
const weights = {
  query: noise([16, dModel], 1),
  key: noise([8, dModel], 2),
  value: noise([8, dModel], 3),
  output: noise([dModel, 16], 4),
  queryBias: noise([16], 5),
  keyBias: noise([8], 6),
  valueBias: noise([8], 7),
  outputBias: noise([dModel], 8),
}
const x = noise([1, 6, dModel], 9)

/** Positions [first, end) of x [1, S, width]. */
function positions(tensor: TensorLike, first: number, end: number): TensorLike {
  const width = tensor.dims[2] ?? 0
  return { data: tensor.data.slice(first * width, end * width), dims: [1, end - first, width] }
}

function expectNear(got: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 2e-5): void {
  expect(got.length).toBe(expected.length)
  const largest = Math.max(...Array.from(got, (value, i) => Math.abs(value - (expected[i] ?? NaN))))
  expect(largest).toBeLessThanOrEqual(tolerance)
}

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())

  test('parameters by part are those that parameterParts counts', async () => {
    const layer = await hw.createMultiHeadAttention({ dModel, numHeads, kvHeads, weights })
    expect(layer.parameters).toEqual(parameterParts({ dModel, numHeads, kvHeads, bias: true }))
    layer.dispose()
    await expect(async () => layer.forward(x)).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(await usedMemory(hw)).toBe(0)
  })

  test.each([
    { rotary: { base: 100 } },
    { rotary: { interleaved: true, dim: 2 } },
    { alibi: true },
  ])('with a cache, in pieces, as in one causal pass: %o', async (position) => {
    const options = { dModel, numHeads, kvHeads, weights, ...position }
    const layer = await hw.createMultiHeadAttention(options)
    const whole = await layer.forward(x, { causal: true })
    const sizes = { batch: 1, kvHeads, headDim: 4, capacity: 6 }
    const cache = await hw.createKeyValueCache(sizes)
    for (const [first, end] of [
      [0, 3],
      [3, 4],
      [4, 6],
    ] as const) {
      const { output } = await layer.forward(positions(x, first, end), { cache, causal: true })
      expectNear(output.data, positions(whole.output, first, end).data)
      expect(cache.length).toBe(end)
    }
    const full = await Promise.resolve()
      .then(() => layer.forward(positions(x, 0, 1), { cache }))
      .catch((error: unknown) => error)
    expect(full).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'cache' })
    expect(cache.length).toBe(6)
    layer.dispose()
    cache.dispose()
    expect(await usedMemory(hw)).toBe(0)
  })

  test.each([
    ['weights.qury', { weights: { ...weights, qury: weights.query } }],
    ['weights.value', { weights: { ...weights, value: undefined } }],
    ['rotary.dimension', { rotary: { dimension: 2 } }],
    ['alibi', { alibi: 'yes' }],
    ['numHeads', { numHeads: 2.5 }],
    ['kvHeads', { kvHeads: 3 }],
  ])('bad options are refused by name: %s', async (argument, changes) => {
    const options = { dModel, numHeads, kvHeads, weights, ...changes }
    await expect(async () => hw.createMultiHeadAttention(options as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    })
    expect(await usedMemory(hw)).toBe(0)
  })

  test('latent attention: both forms of the layer agree', async () => {
    const [nopeDim, ropeDim, valueHeadDim, latentDim] = [4, 2, 3, 5]
    const layer = await hw.createLatentAttention({
      dModel,
      numHeads,
      nopeDim,
      ropeDim,
      valueHeadDim,
      latentDim,
      weights: {
        query: noise([numHeads * 6, dModel], 11),
        latent: noise([latentDim + ropeDim, dModel], 12),
        uk: noise([numHeads, latentDim, nopeDim], 13),
        uv: noise([numHeads, latentDim, valueHeadDim], 14),
        output: noise([dModel, numHeads * valueHeadDim], 15),
      },
    })
    const options = { causal: true, returnWeights: true }
    const expanded = await layer.forward(x, { ...options, form: 'expanded' })
    const absorbed = await layer.forward(x, { ...options, form: 'absorbed' })
    expect(expanded.output.dims).toEqual([1, 6, dModel])
    expect(expanded.weights?.dims).toEqual([1, numHeads, 6, 6])
    expectNear(absorbed.output.data, expanded.output.data)
    expectNear(absorbed.weights?.data ?? [], expanded.weights?.data ?? [])
    layer.dispose()
    expect(await usedMemory(hw)).toBe(0)
  })
})
