// What belongs to an int8 matrix: in which order, of which shape.
import { describe, expect, test } from 'vitest'

import { WeightLoader, type ParameterSink } from '../../../web/module/dist/model/weights.js'
import type { StoredArray } from '../support/safetensors.js'

const whole: Record<string, StoredArray> = {
  weight: { dtype: 'I8', dims: [2, 3], array: Int8Array.of(1, -2, 3, 4, 0, -6) },
  weight_outlier_positions: { dtype: 'I32', dims: [1, 2], array: Int32Array.of(1, 1) },
  weight_outliers: { dtype: 'F32', dims: [1], array: Float32Array.of(9.5) },
  weight_scale: { dtype: 'F32', dims: [2], array: Float32Array.of(0.5, 0.25) },
}

/** The calls that reach the sink, as lists of their arguments. */
function load(tensors: Record<string, StoredArray | undefined>): unknown[][] {
  const calls: unknown[][] = []
  const refuse = () => {
    throw new Error('only int8 matrices are expected')
  }
  const sink: ParameterSink = {
    setFloats: refuse,
    setRows: refuse,
    setRowsInt8: refuse,
    setInt8: (...parameters) => calls.push(parameters),
    parameter: refuse,
  }
  const loader = new WeightLoader(sink, (name) =>
    name === 'weight' ? { parameter: 'own' } : undefined,
  )
  for (const [name, tensor] of Object.entries(tensors)) {
    if (tensor === undefined) continue
    const { dtype, dims, array } = tensor
    loader.add({ name, dtype, dims, bytes: new Uint8Array(array.slice().buffer) })
  }
  return calls
}

test('the scales complete a matrix, with the outliers before them', () => {
  const outliers = { positions: Int32Array.of(1, 1), values: Float32Array.of(9.5) }
  const [values, scales] = [whole['weight']?.array, whole['weight_scale']?.array]
  expect(load(whole)).toEqual([['own', values, scales, [2, 3], outliers]])
  const without = { weight: whole['weight'], weight_scale: whole['weight_scale'] }
  expect(load(without)).toEqual([['own', values, scales, [2, 3], undefined]])
})

test('what belongs to a matrix that is not used is passed over', () => {
  const others = Object.entries(whole).map(([name, tensor]) => [`pooler.${name}`, tensor] as const)
  expect(load(Object.fromEntries(others))).toEqual([])
})

describe('anything else is an error that names the tensor', () => {
  const { weight, weight_outlier_positions, weight_outliers, weight_scale } = whole
  const other = (name: string, change: Partial<StoredArray>) => ({
    ...whole,
    [name]: { ...(whole[name] as StoredArray), ...change },
  })
  test.each([
    ['outliers behind the scales', 'weight_outliers', { weight, weight_scale, weight_outliers }],
    ['scales without a matrix', 'weight_scale', { weight_scale }],
    [
      'positions without outliers',
      'weight_outlier_positions',
      { weight, weight_outlier_positions, weight_scale },
    ],
    ['outliers without positions', 'weight_outliers', { weight, weight_outliers, weight_scale }],
    [
      'fewer scales than rows',
      'weight_scale',
      other('weight_scale', { dims: [1], array: Float32Array.of(1) }),
    ],
    [
      'more positions than outliers',
      'weight_outlier_positions',
      other('weight_outlier_positions', { dims: [2, 2], array: Int32Array.of(0, 0, 1, 1) }),
    ],
    [
      'positions of another type',
      'weight_outlier_positions',
      other('weight_outlier_positions', { dtype: 'F32' }),
    ],
  ])('%s', (_, name, tensors) => {
    expect(() => load(tensors)).toThrow(
      expect.objectContaining({ code: 'CORRUPT_FILE', argument: name }),
    )
  })
})
