// Chapter 2's numbers, by the kernels: one row with a score raised, and a layer's attention as one
// wide head. What the heads of a layer have together is summed up in together.ts.
import type { AttentionOptions, Runtime, TensorLike } from 'headwise'
import { headTensors, type Projections } from '../../figures/projections'

/** A key whose score is raised, and by how much; lowered where that is negative. */
export interface Raise {
  key: number
  by: number
}

export interface RowInput {
  projections: Projections
  head: number
  query: number
  /** Null where nothing is raised. */
  raised: Raise | null
}

/** One row of a head: scores as the head has them, weights before and after the raise. */
export interface RowResult {
  scores: Float32Array
  before: Float32Array
  after: Float32Array
}

/** The real query and keys again; the raise is a mask that adds to one score before softmax. */
export async function budgetRow(hw: Runtime, input: RowInput): Promise<RowResult> {
  const { projections, head, query, raised } = input
  const { size, headDim } = projections
  const [queries, keys, values] = headTensors(projections, head)
  const start = query * headDim
  const one: TensorLike = {
    data: queries.data.slice(start, start + headDim),
    dims: [1, 1, 1, headDim],
  }
  const rowOf = async (options: AttentionOptions) => {
    const asked = { ...options, returnScores: 'scaled', returnWeights: true } as const
    const { scores, weights } = await hw.attention(one, keys, values, asked)
    if (!scores || !weights) throw new Error('attention: expected scores and weights')
    return { scores: scores.data, weights: weights.data }
  }
  const added = new Float32Array(size)
  if (raised) added[raised.key] = raised.by
  // Asked for together: a drag waits for one answer, not for two.
  const [plain, changed] = await Promise.all([
    rowOf({}),
    raised ? rowOf({ mask: { data: added, dims: [1, 1, 1, size] } }) : null,
  ])
  return { scores: plain.scores, before: plain.weights, after: (changed ?? plain).weights }
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
