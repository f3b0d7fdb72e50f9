// What chapter 1 says about a reading, worked out from its activations. Pure.
import type { DataTable, Header } from '../../export/table'
import {
  byWeight,
  columnOf,
  measureHead,
  rowOf,
  weightAt,
  weightOnKeys,
  type HeadProfile,
  type HeadWeights,
  type Question,
} from '../../figures/measures'
import { specialsOf, type Token } from '../../figures/tokens'
import { percent } from '../../i18n/numbers'
import { defaultText, type SortId } from '../../state/view'
import type { RowFacts } from './en'

/** The sentence in which only the mat can be meant. */
export const softText = defaultText.replace('tired', 'soft')

/** Places in both sentences. */
export const places = { cat: 2, mat: 6, it: 8 } as const

export const headName = (layer: number, head: number): string => `${String(layer)}.${String(head)}`

/** The sentence under the title: where the weight of the fixed token lies. */
export function rowFacts(
  map: HeadWeights,
  tokens: readonly Token[],
  query: number,
  key: number,
): RowFacts {
  const row = rowOf(map, query)
  const specials = specialsOf(tokens)
  const second = byWeight(row).find((place) => place !== key && !specials.includes(place))
  return {
    words: tokens.length - specials.length,
    head: headName(map.layer, map.head),
    query: tokens[query]?.label ?? '',
    key: tokens[key]?.label ?? '',
    keyShare: percent(row[key] ?? 0),
    second: second === undefined ? null : (tokens[second]?.label ?? null),
    secondShare: percent(second === undefined ? 0 : (row[second] ?? 0)),
    specialShare: percent(weightOnKeys(row, specials)),
  }
}

/** |alpha_ij v_j W_O| for every cell, [S, S], and the largest of them. */
export function contributionsOf(
  map: HeadWeights,
  valueNorms: Float32Array,
): { values: Float32Array; largest: number } {
  const values = new Float32Array(map.weights.length)
  let largest = 0
  for (let cell = 0; cell < values.length; cell++) {
    const value = (map.weights[cell] ?? 0) * (valueNorms[cell % map.size] ?? 0)
    values[cell] = value
    largest = Math.max(largest, value)
  }
  return { values, largest }
}

/** Evidence for "5.11 marks the main noun": what *it* and all other rows give to *cat*. */
export function nounColumn(map: HeadWeights): { it: number; least: number; most: number } {
  const column = columnOf(map, places.cat)
  const others = column.filter((_, query) => query !== places.it)
  return {
    it: weightAt(map, places.it, places.cat),
    least: Math.min(...others),
    most: Math.max(...others),
  }
}

/** Evidence for "0.2 looks one token back": the least that a row after the first gives there. */
export function leastOnPrevious(map: HeadWeights): number {
  let least = 1
  for (let query = 1; query < map.size; query++) {
    least = Math.min(least, weightAt(map, query, query - 1))
  }
  return least
}

/** Measures that stand in the table of all heads. */
export const tableMeasures = [
  'target',
  'entropy',
  'distance',
  'previous',
  'next',
  'special',
] as const satisfies readonly SortId[]

export function gridTable(
  header: Header,
  maps: readonly HeadWeights[],
  question: Question,
  profileOf: (map: HeadWeights) => HeadProfile | null,
): DataTable {
  return {
    header,
    columns: ['layer', 'head', ...tableMeasures],
    rows: maps.map((map) => [
      map.layer,
      map.head,
      ...tableMeasures.map((measure) => measureHead(measure, map, question, profileOf(map))),
    ]),
  }
}

/** One line for each pair of tokens. */
export function headTable(
  header: Header,
  map: HeadWeights,
  tokens: readonly Token[],
  scores: Float32Array | null,
  contributions: Float32Array | null,
): DataTable {
  const rows = Array.from(map.weights, (weight, cell) => {
    const query = Math.floor(cell / map.size)
    const key = cell % map.size
    return [
      query,
      tokens[query]?.text ?? '',
      key,
      tokens[key]?.text ?? '',
      weight,
      scores?.[cell] ?? NaN,
      contributions?.[cell] ?? NaN,
    ]
  })
  return {
    header,
    columns: ['query_index', 'query', 'key_index', 'key', 'weight', 'score', 'contribution'],
    rows,
  }
}
