// The chosen cell in one line, for screen readers. Pure.
import { decimal } from '../../i18n/numbers'
import type { MatrixItem } from './stages'

export function cellReadout(
  item: MatrixItem | undefined,
  at: { row: string; column: string },
  value: number | undefined,
): string {
  if (!item || value === undefined) return ''
  const name = [item.letter, item.upper, item.lower].filter(Boolean).join(' ')
  return `${name}, ${at.row}, ${at.column}: ${decimal(value)}`
}
