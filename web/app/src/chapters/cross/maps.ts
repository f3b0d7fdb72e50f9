// Rows of the maps and their numbers as data. Pure.
import type { DataTable, Header } from '../../export/table'
import type { Weights } from './alignment'

export function rowOf({ values, columns }: Weights, row: number): Float32Array {
  return values.subarray(row * columns, (row + 1) * columns)
}

/** The first of the largest weights of a row. */
export function largestColumn(map: Weights, row: number): number {
  const weights = rowOf(map, row)
  return Math.max(0, weights.indexOf(Math.max(...weights)))
}

/** Every pair of a map; nothing while there is none. */
export function mapTable(
  header: Header,
  map: Weights | null,
  rows: readonly string[],
  columns: readonly string[],
): DataTable {
  const cells = map ? Array.from(map.values) : []
  return {
    header,
    columns: ['row', 'query', 'column', 'key', 'weight'],
    rows: cells.map((weight, cell) => {
      const row = Math.floor(cell / columns.length)
      const column = cell % columns.length
      return [row, rows[row] ?? '', column, columns[column] ?? '', weight]
    }),
  }
}
