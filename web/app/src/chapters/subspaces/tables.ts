// The figures of chapter 6 as data. Pure.
import type { DataTable, Header } from '../../export/table'
import type { HeadPlace, Plane } from './compute'
import type { TokenPair } from './vectors'

export function planesTable(
  header: Header,
  tokens: readonly string[],
  { model, head }: { model: Plane; head: Plane },
): DataTable {
  const at = ({ points }: Plane, place: number): [number, number] => [
    points[2 * place] ?? NaN,
    points[2 * place + 1] ?? NaN,
  ]
  return {
    header: [
      ...header,
      ['model_variance_shares', model.shares.join(' ')],
      ['head_variance_shares', head.shares.join(' ')],
    ],
    columns: ['token_index', 'token', 'model_pc1', 'model_pc2', 'head_pc1', 'head_pc2'],
    rows: tokens.map((token, place) => [place, token, ...at(model, place), ...at(head, place)]),
  }
}

/** One line for each pair of words. */
export function pairsTable(
  header: Header,
  tokens: readonly string[],
  pairs: readonly TokenPair[],
): DataTable {
  return {
    header,
    columns: [
      'first_index',
      'first',
      'second_index',
      'second',
      'model_distance',
      'head_distance',
      'model_cosine',
      'head_cosine',
    ],
    rows: pairs.map(({ first, second, model, head, modelCosine, headCosine }) => [
      first,
      tokens[first] ?? '',
      second,
      tokens[second] ?? '',
      model,
      head,
      modelCosine,
      headCosine,
    ]),
  }
}

/** One line for each pair of heads, each pair once. */
export function alikeTable(
  header: Header,
  measure: string,
  values: Float32Array,
  count: number,
  placeOf: (index: number) => HeadPlace,
): DataTable {
  const rows: (string | number)[][] = []
  for (let a = 0; a < count; a++) {
    for (let b = a; b < count; b++) {
      const [first, second] = [placeOf(a), placeOf(b)]
      const value = values[a * count + b] ?? NaN
      rows.push([first.layer, first.head, second.layer, second.head, value])
    }
  }
  return { header, columns: ['layer_a', 'head_a', 'layer_b', 'head_b', measure], rows }
}
