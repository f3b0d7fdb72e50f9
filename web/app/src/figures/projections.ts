// Queries, keys and values of one layer, and single heads of them in the shape that the attention op
// takes. Pure; where they come from is runtime/projections.ts.
import type { TensorLike } from 'headwise'

export interface Projections {
  layer: number
  /** S */
  size: number
  heads: number
  headDim: number
  /** [S, heads, headDim] each. */
  query: Float32Array
  key: Float32Array
  value: Float32Array
}

/** One head of [S, heads, headDim], as [S, headDim]. */
export function headValues(
  values: Float32Array,
  head: number,
  heads: number,
  headDim: number,
): Float32Array {
  const size = values.length / (heads * headDim)
  const one = new Float32Array(size * headDim)
  for (let place = 0; place < size; place++) {
    const start = (place * heads + head) * headDim
    one.set(values.subarray(start, start + headDim), place * headDim)
  }
  return one
}

/** Query, key and value of one head, [1, 1, S, headDim] each. */
export function headTensors(from: Projections, head: number): [TensorLike, TensorLike, TensorLike] {
  const { size, heads, headDim } = from
  const tensor = (values: Float32Array): TensorLike => ({
    data: headValues(values, head, heads, headDim),
    dims: [1, 1, size, headDim],
  })
  return [tensor(from.query), tensor(from.key), tensor(from.value)]
}
