// The tiny layer: 3 tokens, d_model 4, two heads of d_k 2, small whole numbers, no biases. Made up so
// that a reader can check it with a pencil. Pure.
import {
  cellName,
  rowsOf,
  tinyMatrixIds,
  tinyShape,
  type TinyEdits,
  type TinyMatrix,
} from '../../state/tinyCells'
import type { LayerWeights } from './layer'

/** As they are written on paper: [rows, columns], one matrix for both heads. */
const numbers: Record<TinyMatrix, readonly (readonly number[])[]> = {
  x: [
    [1, 0, 2, 0],
    [0, 1, 0, 2],
    [1, 1, 1, 0],
  ],
  q: [
    [1, 0, 0, 1],
    [0, 1, 1, 0],
    [1, 0, 0, 0],
    [0, 0, 1, 1],
  ],
  k: [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [1, 1, 0, -1],
    [1, 0, 1, 1],
  ],
  v: [
    [1, 2, 0, 0],
    [0, 1, 1, 0],
    [0, 0, 2, 1],
    [1, 0, 0, 1],
  ],
  o: [
    [1, 0, 0, 1],
    [0, 1, 1, 0],
    [1, 0, -1, 0],
    [0, 1, 0, 2],
  ],
}

export const tinyLabels = ['a', 'b', 'c'] as const

/** A matrix with the reader's changes, row after row. */
export function tinyMatrix(matrix: TinyMatrix, edits: TinyEdits): Float32Array {
  const rows = numbers[matrix].slice(0, rowsOf(matrix))
  return Float32Array.from(
    rows.flatMap((row, r) => row.map((value, c) => edits[cellName(matrix, r, c)] ?? value)),
  )
}

/** Whether a cell stands as it was made. */
export function isOriginal(
  matrix: TinyMatrix,
  row: number,
  column: number,
  value: number,
): boolean {
  return numbers[matrix][row]?.[column] === value
}

/** The cells that differ from those that were made. */
export function withEdit(
  edits: TinyEdits,
  matrix: TinyMatrix,
  row: number,
  column: number,
  value: number,
): TinyEdits {
  const name = cellName(matrix, row, column)
  const others = Object.entries(edits).filter(([each]) => each !== name)
  const own = isOriginal(matrix, row, column, value) ? [] : [[name, value] as const]
  return Object.fromEntries([...others, ...own])
}

/** [dModel, heads * headDim] as [heads, dModel, headDim]. */
function byHeads(matrix: Float32Array): Float32Array {
  const { dModel, heads, headDim } = tinyShape
  return Float32Array.from({ length: matrix.length }, (_, i) => {
    const [head, row] = [Math.floor(i / (dModel * headDim)), Math.floor(i / headDim) % dModel]
    return matrix[row * heads * headDim + head * headDim + (i % headDim)] ?? NaN
  })
}

export function tinyWeights(edits: TinyEdits): LayerWeights {
  const { dModel, heads, headDim } = tinyShape
  const [, query, key, value, output] = tinyMatrixIds.map((id) => tinyMatrix(id, edits)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  return {
    dModel,
    heads,
    headDim,
    query: byHeads(query),
    key: byHeads(key),
    value: byHeads(value),
    biases: null,
    output, // its rows are those of the heads, one after the other
    outputBias: null,
  }
}
