// A number for every head, layers down and heads across, each on a tile of its colour. Pure.
import type { CellGrid } from './cells'
import { palettes, rampOf, rampStep, type Theme } from './colour'
import type { Mark, Scene } from './scene'

export interface TilesData {
  /** By layer and head; NaN where it is not there yet. */
  values: ArrayLike<number>
  layers: number
  heads: number
  /** The value that has the full colour. */
  top: number
  print: (value: number) => string
  opened: { layer: number; head: number }
  title: string
}

const edge = 20
const gap = 2
const tallest = 34

export function tilesGrid(
  { layers, heads }: Pick<TilesData, 'layers' | 'heads'>,
  width: number,
): CellGrid {
  const cell = (width - edge - gap) / heads
  return {
    left: edge,
    top: edge,
    width: cell,
    height: Math.min(tallest, cell),
    rows: layers,
    columns: heads,
  }
}

export function tilesScene(data: TilesData, width: number, theme: Theme): Scene {
  const { background, muted, line, accent } = palettes[theme]
  const ramp = rampOf(theme, 'weight')
  const grid = tilesGrid(data, width)
  const size = Math.min(12, grid.width * 0.42)
  const text = { kind: 'text', size: 11, fill: muted, anchor: 'middle' } as const
  const marks: Mark[] = []
  for (let head = 0; head < data.heads; head++) {
    marks.push({ ...text, x: grid.left + (head + 0.5) * grid.width, y: 13, text: String(head) })
  }
  for (let layer = 0; layer < data.layers; layer++) {
    const y = grid.top + layer * grid.height
    marks.push({ ...text, x: edge / 2 - 2, y: y + grid.height / 2 + 4, text: String(layer) })
    for (let head = 0; head < data.heads; head++) {
      const value = data.values[layer * data.heads + head] ?? NaN
      const known = !Number.isNaN(value)
      const step = rampStep(known ? value / data.top : 0, 1)
      const x = grid.left + head * grid.width
      const opened = layer === data.opened.layer && head === data.opened.head
      marks.push({
        kind: 'rect',
        x,
        y,
        width: grid.width - gap,
        height: grid.height - gap,
        fill: known ? (ramp.css[step] ?? background) : background,
        stroke: opened ? accent : line,
        strokeWidth: opened ? 2.5 : 1,
        radius: 3,
      })
      if (!known) continue
      marks.push({
        kind: 'text',
        x: x + (grid.width - gap) / 2,
        y: y + (grid.height - gap) / 2 + size * 0.36,
        text: data.print(value),
        size,
        fill: ramp.ink[step] ?? muted,
        anchor: 'middle',
      })
    }
  }
  return {
    width,
    height: grid.top + data.layers * grid.height + gap,
    background,
    title: data.title,
    marks,
  }
}
