// Matrices as the figure sees them: sizes and numbers by row and column, whatever their layout. Pure.

export interface Matrix {
  rows: number
  columns: number
  at: (row: number, column: number) => number
}

/** A part of row-major numbers: where it begins, and how far apart rows and columns are. */
export function viewOf(
  data: Float32Array,
  [rows, columns]: readonly [number, number],
  start: number,
  [rowStride, columnStride]: readonly [number, number],
): Matrix {
  return {
    rows,
    columns,
    at: (row, column) => data[start + row * rowStride + column * columnStride] ?? NaN,
  }
}

export function transposed({ rows, columns, at }: Matrix): Matrix {
  return { rows: columns, columns: rows, at: (row, column) => at(column, row) }
}

/** Length of a vector. */
export function norm(vector: Float32Array): number {
  let squares = 0
  for (const part of vector) squares += part * part
  return Math.sqrt(squares)
}

/** Lengths of the vectors of `width` numbers that stand one after another. */
export function norms(vectors: Float32Array, width: number): Float32Array {
  const count = Math.floor(vectors.length / width)
  return Float32Array.from({ length: count }, (_, place) =>
    norm(vectors.subarray(place * width, (place + 1) * width)),
  )
}

/**
 * The magnitude that all but a share of the finite numbers stay below: a few outliers would leave a
 * large matrix pale.
 */
export function magnitudeAt({ rows, columns, at }: Matrix, share: number): number {
  const magnitudes = Float32Array.from({ length: rows * columns }, (_, i) =>
    Math.abs(at(Math.floor(i / columns), i % columns)),
  )
    .filter(Number.isFinite)
    .sort()
  return magnitudes[Math.floor((magnitudes.length - 1) * share)] ?? 0
}

/** The largest magnitude among the finite numbers; 0 where there are none. */
export function largest({ rows, columns, at }: Matrix): number {
  let most = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const magnitude = Math.abs(at(row, column))
      if (magnitude > most && Number.isFinite(magnitude)) most = magnitude
    }
  }
  return most
}
