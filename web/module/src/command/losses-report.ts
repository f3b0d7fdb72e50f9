// What `headwise-analyze --losses` prints and writes.
import type {
  HeadImportance,
  LossChanges,
  PruningCurve,
  PruningCurves,
} from '../types/head-importance.js'
import { columns } from './report.js'

type Cell = string | number

const digits = (value = NaN) => (Number.isNaN(value) ? '-' : value.toFixed(3))

/** Of curves the mean, the lowest and the highest loss at a point. */
function spread(curves: readonly PruningCurve[], point: number): number[] {
  const losses = curves.map(({ loss }) => loss[point] ?? NaN)
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length
  return [mean, Math.min(...losses), Math.max(...losses)]
}

/** Of all heads by rows of attentions: how many change the loss for sure, then the loss as they go. */
export function lossesReport(importance: HeadImportance, pruning: PruningCurves): string {
  const { attentions, change, low, high, base } = importance
  const [, heads = 1] = change.dims
  const isSure = (i: number) => (low.data[i] ?? NaN) > 0 || (high.data[i] ?? NaN) < 0
  const sure = [...change.data.keys()].filter(isSure).length
  const rows = attentions.map((name, row) => {
    const own = [...change.data.subarray(row * heads, (row + 1) * heads)]
    const count = own.filter((_, head) => isSure(row * heads + head)).length
    return [name, count, digits(Math.max(...own)), digits(Math.min(...own))]
  })
  const { importance: ordered, random } = pruning
  const points = Array.from(ordered.pruned, (gone, point) => [
    gone,
    digits(ordered.loss[point]),
    ...(random.length === 0 ? [] : spread(random, point).map(digits)),
    ...(ordered.exactMatch === undefined ? [] : [digits(ordered.exactMatch[point])]),
  ])
  const gone = ['heads gone', 'by importance']
  if (random.length > 0) gone.push('random, mean', 'lowest', 'highest')
  if (ordered.exactMatch !== undefined) gone.push('exact match')
  return [
    `loss ${digits(base.loss)} (${digits(base.low)} to ${digits(base.high)}) over ${base.losses.length} samples of the report half\n`,
    `${sure} of ${change.data.length} heads change it, by intervals of 95 %\n\n`,
    columns([['attention', 'heads that do', 'largest change', 'smallest'], ...rows]),
    '\n',
    columns([gone, ...points]),
  ].join('')
}

/** Leave one out, then every point of every curve and every attention without its heads. */
export function lossesRows(importance: HeadImportance, pruning: PruningCurves): Cell[][] {
  const { attentions, change, low, high, exactMatch } = importance
  const [, heads = 1] = change.dims
  const value = (list: Float32Array | undefined, i: number): Cell => {
    const number = list?.[i] ?? NaN
    return Number.isNaN(number) ? '' : number
  }
  const alone = Array.from(change.data, (_, i): Cell[] => [
    'leave one out',
    attentions[Math.floor(i / heads)] ?? '',
    i % heads,
    importance.base.loss + (change.data[i] ?? NaN),
    value(low.data, i),
    value(high.data, i),
    value(exactMatch?.change.data, i),
  ])
  const lines = (
    name: string,
    changes: LossChanges,
    labels: ArrayLike<Cell>,
    kept: ArrayLike<Cell>,
  ) =>
    Array.from(changes.loss, (_, i): Cell[] => [
      name,
      labels[i] ?? '',
      kept[i] ?? '',
      value(changes.loss, i),
      value(changes.changeLow, i),
      value(changes.changeHigh, i),
      value(changes.exactMatch, i),
    ])
  const { random, layers, keepOne } = pruning
  return [
    [
      'experiment',
      'attention or heads gone',
      'head',
      'loss',
      'change low',
      'change high',
      'exact match',
    ],
    ...alone,
    ...lines('by importance', pruning.importance, pruning.importance.pruned, []),
    ...random.flatMap((curve, i) => lines(`random ${i}`, curve, curve.pruned, [])),
    ...lines('all gone', layers, attentions, []),
    ...lines('all but one gone', keepOne, attentions, keepOne.head),
  ]
}
