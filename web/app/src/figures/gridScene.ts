// All heads as one picture, for files and the clipboard; on the page each map is a button of its
// own. Pure.
import type { Quantity } from '../state/view'
import { palettes, rampOf, type Theme } from './colour'
import type { HeadWeights } from './measures'
import { rasterise } from './raster'
import type { Mark, Scene } from './scene'

export interface GridCell {
  map: HeadWeights
  name: string
  /** The measure the grid is ordered by, ready to print; empty in the order of layers. */
  value: string
}

export interface GridData {
  cells: readonly GridCell[]
  columns: number
  query: number
  opened: string
  gamma: number
  title: string
}

const side = 56
const gap = 10
const margin = 20
const caption = 18
const quantity: Quantity = 'weight'

export function gridScene(data: GridData, theme: Theme): Scene {
  const rows = Math.ceil(data.cells.length / data.columns)
  return {
    width: 2 * margin + data.columns * (side + gap) - gap,
    height: 2 * margin + rows * (side + caption + gap) - gap,
    background: palettes[theme].background,
    title: data.title,
    marks: data.cells.flatMap((cell, place) => cellMarks(cell, place, data, theme)),
  }
}

function cellMarks(cell: GridCell, place: number, data: GridData, theme: Theme): Mark[] {
  const palette = palettes[theme]
  const x = margin + (place % data.columns) * (side + gap)
  const y = margin + Math.floor(place / data.columns) * (side + caption + gap)
  const { weights, size } = cell.map
  const pixelCount = Math.min(size, side * 2)
  const opened = cell.name === data.opened
  return [
    {
      kind: 'image',
      x,
      y,
      width: side,
      height: side,
      pixels: rasterise(
        { values: weights, size, top: 1, gamma: data.gamma },
        rampOf(theme, quantity),
        pixelCount,
        pixelCount,
      ),
      pixelWidth: pixelCount,
      pixelHeight: pixelCount,
    },
    {
      kind: 'rect',
      x: x - 1,
      y: y - 1,
      width: side + 2,
      height: side + 2,
      fill: 'none',
      stroke: opened ? palette.accent : palette.line,
      strokeWidth: opened ? 2 : 1,
      radius: 3,
    },
    {
      kind: 'rect',
      x: x - 4,
      y: y + ((data.query + 0.5) / size) * side - 1.5,
      width: 3,
      height: 3,
      fill: palette.query,
    },
    {
      kind: 'text',
      x: x + side / 2,
      y: y + side + 13,
      text: cell.value === '' ? cell.name : `${cell.name}  ${cell.value}`,
      size: 10,
      fill: opened ? palette.ink : palette.muted,
      anchor: 'middle',
      bold: opened,
    },
  ]
}
