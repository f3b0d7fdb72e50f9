// Figure data as CSV and JSON. Both begin with what the numbers are of: model, text, layer, head,
// version. Pure.

/** What stands in the header of every file. */
export type Header = readonly [name: string, value: string][]

export interface DataTable {
  header: Header
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/**
 * One cell. Text that a spreadsheet would run as a formula (it begins with = + - @, full-width ones
 * too, or with a tab or a line break) gets an apostrophe in front; numbers are left as they are.
 */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless
}

const line = (cells: readonly (string | number)[]): string => cells.map(csvCell).join(',')

/** Header lines as name,value; an empty line; the table. */
export function tableCsv(table: DataTable): string {
  const lines = [...table.header.map(line), '', line(table.columns), ...table.rows.map(line)]
  return `${lines.join('\r\n')}\r\n`
}

export function tableJson(table: DataTable): string {
  const { header, columns, rows } = table
  const body = {
    ...Object.fromEntries(header),
    columns,
    rows: rows.map((row) => row.map((cell) => (Number.isNaN(cell) ? null : cell))),
  }
  return `${JSON.stringify(body, null, 1)}\n`
}
