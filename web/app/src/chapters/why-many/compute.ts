// Chapter 2's numbers, by the kernels: one row with a score raised, and a layer's attention as one
// wide head, as its own heads, and as the mean of their maps.
import type { Runtime, TensorLike } from 'headwise'
import { headTensors, type Projections } from '../../figures/projections'

export interface RowInput {
  projections: Projections
  head: number
  query: number
  /** The key whose score is raised, and by how much; null where nothing is. */
  raised: { key: number; by: number } | null
}

/** One row of a head: scores as the head has them, weights before and after the raise. */
export interface RowResult {
  scores: Float32Array
  before: Float32Array
  after: Float32Array
}

/** The real query and keys again; the raise is a bias on one score, added before softmax. */
export async function budgetRow(hw: Runtime, input: RowInput): Promise<RowResult> {
  const { projections, head, query, raised } = input
  const { size, headDim } = projections
  const [queries, keys, values] = headTensors(projections, head)
  const start = query * headDim
  const one: TensorLike = {
    data: queries.data.slice(start, start + headDim),
    dims: [1, 1, 1, headDim],
  }
  const asked = { returnScores: 'scaled', returnWeights: true } as const
  const plain = await hw.attention(one, keys, values, asked)
  if (!plain.scores || !plain.weights) throw new Error('attention: expected scores and weights')
  const before = { scores: plain.scores.data, before: plain.weights.data }
  if (!raised) return { ...before, after: plain.weights.data }
  const bias = new Float32Array(size)
  bias[raised.key] = raised.by
  const mask = { data: bias, dims: [1, 1, 1, size] }
  const { weights } = await hw.attention(one, keys, values, { ...asked, mask })
  if (!weights) throw new Error('attention: expected weights')
  return { ...before, after: weights.data }
}

/**
 * The weights of one softmax over the layer's concatenated queries and keys, [S, S]: scale
 * 1 / sqrt(heads * headDim). Our construction, not a trained model.
 */
export async function wideMap(hw: Runtime, projections: Projections): Promise<Float32Array> {
  const { size, heads, headDim, query, key, value } = projections
  const packed = (data: Float32Array): TensorLike => ({ data, dims: [1, size, heads * headDim] })
  const { weights } = await hw.attention(packed(query), packed(key), packed(value), {
    numHeads: 1,
    returnWeights: true,
  })
  if (!weights) throw new Error('attention: expected weights')
  return weights.data
}

/** Mean of a layer's maps, [heads, S, S] to [S, S]. */
export function meanMap(pattern: Float32Array, heads: number): Float32Array {
  const cells = pattern.length / heads
  const mean = new Float32Array(cells)
  for (let cell = 0; cell < cells; cell++) {
    let total = 0
    for (let head = 0; head < heads; head++) total += pattern[head * cells + cell] ?? 0
    mean[cell] = total / heads
  }
  return mean
}

/** For every key of a row: the largest weight that any head gives it, and which head. */
export function mostOfRow(
  pattern: Float32Array,
  heads: number,
  size: number,
  query: number,
): { weights: Float32Array; heads: number[] } {
  const weights = new Float32Array(size)
  const which = new Array<number>(size).fill(0)
  for (let head = 0; head < heads; head++) {
    for (let key = 0; key < size; key++) {
      const weight = pattern[(head * size + query) * size + key] ?? 0
      if (weight > (weights[key] ?? 0)) {
        weights[key] = weight
        which[key] = head
      }
    }
  }
  return { weights, heads: which }
}
