// The moments of the layer as equations between matrices, and where every number of them comes from.
// Pure: the layer's numbers in, matrices and sums out.
import type { Cell, MatrixId, Projection, StageId } from '../../state/stepsView'
import type { LayerNumbers } from './layer'
import { transposed, viewOf, type Matrix } from './matrix'

/** What of the layer is looked at. */
export interface Focus {
  stage: StageId
  part: Projection
  whole: boolean
  head: number
}

/** How many of these an axis counts. */
export type Axis = 'tokens' | 'model' | 'head' | 'heads' | 'one'

/** One matrix of an equation, or what stands between two of them. */
export type Item =
  | {
      kind: 'matrix'
      id: MatrixId
      letter: string
      upper: string
      lower: string
      axes: [rows: Axis, columns: Axis]
    }
  | { kind: 'sign'; text: string }
export type MatrixItem = Extract<Item, { kind: 'matrix' }>

const sign = (text: string): Item => ({ kind: 'sign', text })

function matrix(
  id: MatrixId,
  [letter, upper, lower]: [letter: string, upper: string, lower: string],
  axes: [Axis, Axis],
): Item {
  return { kind: 'matrix', id, letter, upper, lower, axes }
}

const letters: Record<Projection, string> = { query: 'Q', key: 'K', value: 'V' }

/** The equation of a stage, from left to right; the result comes last. */
export function equationOf(layer: LayerNumbers, focus: Focus): Item[] {
  const head = String(focus.head)
  const { headDim, biases, outputBias } = layer.weights
  switch (focus.stage) {
    case 'project': {
      const letter = letters[focus.part]
      const axis: Axis = focus.whole ? 'heads' : 'head'
      const lower = focus.whole ? '' : head
      return [
        matrix('x', ['X', '', ''], ['tokens', 'model']),
        sign('×'),
        matrix('projection', ['W', letter, lower], ['model', axis]),
        ...(biases ? [sign('+'), matrix('bias', ['b', letter, lower], ['one', axis])] : []),
        sign('='),
        matrix(focus.part, [letter, '', lower], ['tokens', axis]),
      ]
    }
    case 'scores':
      return [
        matrix('query', ['Q', '', head], ['tokens', 'head']),
        sign('×'),
        matrix('key', ['K', 'T', head], ['head', 'tokens']),
        sign(`÷ √${String(headDim)}`),
        ...(layer.causal ? [sign('+'), matrix('mask', ['M', '', ''], ['tokens', 'tokens'])] : []),
        sign('='),
        matrix('scores', ['S', '', head], ['tokens', 'tokens']),
      ]
    case 'weights':
      return [
        sign('softmax'),
        matrix('scores', ['S', '', head], ['tokens', 'tokens']),
        sign('='),
        matrix('weights', ['A', '', head], ['tokens', 'tokens']),
      ]
    case 'values':
      return [
        matrix('weights', ['A', '', head], ['tokens', 'tokens']),
        sign('×'),
        matrix('value', ['V', '', head], ['tokens', 'head']),
        sign('='),
        matrix('z', ['Z', '', head], ['tokens', 'head']),
      ]
    case 'concat':
      return [
        matrix('z', ['Z', '', head], ['tokens', 'head']),
        sign('→'),
        matrix('concat', ['Z', '', ''], ['tokens', 'heads']),
      ]
    case 'output':
      return [
        matrix('concat', ['Z', '', ''], ['tokens', 'heads']),
        sign('×'),
        matrix('outputMatrix', ['W', 'O', ''], ['heads', 'model']),
        ...(outputBias ? [sign('+'), matrix('outputBias', ['b', 'O', ''], ['one', 'model'])] : []),
        sign('='),
        matrix('output', ['O', '', ''], ['tokens', 'model']),
      ]
  }
}

/** What the stage makes. */
export function resultOf({ stage, part }: Pick<Focus, 'stage' | 'part'>): MatrixId {
  const results: Record<StageId, MatrixId> = {
    project: part,
    scores: 'scores',
    weights: 'weights',
    values: 'z',
    concat: 'concat',
    output: 'output',
  }
  return results[stage]
}

/** Whether a matrix holds all heads side by side, so that its columns (or rows) are cut by head. */
function holdsAllHeads(id: MatrixId, { stage, whole }: Focus): boolean {
  if (id === 'concat' || id === 'outputMatrix') return true
  return whole && stage === 'project' && id !== 'x'
}

/** The numbers of a matrix of the equation, as it is shown. */
export function matrixOf(layer: LayerNumbers, id: MatrixId, focus: Focus): Matrix {
  const { tokens, weights } = layer
  const { dModel, heads, headDim } = weights
  const width = heads * headDim
  const all = holdsAllHeads(id, focus)
  const from = all ? 0 : focus.head * headDim
  const columns = all ? width : headDim
  const perToken = (data: Float32Array) => viewOf(data, [tokens, columns], from, [width, 1])
  const square = (data: Float32Array) =>
    viewOf(data, [tokens, tokens], focus.head * tokens * tokens, [tokens, 1])
  switch (id) {
    case 'x':
      return viewOf(layer.x, [tokens, dModel], 0, [dModel, 1])
    case 'projection': {
      const data = weights[focus.part]
      return {
        rows: dModel,
        columns,
        at: (row, column) => {
          const [head, inner] = [Math.floor((from + column) / headDim), (from + column) % headDim]
          return data[(head * dModel + row) * headDim + inner] ?? NaN
        },
      }
    }
    case 'bias':
      return viewOf(weights.biases?.[focus.part] ?? new Float32Array(width), [1, columns], from, [
        width,
        1,
      ])
    case 'query':
    case 'value':
      return perToken(layer[id])
    case 'key':
      return focus.stage === 'scores' ? transposed(perToken(layer.key)) : perToken(layer.key)
    case 'mask':
      return {
        rows: tokens,
        columns: tokens,
        at: (row, column) => (column > row ? -Infinity : 0),
      }
    case 'scores':
      return square(layer.scores)
    case 'weights':
      return square(layer.pattern)
    case 'z':
    case 'concat':
      return perToken(layer.z)
    case 'outputMatrix':
      return viewOf(weights.output, [width, dModel], 0, [dModel, 1])
    case 'outputBias':
      return viewOf(weights.outputBias ?? new Float32Array(dModel), [1, dModel], 0, [dModel, 1])
    case 'output':
      return viewOf(layer.output, [tokens, dModel], 0, [dModel, 1])
  }
}

/** Whether there is such a cell on screen. */
export function hasCell(layer: LayerNumbers, cell: Cell, focus: Focus): boolean {
  const shown = equationOf(layer, focus).some(
    (item) => item.kind === 'matrix' && item.id === cell.matrix,
  )
  if (!shown) return false
  const { rows, columns } = matrixOf(layer, cell.matrix, focus)
  return cell.row < rows && cell.column < columns
}
