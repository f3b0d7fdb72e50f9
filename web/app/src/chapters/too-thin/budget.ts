// One layer's width spent as few wide or many thin heads. Pure.

/** Every number of heads that divides the width, with the width of each. */
export function splitsOf(dModel: number): { heads: number; headDim: number }[] {
  return Array.from({ length: dModel }, (_, place) => place + 1)
    .filter((heads) => dModel % heads === 0)
    .map((heads) => ({ heads, headDim: dModel / heads }))
}

/** Numbers in W_Q and W_K together: the same for every split. */
export const parametersOf = (dModel: number): number => 2 * dModel * dModel

/** The divergence of a head of some dimension: that of the pattern's length where it is wider. */
export function divergenceAt(divergences: readonly number[], headDim: number): number {
  return divergences[Math.min(headDim, divergences.length) - 1] ?? NaN
}
