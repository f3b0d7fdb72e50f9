// What chapter 3 shows, as a part of the view, and its form in the address. Pure.
import { cellsFrom, cellsText, type TinyEdits } from './tinyCells'

/** The moments of the layer, in order; the second of the four steps has three. */
export const stageIds = ['project', 'scores', 'weights', 'values', 'concat', 'output'] as const
export type StageId = (typeof stageIds)[number]

export const projections = ['query', 'key', 'value'] as const
export type Projection = (typeof projections)[number]

/** The layer of the model, or a made-up one small enough to be checked by hand. */
export const layerIds = ['model', 'tiny'] as const
export type LayerId = (typeof layerIds)[number]

export const matrixIds = [
  'x',
  'projection',
  'bias',
  'query',
  'key',
  'value',
  'mask',
  'scores',
  'weights',
  'z',
  'concat',
  'outputMatrix',
  'outputBias',
  'output',
] as const
export type MatrixId = (typeof matrixIds)[number]

/** A cell of one of the matrices on screen. */
export interface Cell {
  matrix: MatrixId
  row: number
  column: number
}

export interface StepsView {
  layer: LayerId
  stage: StageId
  /** Which of the three projections the first step shows. */
  part: Projection
  /** One big matrix cut in slices, instead of the head's own. */
  whole: boolean
  causal: boolean
  /** The cell whose sum is shown; null stands for one of the fixed token's row. */
  cell: Cell | null
  /** Head and query token of the tiny layer. */
  tinyHead: number
  tinyToken: number
  /** What the reader has changed in the tiny layer. */
  edits: TinyEdits
}

export const defaultSteps: StepsView = {
  layer: 'model',
  stage: 'project',
  part: 'query',
  whole: false,
  causal: false,
  cell: null,
  tinyHead: 0,
  tinyToken: 2,
  edits: {},
}

function oneOf<T extends string>(allowed: readonly T[], value: string | null, otherwise: T): T {
  return allowed.find((each) => each === value) ?? otherwise
}

/** `scores.3.7` */
function cellFrom(text: string | null): Cell | null {
  const [, name = '', row, column] = /^([a-zA-Z]+)\.(\d{1,4})\.(\d{1,4})$/.exec(text ?? '') ?? []
  const matrix = matrixIds.find((id) => id === name)
  return matrix === undefined ? null : { matrix, row: Number(row), column: Number(column) }
}

function digit(text: string | null, most: number, otherwise: number): number {
  const value = /^\d$/.test(text ?? '') ? Number(text) : otherwise
  return value <= most ? value : otherwise
}

export function parseSteps(given: URLSearchParams): StepsView {
  const { layer, stage, part, tinyHead, tinyToken } = defaultSteps
  return {
    layer: oneOf(layerIds, given.get('preset'), layer),
    stage: oneOf(stageIds, given.get('stage'), stage),
    part: oneOf(projections, given.get('part'), part),
    whole: given.get('whole') === '1',
    causal: given.get('masked') === '1',
    cell: cellFrom(given.get('cell')),
    tinyHead: digit(given.get('tinyhead'), 1, tinyHead),
    tinyToken: digit(given.get('tinytoken'), 2, tinyToken),
    edits: cellsFrom(given.get('edits')),
  }
}

/** Where the chapter is open the step is always named; the rest where it differs from the default. */
export function writeSteps(view: StepsView, open: boolean, query: URLSearchParams): void {
  const put = (name: string, value: string | number, usual: string | number): void => {
    if (value !== usual) query.set(name, String(value))
  }
  put('preset', view.layer, defaultSteps.layer)
  put('stage', view.stage, open ? '' : defaultSteps.stage)
  put('part', view.part, defaultSteps.part)
  put('whole', Number(view.whole), 0)
  put('masked', Number(view.causal), 0)
  if (view.cell) {
    query.set('cell', `${view.cell.matrix}.${String(view.cell.row)}.${String(view.cell.column)}`)
  }
  put('tinyhead', view.tinyHead, defaultSteps.tinyHead)
  put('tinytoken', view.tinyToken, defaultSteps.tinyToken)
  put('edits', cellsText(view.edits), '')
}
