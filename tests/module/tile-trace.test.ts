// The trace of attention by tiles, through every entrance and build, against NumPy in float64.
import { readdirSync, readFileSync } from 'node:fs'

import type { Tensor, TensorLike, TileTrace } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { configurations, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { noise } from './support/tensors.js'

interface GoldenTensor {
  dims: number[]
  /** null stands for -Infinity. */
  data: (number | null)[]
}
interface Golden {
  inputs: Record<'query' | 'key' | 'value', GoldenTensor>
  options: { queryTile: number; keyTile: number; causal: boolean; scale?: number }
  expect: Record<keyof TileTrace, GoldenTensor>
}

const folder = new URL('../golden/tile-trace/', import.meta.url)
const cases = readdirSync(folder).map((name) => ({
  name,
  golden: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Golden,
}))

const tensorOf = ({ dims, data }: GoldenTensor): TensorLike => ({
  dims,
  data: Float32Array.from(data, (value) => value ?? -Infinity),
})

/** Relative to the largest magnitude of the tensor. */
function expectNear(name: string, got: Tensor, golden: GoldenTensor): void {
  expect(got.dims, name).toEqual(golden.dims)
  const expected = tensorOf(golden).data
  const largest = Math.max(...expected.map((x) => (Number.isFinite(x) ? Math.abs(x) : 0)))
  for (const [place, value] of got.data.entries()) {
    const wanted = expected[place] ?? NaN
    if (!Number.isFinite(wanted)) expect(value, `${name}[${place}]`).toBe(wanted)
    else expect(Math.abs(value - wanted), `${name}[${place}]`).toBeLessThanOrEqual(3e-6 * largest)
  }
}

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())

  test.each(cases)('$name', async ({ golden }) => {
    const [query, key, value] = [
      tensorOf(golden.inputs.query),
      tensorOf(golden.inputs.key),
      tensorOf(golden.inputs.value),
    ]
    const trace = await hw.traceTiles(query, key, value, golden.options)
    for (const name of Object.keys(golden.expect) as (keyof TileTrace)[]) {
      expectNear(name, trace[name], golden.expect[name])
    }
    expect(await usedMemory(hw)).toBe(0)
  })

  test.each([
    ['queryTile', { queryTile: 0, keyTile: 2 }],
    ['keyTile', { queryTile: 2, keyTile: 1.5 }],
    ['options.tile', { queryTile: 2, keyTile: 2, tile: 3 }],
    ['causal', { queryTile: 2, keyTile: 2, causal: 1 }],
    ['options', undefined],
  ])('bad options are refused by name: %s', async (argument, options) => {
    const x = noise([4, 2])
    await expect(async () => hw.traceTiles(x, x, x, options as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    })
  })

  test('tensors that do not fit are refused by name, and the next call works', async () => {
    const x = noise([4, 2])
    const options = { queryTile: 2, keyTile: 2 }
    for (const [argument, tensors] of [
      ['query', [noise([1, 4, 2]), x, x]],
      ['key', [x, noise([4, 3]), x]],
      ['value', [x, x, noise([3, 2])]],
    ] as const) {
      await expect(async () => hw.traceTiles(...tensors, options)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        argument,
      })
    }
    expect((await hw.traceTiles(x, x, x, options)).output.dims).toEqual([4, 2])
    expect(await usedMemory(hw)).toBe(0)
  })
})
