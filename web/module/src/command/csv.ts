// Comma-separated values that spreadsheets read as they are meant.

/** A cell. Text that a spreadsheet would take for a formula gets a ' before it. */
function cell(value: string | number): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value)
  const harmless = /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
