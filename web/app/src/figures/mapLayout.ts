// Where everything of an opened map stands: labels left and on top, square cells. Pure.
import type { CellGrid } from './cells'
import { roughWidth } from './scene'

export interface MapLayout {
  width: number
  height: number
  /** Upper left corner of the cells. */
  left: number
  top: number
  /** Side of one cell with its gap. */
  cell: number
  gap: number
  labelSize: number
  /** Angle of the labels on top, degrees. */
  angle: number
  rows: number
  columns: number
}

const angle = -50
const largestCell = 38
const longestLabel = 14

/** Shortens what would not fit beside the map. */
export function mapLabel(label: string): string {
  const characters = Array.from(label)
  if (characters.length <= longestLabel) return label
  return `${characters.slice(0, longestLabel - 1).join('')}…`
}

/** Smallest cell whose labels can still be read. */
export const smallestCell = 9

const widest = (labels: readonly string[], size: number): number =>
  Math.max(0, ...labels.map((label) => roughWidth(label, size)))

/** `columns` names the keys where they are other tokens than the queries. */
export function layoutMap(
  labels: readonly string[],
  width: number,
  columns: readonly string[] = labels,
): MapLayout {
  const beside = labels.map(mapLabel)
  const above = columns.map(mapLabel)
  const labelSizeFor = (cell: number): number => Math.max(9, Math.min(13, cell * 0.62))
  // The labels' size depends on the cell, the cell on the labels: two rounds settle it.
  let labelSize = 13
  let cell = largestCell
  let left = 0
  for (let round = 0; round < 3; round++) {
    left = Math.ceil(widest(beside, labelSize)) + 10
    const overhang = roughWidth(above.at(-1) ?? '', labelSize) * Math.cos((angle * Math.PI) / 180)
    const room = width - left - Math.ceil(overhang * 0.75) - 4
    cell = Math.min(largestCell, room / Math.max(1, columns.length))
    labelSize = labelSizeFor(cell)
  }
  if (cell > smallestCell) cell = Math.floor(cell)
  const tallest = widest(above, labelSize)
  const top = Math.ceil(tallest * Math.sin((-angle * Math.PI) / 180) + labelSize)
  return {
    width,
    height: Math.ceil(top + cell * labels.length + 2),
    left,
    top,
    cell,
    gap: cell >= 18 ? 1.5 : cell >= 12 ? 1 : 0.5,
    labelSize,
    angle,
    rows: labels.length,
    columns: columns.length,
  }
}

/** The cells as a grid to point at. */
export function gridOf({ left, top, cell, rows, columns }: MapLayout): CellGrid {
  return { left, top, width: cell, height: cell, rows, columns }
}
