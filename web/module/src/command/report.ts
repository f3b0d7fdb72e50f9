// What `headwise-analyze` prints and writes, out of what it measured.
import { roleDirections } from '../model/head-analysis.js'
import type { CoreferenceScores, HeadRoles, RelationScores } from '../types/head-roles.js'
import type { Tensor } from '../types/tensor.js'

type Cell = string | number

const digits = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2))

function at({ data, dims }: Tensor, layer: number, head: number): number {
  return data[layer * (dims[1] ?? 0) + head] ?? NaN
}

function largest({ data, dims: [, heads = 1] }: Tensor): { layer: number; head: number } {
  const best = data.reduce((most, value, i) => (value > (data[most] ?? NaN) ? i : most), 0)
  return { layer: Math.floor(best / heads), head: best % heads }
}

/** Rows as text in columns. */
export function columns(rows: readonly (readonly Cell[])[]): string {
  const widths = (rows[0] ?? []).map((_, c) => Math.max(...rows.map((row) => `${row[c]}`.length)))
  const line = (row: readonly Cell[]) =>
    row.map((cell, c) => `${cell}`[c === 0 ? 'padEnd' : 'padStart'](widths[c] ?? 0)).join('  ')
  return rows.map((row) => `${line(row)}\n`).join('')
}

function best(scores: RelationScores): Cell[] {
  const { layer, head } = scores.best
  const of = (tensor: Tensor) => digits(at(tensor, layer, head))
  return [
    `${layer}.${head}`,
    of(scores.accuracy),
    `${of(scores.low)}-${of(scores.high)}`,
    at(scores.gainLow, layer, head) > 0 ? '*' : '',
  ]
}

/** The table of relations: n of both halves together, scores of the report half. */
function relationTable({ relations }: HeadRoles, minCount: number): string {
  const [toHead = [], toDependent = []] = roleDirections.map((direction) =>
    relations.filter((scores) => scores.direction === direction),
  )
  const title = [
    'relation',
    'n',
    'dep > head',
    '',
    '95 %',
    '',
    'head > dep',
    '',
    '95 %',
    '',
    'offset',
    '',
  ]
  const rows = toHead.flatMap((scores, i) => {
    const { n, baseline, relation } = scores
    const count = n.selection + n.report
    const back = toDependent[i]
    if (count < minCount || back === undefined) return []
    const offset = [baseline.offset, digits(baseline.accuracy)]
    return [[relation, count, ...best(scores), ...best(back), ...offset]]
  })
  return columns([title, ...rows])
}

function measureTable({ measures }: HeadRoles): string {
  const rows = Object.entries(measures).map(([name, { mean, error, rows: count }]) => {
    const { layer, head } = largest(mean)
    const of = (tensor: Tensor) => digits(at(tensor, layer, head))
    return [name, count, `${layer}.${head}`, of(mean), `± ${of(error)}`]
  })
  return columns([['weight on', 'rows', 'most in', '', ''], ...rows])
}

export function rolesReport(roles: HeadRoles, minCount: number): string {
  const { sentences, words } = roles
  return [
    `${sentences.used} of ${sentences.given} sentences (${sentences.tooShort} too short, ` +
      `${sentences.tooLong} too long), ${words.used} words (${words.split} split, ` +
      `${words.withoutToken} without a token)\n`,
    relationTable(roles, minCount),
    'Heads are chosen on one half of the sentences, shares are of the other; intervals by bootstrap\n' +
      'over sentences; * = the interval of the gain over the offset lies above 0.\n',
    measureTable(roles),
  ].join('\n')
}

export function rolesRows({ relations }: HeadRoles): Cell[][] {
  const title = ['relation', 'direction', 'layer', 'head', 'n_selection', 'n_report', 'selection']
  title.push('accuracy', 'low', 'high', 'gain_low', 'gain_high', 'offset', 'offset_accuracy')
  const rows = relations.flatMap((scores) =>
    Array.from(scores.accuracy.data, (_, i): Cell[] => {
      const [, heads = 1] = scores.accuracy.dims
      const { selection, accuracy, low, high, gainLow, gainHigh } = scores
      const numbers = [selection, accuracy, low, high, gainLow, gainHigh].map(
        ({ data }) => data[i] ?? NaN,
      )
      const place = [Math.floor(i / heads), i % heads, scores.n.selection, scores.n.report]
      const { offset, accuracy: share } = scores.baseline
      return [scores.relation, scores.direction, ...place, ...numbers, offset, share]
    }),
  )
  return [title, ...rows]
}

export function coreferenceReport(scores: CoreferenceScores): string {
  const { examples, accuracy } = scores
  const [, heads = 1] = accuracy.dims
  const order = [...accuracy.data.keys()].sort(
    (a, b) => (accuracy.data[b] ?? 0) - (accuracy.data[a] ?? 0),
  )
  const rows = order.slice(0, 10).map((i) => {
    const of = ({ data }: Tensor) => digits(data[i] ?? NaN)
    return [
      `${Math.floor(i / heads)}.${i % heads}`,
      of(accuracy),
      `${of(scores.low)}-${of(scores.high)}`,
      of(scores.control),
      of(scores.weight),
      of(scores.otherWeight),
      of(scores.mostAttended),
    ]
  })
  const title = ['head', 'right', '95 %', 'other rows', 'weight', 'of other rows', 'most of all']
  return [
    `${examples.used} of ${examples.given} examples (${examples.tooLong} too long, ` +
      `${examples.withoutToken} without a token); the nearer name is right in ` +
      `${digits(scores.nearerCandidate)}\n`,
    columns([title, ...rows]),
  ].join('\n')
}

export function coreferenceRows(scores: CoreferenceScores): Cell[][] {
  const { accuracy, low, high, control, excessLow, excessHigh } = scores
  const tensors = { accuracy, low, high, control, excessLow, excessHigh }
  const { mostAttended, weight, otherWeight } = scores
  const all = Object.entries({ ...tensors, mostAttended, weight, otherWeight })
  const [, heads = 1] = accuracy.dims
  const rows = Array.from(accuracy.data, (_, i): Cell[] => [
    Math.floor(i / heads),
    i % heads,
    ...all.map(([, { data }]) => data[i] ?? NaN),
  ])
  return [['layer', 'head', ...all.map(([name]) => name)], ...rows]
}
