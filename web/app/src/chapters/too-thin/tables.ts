// The figures of chapter 9 that are no charts, as data. Pure.
import type { DataTable, Header } from '../../export/table'
import type { Fit, HeadRank } from './compute'

export function ranksTable(header: Header, ranks: readonly HeadRank[]): DataTable {
  return {
    header,
    columns: ['layer', 'head', 'rank_scores', 'values_99_percent', 'rank_weights'],
    rows: ranks.map(({ layer, head, scores, bulk, weights }) => [
      layer,
      head,
      scores,
      bulk,
      weights,
    ]),
  }
}

/** One line for each pair of a query and a key. */
export function mapsTable(
  header: Header,
  pattern: Float32Array,
  fitted: Float32Array,
  length: number,
): DataTable {
  return {
    header,
    columns: ['query', 'key', 'wanted', 'fitted'],
    rows: Array.from(pattern, (wanted, cell) => [
      Math.floor(cell / length),
      cell % length,
      wanted,
      fitted[cell] ?? NaN,
    ]),
  }
}

/** Queries and keys of the fit with one d_k, all their dimensions: [length, dims] of each. */
export function vectorsOf(
  { length, queries, keys, dims }: Fit,
  headDim: number,
): { queries: Float32Array; keys: Float32Array; stride: number } {
  const stride = dims.length
  const start = (headDim - 1) * length * stride
  const of = (all: Float32Array): Float32Array => all.subarray(start, start + length * stride)
  return { queries: of(queries), keys: of(keys), stride }
}

export function vectorsTable(header: Header, fit: Fit, headDim: number): DataTable {
  const { queries, keys, stride } = vectorsOf(fit, headDim)
  const columns = Array.from({ length: headDim }, (_, column) => column)
  return {
    header,
    columns: [
      'token',
      ...['query', 'key'].flatMap((of) => columns.map((c) => `${of}_${String(c + 1)}`)),
    ],
    rows: Array.from({ length: fit.length }, (_, place) => [
      place,
      ...[queries, keys].flatMap((all) => columns.map((c) => all[place * stride + c] ?? NaN)),
    ]),
  }
}
