// Heads made for the ends of the scale: a turned copy of a head, two halves of it that have nothing in
// common, a head that reads only what it does not, and chance. Pure; matrices are row-major.
import type { Vectors } from './vectors'

/** Uniform numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const seed = 610

/** The same columns in another order, turned round and doubled: to both measures the same head. */
export function turned({ data, width }: Vectors): Vectors {
  const copy = data.map((_, cell) => {
    const column = cell % width
    return -2 * (data[cell - column + ((column + 1) % width)] ?? 0)
  })
  return { data: copy, width }
}

/** The rows in another order, by chance. */
export function shuffled({ data, width }: Vectors): Vectors {
  const next = uniform(seed)
  const rows = Array.from({ length: data.length / width }, (_, row) => row)
  for (let last = rows.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1))
    ;[rows[last], rows[other]] = [rows[other] ?? 0, rows[last] ?? 0]
  }
  const moved = new Float32Array(data.length)
  rows.forEach((from, to) => {
    moved.set(data.subarray(from * width, (from + 1) * width), to * width)
  })
  return { data: moved, width }
}

/** Principal components in turn: two heads whose outputs are uncorrelated. */
export function halves(scores: Float32Array, components: number): readonly [Vectors, Vectors] {
  const half = (parity: number): Vectors => ({
    data: scores.map((value, cell) => ((cell % components) % 2 === parity ? value : 0)),
    width: components,
  })
  return [half(0), half(1)]
}

/** Normal numbers: a head that reads by chance. */
export function chance(rows: number, width: number): Vectors {
  const next = uniform(seed)
  const data = Float32Array.from({ length: rows * width }, () => {
    return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  })
  return { data, width }
}

/** What is left of each column outside the span of `basis`, whose columns are orthonormal. */
export function outside({ data, width }: Vectors, basis: Vectors): Vectors {
  const rows = data.length / width
  const left = Float64Array.from(data)
  // Twice, for what rounding leaves of the first time.
  for (let round = 0; round < 2; round++) {
    for (let k = 0; k < basis.width; k++) {
      for (let column = 0; column < width; column++) {
        let product = 0
        for (let row = 0; row < rows; row++) {
          product += (left[row * width + column] ?? 0) * (basis.data[row * basis.width + k] ?? 0)
        }
        for (let row = 0; row < rows; row++) {
          left[row * width + column] =
            (left[row * width + column] ?? 0) - product * (basis.data[row * basis.width + k] ?? 0)
        }
      }
    }
  }
  return { data: Float32Array.from(left), width }
}

/** Two heads beside each other, [S, 2, width]. */
export function two(a: Vectors, b: Vectors): { data: Float32Array; dims: readonly number[] } {
  const { width } = a
  const size = a.data.length / width
  const data = new Float32Array(2 * a.data.length)
  for (let row = 0; row < size; row++) {
    data.set(a.data.subarray(row * width, (row + 1) * width), 2 * row * width)
    data.set(b.data.subarray(row * width, (row + 1) * width), (2 * row + 1) * width)
  }
  return { data, dims: [size, 2, width] }
}
