// How alike all heads are, as one picture: a row and a column for each head, layer by layer. Pure.
import type { CellGrid } from '../../figures/cells'
import { palettes, rampOf, rampStep, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'

export interface AlikeData {
  /** [count, count]; NaN where it could not be measured. */
  values: Float32Array
  layers: number
  heads: number
  opened: number
  other: number
  title: string
}

const edge = 22

/** Side of one cell. */
const cellOf = (data: Pick<AlikeData, 'layers' | 'heads'>, width: number): number =>
  (width - edge) / (data.layers * data.heads)

/** A cell for every pair of heads. */
export function alikeGrid(data: Pick<AlikeData, 'layers' | 'heads'>, width: number): CellGrid {
  const cell = cellOf(data, width)
  const count = data.layers * data.heads
  return { left: edge, top: edge, width: cell, height: cell, rows: count, columns: count }
}

export function alikeScene(data: AlikeData, width: number, theme: Theme): Scene {
  const { background, muted, line, query, accent } = palettes[theme]
  const count = data.layers * data.heads
  const ramp = rampOf(theme, 'weight')
  const cell = cellOf(data, width)
  const block = cell * data.heads
  const marks: Mark[] = [
    {
      kind: 'image',
      x: edge,
      y: edge,
      width: cell * count,
      height: cell * count,
      // Below nothing is as nothing: the debiased estimate may be a little below 0.
      pixels: Uint32Array.from(data.values, (value) => ramp.packed[rampStep(value || 0, 1)] ?? 0),
      pixelWidth: count,
      pixelHeight: count,
    },
  ]
  for (let layer = 0; layer < data.layers; layer++) {
    const middle = edge + (layer + 0.5) * block
    const text = { kind: 'text', text: String(layer), size: 11, fill: muted } as const
    marks.push({ ...text, x: middle, y: edge - 8, anchor: 'middle' })
    marks.push({ ...text, x: edge - 8, y: middle + 4, anchor: 'end' })
    for (let column = 0; column < data.layers; column++) {
      marks.push({
        kind: 'rect',
        x: edge + column * block,
        y: edge + layer * block,
        width: block,
        height: block,
        fill: 'none',
        stroke: line,
      })
    }
  }
  const cross = (row: number, column: number, stroke: string): Mark => ({
    kind: 'rect',
    x: edge + column * cell - 2,
    y: edge + row * cell - 2,
    width: cell + 4,
    height: cell + 4,
    fill: 'none',
    stroke,
    strokeWidth: 2,
  })
  marks.push(cross(data.opened, data.other, query), cross(data.other, data.opened, accent))
  return { width, height: width, background, title: data.title, marks }
}
