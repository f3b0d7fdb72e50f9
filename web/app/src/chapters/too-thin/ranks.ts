// What singular values say of a matrix: how many are not nothing, and how many hold nearly all of it.
// Pure.

/** NumPy's matrix_rank for float32: values above max(m, n) times the rounding of the largest one. */
export function numericalRank(values: ArrayLike<number>, size: number): number {
  const least = (values[0] ?? 0) * size * 2 ** -23
  let rank = 0
  while (rank < values.length && (values[rank] ?? 0) > least) rank++
  return rank
}

/** What part of the sum of squares is nearly all of it. */
export const bulkShare = 0.99

/** How many of the largest values hold 99 % of the sum of squares. */
export function bulkRank(values: ArrayLike<number>): number {
  const squares = Array.from(values, (value) => value * value)
  const all = squares.reduce((sum, square) => sum + square, 0)
  let rank = 0
  let held = 0
  while (rank < squares.length && held < bulkShare * all) held += squares[rank++] ?? 0
  return rank
}

/** Lengths at which the rank of the first tokens is looked at: doubling, with the whole at the end. */
export function lengthsUpTo(size: number, headDim: number): number[] {
  const steps = [2, 4, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, headDim, headDim + 1, size]
  return [...new Set(steps)].filter((each) => each <= size && each > 1).sort((a, b) => a - b)
}

/** The first `length` rows and columns of a square matrix. */
export function leading(matrix: Float32Array, size: number, length: number): Float32Array {
  const part = new Float32Array(length * length)
  for (let row = 0; row < length; row++) {
    part.set(matrix.subarray(row * size, row * size + length), row * length)
  }
  return part
}
