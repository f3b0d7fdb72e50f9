// The shapes that are measured, and what they cost. Pure.

/** The width and heads of the model on this page. */
export const layer = { dModel: 384, heads: 12, headDim: 32 } as const
/** The width and heads of Vaswani et al. 2017, base. */
export const base = { dModel: 512, heads: 8, headDim: 64 } as const

/** Additions and multiplications of attention itself: scores, and weights times values. */
export function attentionFlops(queries: number, keys: number, dModel: number): number {
  return 4 * queries * keys * dModel
}

/** Those of a whole attention layer: four projections, and attention. */
export function layerFlops(length: number, dModel: number): number {
  return 8 * length * dModel ** 2 + attentionFlops(length, length, dModel)
}

/** Those of a recurrent layer: two products with a matrix for each position. */
export function recurrentFlops(length: number, dModel: number): number {
  return 4 * length * dModel ** 2
}

/** Billions a second, of so many in so many milliseconds. */
export const gigaflops = (flops: number, milliseconds: number): number => flops / milliseconds / 1e6

/** Keys and values that a query has to read. */
export function cacheBytes(length: number, kvHeads: number, headDim: number): number {
  return 4 * 2 * length * kvHeads * headDim
}

/** Queries, keys, values and outputs, each moved once. */
export function operandBytes(length: number, dModel: number): number {
  return 4 * 4 * length * dModel
}
