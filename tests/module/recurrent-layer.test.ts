// The recurrent layer through every entrance and build, against its definition.
import type { TensorLike } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { configurations, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { noise } from './support/tensors.js'

const [batch, length, inputs, width] = [2, 7, 5, 12]
const weights = {
  input: noise([width, inputs], 1),
  hidden: noise([width, width], 2),
  bias: noise([width], 3),
}
const x = noise([batch, length, inputs], 4)

/** h_t = tanh(W x_t + U h_{t-1} + b), in double precision. */
function reference({ data, dims }: TensorLike): number[] {
  const output: number[] = []
  const at = ({ data }: TensorLike, place: number): number => data[place] ?? NaN
  for (let row = 0; row < (dims[0] ?? 0) * (dims[1] ?? 0); row++) {
    const before = row % (dims[1] ?? 1) === 0 ? null : output.slice(-width)
    const now = Array.from({ length: width }, (_, i) => {
      let sum = at(weights.bias, i)
      for (let j = 0; j < inputs; j++) {
        sum += at(weights.input, i * inputs + j) * (data[row * inputs + j] ?? NaN)
      }
      for (const [j, h] of (before ?? []).entries()) sum += at(weights.hidden, i * width + j) * h
      return Math.tanh(sum)
    })
    output.push(...now)
  }
  return output
}

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())

  test('every position follows from the one before it', async () => {
    const layer = await hw.createRecurrentLayer({ weights })
    const { output } = await layer.forward(x)
    expect(output.dims).toEqual([batch, length, width])
    for (const [place, value] of reference(x).entries()) {
      expect(Math.abs((output.data[place] ?? NaN) - value)).toBeLessThanOrEqual(1e-5)
    }
    layer.dispose()
    await expect(async () => layer.forward(x)).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(await usedMemory(hw)).toBe(0)
  })

  test('no position, no bias: nothing comes out, nothing is kept', async () => {
    const { input, hidden } = weights
    const layer = await hw.createRecurrentLayer({ weights: { input, hidden } })
    const { output } = await layer.forward({ data: new Float32Array(), dims: [1, 0, inputs] })
    expect(output.dims).toEqual([1, 0, width])
    layer.dispose()
    expect(await usedMemory(hw)).toBe(0)
  })

  test.each([
    ['weights.input', { weights: { ...weights, input: noise([width]) } }],
    ['weights.hidden', { weights: { ...weights, hidden: noise([width, inputs]) } }],
    ['weights.bias', { weights: { ...weights, bias: noise([inputs]) } }],
    ['weights.gate', { weights: { ...weights, gate: weights.hidden } }],
    ['weights', {}],
  ])('bad weights are refused by name: %s', async (argument, options) => {
    await expect(async () => hw.createRecurrentLayer(options as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    })
    expect(await usedMemory(hw)).toBe(0)
  })

  test('an input that does not fit is refused, and the next call works', async () => {
    const layer = await hw.createRecurrentLayer({ weights })
    for (const wrong of [noise([length, inputs]), noise([1, length, inputs + 1])]) {
      await expect(async () => layer.forward(wrong)).rejects.toMatchObject({ argument: 'x' })
    }
    expect((await layer.forward(x)).output.dims).toEqual([batch, length, width])
    layer.dispose()
  })
})
