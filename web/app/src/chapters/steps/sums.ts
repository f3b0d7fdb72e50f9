// How one number of the layer came to be, with its real operands. Pure.
import { softmaxTerms, type SoftmaxTerms } from '../../figures/measures'
import type { Cell, MatrixId } from '../../state/stepsView'
import type { LayerNumbers } from './layer'
import type { Matrix } from './matrix'
import { matrixOf, type Focus } from './stages'

/** A row, a column or both of a matrix that a number is made of. */
export interface Source {
  matrix: MatrixId
  row: number | null
  column: number | null
}

export type Sum =
  /** Learned, or handed over by the layer before. */
  | { kind: 'given'; value: number; sources: Source[] }
  /** sum of left * right, divided, with a bias. */
  | {
      kind: 'products'
      left: readonly number[]
      right: readonly number[]
      /** Divided by the square root of it. */
      root: number | null
      bias: number | null
      value: number
      /** What the operands come to in double precision. */
      total: number
      sources: Source[]
    }
  /** A key that the mask hides. */
  | { kind: 'hidden'; value: number; sources: Source[] }
  | { kind: 'softmax'; terms: SoftmaxTerms; value: number; sources: Source[] }
  /** The number of a head's z, in its place among those of all heads. */
  | { kind: 'moved'; head: number; column: number; value: number; sources: Source[] }

const rowOf = ({ columns, at }: Matrix, row: number): number[] =>
  Array.from({ length: columns }, (_, column) => at(row, column))
const columnOf = ({ rows, at }: Matrix, column: number): number[] =>
  Array.from({ length: rows }, (_, row) => at(row, column))

interface Product {
  left: Matrix
  right: Matrix
  row: number
  column: number
  root?: number
  bias?: number | undefined
  value: number
  sources: Source[]
}

function product({ left, right, row, column, root, bias, value, sources }: Product): Sum {
  const [a, b] = [rowOf(left, row), columnOf(right, column)]
  let total = 0
  for (const [i, number] of a.entries()) total += number * (b[i] ?? NaN)
  total = total / Math.sqrt(root ?? 1) + (bias ?? 0)
  return {
    kind: 'products',
    left: a,
    right: b,
    root: root ?? null,
    bias: bias ?? null,
    value,
    total,
    sources,
  }
}

const row = (matrix: MatrixId, place: number): Source => ({ matrix, row: place, column: null })
const column = (matrix: MatrixId, place: number): Source => ({ matrix, row: null, column: place })

/** The sum behind a cell. A number that was made in an earlier stage explains itself from there. */
export function sumOf(layer: LayerNumbers, cell: Cell, focus: Focus): Sum {
  const value = matrixOf(layer, cell.matrix, focus).at(cell.row, cell.column)
  const shown = (id: MatrixId, at: Focus = focus): Matrix => matrixOf(layer, id, at)
  switch (cell.matrix) {
    case 'x':
    case 'projection':
    case 'bias':
    case 'outputMatrix':
    case 'outputBias':
    case 'mask':
      return { kind: 'given', value, sources: [] }
    case 'query':
    case 'key':
    case 'value': {
      const turned = cell.matrix === 'key' && focus.stage === 'scores'
      const [token, place] = turned ? [cell.column, cell.row] : [cell.row, cell.column]
      const own = focus.stage === 'project'
      const at: Focus = { ...focus, stage: 'project', part: cell.matrix, whole: own && focus.whole }
      return product({
        left: shown('x', at),
        right: shown('projection', at),
        row: token,
        column: place,
        bias: layer.weights.biases ? shown('bias', at).at(0, place) : undefined,
        value,
        sources: own ? [row('x', token), column('projection', place), column('bias', place)] : [],
      })
    }
    case 'scores': {
      const operands = [row('query', cell.row), column('key', cell.column)]
      const added: Source = { matrix: 'mask', row: cell.row, column: cell.column }
      const sources = layer.causal ? [...operands, added] : operands
      if (value === -Infinity) return { kind: 'hidden', value, sources }
      const at: Focus = { ...focus, stage: 'scores' }
      return product({
        left: shown('query', at),
        right: shown('key', at),
        row: cell.row,
        column: cell.column,
        root: layer.weights.headDim,
        value,
        sources: focus.stage === 'scores' ? sources : [],
      })
    }
    case 'weights': {
      const sources = focus.stage === 'weights' ? [row('scores', cell.row)] : []
      const scores = shown('scores')
      if (scores.at(cell.row, cell.column) === -Infinity) return { kind: 'hidden', value, sources }
      const terms = softmaxTerms(Float32Array.from(rowOf(scores, cell.row)), cell.column)
      return { kind: 'softmax', terms, value, sources }
    }
    case 'z':
      return product({
        left: shown('weights', { ...focus, stage: 'values' }),
        right: shown('value', { ...focus, stage: 'values' }),
        row: cell.row,
        column: cell.column,
        value,
        sources:
          focus.stage === 'values' ? [row('weights', cell.row), column('value', cell.column)] : [],
      })
    case 'concat': {
      const { headDim } = layer.weights
      const head = Math.floor(cell.column / headDim)
      const place = cell.column % headDim
      const here = focus.stage === 'concat' && head === focus.head
      const sources = here ? [{ matrix: 'z', row: cell.row, column: place } as const] : []
      return { kind: 'moved', head, column: place, value, sources }
    }
    case 'output':
      return product({
        left: shown('concat'),
        right: shown('outputMatrix'),
        row: cell.row,
        column: cell.column,
        bias: layer.weights.outputBias?.[cell.column],
        value,
        sources: [
          row('concat', cell.row),
          column('outputMatrix', cell.column),
          column('outputBias', cell.column),
        ],
      })
  }
}
