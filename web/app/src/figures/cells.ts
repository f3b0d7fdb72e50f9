// A grid of cells in a picture: which one lies under a point, and which one a key leads to. Pure.

export interface Place {
  row: number
  column: number
}

export interface CellGrid {
  /** Upper left corner of the first cell. */
  left: number
  top: number
  /** Of one cell, with its gap. */
  width: number
  height: number
  rows: number
  columns: number
}

/** The cell under a point, or null. */
export function placeAt(grid: CellGrid, x: number, y: number): Place | null {
  const column = Math.floor((x - grid.left) / grid.width)
  const row = Math.floor((y - grid.top) / grid.height)
  const inside = row >= 0 && column >= 0 && row < grid.rows && column < grid.columns
  return inside ? { row, column } : null
}

/** Where a key leads from a cell; null for keys that lead nowhere. */
export function placeAfter(
  { rows, columns }: Pick<CellGrid, 'rows' | 'columns'>,
  { row, column }: Place,
  key: string,
): Place | null {
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column }
    case 'ArrowDown':
      return { row: Math.min(rows - 1, row + 1), column }
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) }
    case 'ArrowRight':
      return { row, column: Math.min(columns - 1, column + 1) }
    case 'Home':
      return { row, column: 0 }
    case 'End':
      return { row, column: columns - 1 }
    default:
      return null
  }
}
