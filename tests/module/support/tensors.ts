// Small tensors for tests.
import type { BooleanTensorLike, TensorLike } from 'headwise'

export function sizeOf(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1)
}

/** Reproducible numbers between -1 and 1 that look random (a linear congruential generator). */
export function noise(dims: readonly number[], seed = 1): TensorLike {
  let state = seed >>> 0
  const data = Float32Array.from({ length: sizeOf(dims) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  })
  return { data, dims }
}

export function filled(dims: readonly number[], value: number): TensorLike {
  return { data: new Float32Array(sizeOf(dims)).fill(value), dims }
}

export function booleans(dims: readonly number[], values: readonly number[]): BooleanTensorLike {
  return { data: Uint8Array.from(values), dims }
}
