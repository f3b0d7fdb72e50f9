// The figures of chapter 2 as charts and tables. Pure.
import type { ChartAxis, ChartData, ChartSeries } from '../../figures/chart'
import type { DataTable, Header } from '../../export/table'
import { byWeight, type HeadWeights } from '../../figures/measures'
import { decimal } from '../../i18n/numbers'
import type { WhyMessages } from './en'

type Words = WhyMessages

/** Places of the keys that are shown where not all can be: the largest in any of the rows, in order. */
export function largestKeys(rows: readonly Float32Array[], most: number): number[] {
  const larger = Float32Array.from(rows[0] ?? [], (_, key) =>
    Math.max(...rows.map((row) => row[key] ?? 0)),
  )
  return byWeight(larger)
    .slice(0, most)
    .sort((a, b) => a - b)
}

const weightAxis = (name: string, to?: number): ChartAxis => ({
  id: 'weight',
  name,
  from: 0,
  ...(to === undefined ? {} : { to }),
  print: (value) => decimal(value, to === 1 ? 1 : 2),
  printExact: (value) => decimal(value),
})

/** Keys of one row, with several weights each. */
function rowChart(
  title: string,
  labels: readonly string[],
  keys: readonly number[],
  series: readonly (Pick<ChartSeries, 'id' | 'name' | 'tone' | 'dashed'> & {
    row: Float32Array
  })[],
  words: Words,
): ChartData {
  return {
    title,
    x: {
      id: 'key',
      name: words.key,
      print: String,
      ticks: keys.map((key, place) => ({ value: place, label: labels[key] ?? '' })),
    },
    y: weightAxis(words.weight, 1),
    series: series.map(({ row, ...each }) => ({
      ...each,
      kind: 'bar',
      points: keys.map((key, place) => ({ x: place, y: row[key] ?? NaN })),
    })),
  }
}

const mostBars = 30

export function budgetChart(
  row: { before: Float32Array; after: Float32Array },
  labels: readonly string[],
  head: string,
  words: Words,
): ChartData {
  return rowChart(
    words.budget.file(head),
    labels,
    largestKeys([row.before, row.after], mostBars),
    [
      { id: 'before', name: words.budget.before, tone: 'query', dashed: true, row: row.before },
      { id: 'after', name: words.budget.after, tone: 'accent', row: row.after },
    ],
    words,
  )
}

export function lostChart(
  rows: { most: Float32Array; mean: Float32Array; wide: Float32Array },
  labels: readonly string[],
  layer: string,
  words: Words,
): ChartData {
  return rowChart(
    words.lost.file(layer),
    labels,
    largestKeys([rows.most], mostBars),
    [
      { id: 'most_in_any_head', name: words.lost.most, tone: 'accent', row: rows.most },
      { id: 'mean', name: words.maps.mean, tone: 'query', dashed: true, row: rows.mean },
      { id: 'wide_head', name: words.maps.wide, tone: 'muted', row: rows.wide },
    ],
    words,
  )
}

/** What every head gives to two keys. */
export function headsChart(
  rows: readonly Float32Array[],
  wanted: readonly [{ key: number; label: string }, { key: number; label: string }],
  nameOf: (head: number) => string,
  words: Words,
): ChartData {
  const [first, second] = wanted
  const points = (key: number) => rows.map((row, head) => ({ x: head, y: row[key] ?? NaN }))
  const twice = first.label === second.label
  const name = ({ key, label }: { key: number; label: string }): string =>
    twice ? `${label} (${String(key)})` : label
  return {
    title: words.heads.file(first.label, second.label),
    x: {
      id: 'head',
      name: words.heads.x,
      print: String,
      ticks: rows.map((_, head) => ({ value: head, label: nameOf(head) })),
    },
    y: weightAxis(words.weight),
    series: [
      { id: 'first', name: name(first), kind: 'bar', tone: 'accent', points: points(first.key) },
      {
        id: 'second',
        name: name(second),
        kind: 'bar',
        tone: 'query',
        dashed: true,
        points: points(second.key),
      },
    ],
  }
}

/** One line for each key of the row. */
export function budgetTable(
  header: Header,
  row: { scores: Float32Array; before: Float32Array; after: Float32Array },
  tokens: readonly string[],
): DataTable {
  return {
    header,
    columns: ['key_index', 'key', 'score', 'weight_before', 'weight_after'],
    rows: tokens.map((token, key) => [
      key,
      token,
      row.scores[key] ?? NaN,
      row.before[key] ?? NaN,
      row.after[key] ?? NaN,
    ]),
  }
}

/** One line for each pair of tokens: every map there is. */
export function mapsTable(
  header: Header,
  maps: readonly { id: string; map: HeadWeights }[],
  tokens: readonly string[],
): DataTable {
  const size = tokens.length
  return {
    header,
    columns: ['query_index', 'query', 'key_index', 'key', ...maps.map(({ id }) => id)],
    rows: Array.from({ length: size * size }, (_, cell) => {
      const [query, key] = [Math.floor(cell / size), cell % size]
      const weights = maps.map(({ map }) => map.weights[cell] ?? NaN)
      return [query, tokens[query] ?? '', key, tokens[key] ?? '', ...weights]
    }),
  }
}
