// A table of numbers as colours: rows with their names, columns in groups. Where a cell has room its
// number stands in it. Pure.
import { palettes, rampOf, rampStep, signedRampOf, signedStep, type Theme } from './colour'
import { roughWidth, type Mark, type Scene } from './scene'

export interface Cell {
  row: number
  column: number
}

export interface HeatData {
  rows: readonly string[]
  columns: readonly string[]
  /** Columns that belong together stand between lines; as many as there are columns for none. */
  group: number
  /** [rows, columns]; NaN where nothing is known. */
  values: Float32Array
  /** Magnitude that has the full colour. */
  top: number
  /** Around a neutral 0, else from 0. */
  signed: boolean
  print: (value: number) => string
  chosen: Cell | null
  /** What is seen, in a line. */
  title: string
}

export interface HeatLayout {
  left: number
  top: number
  cellWidth: number
  cellHeight: number
  width: number
  height: number
}

const [size, head] = [12, 22]
const [lowest, highest] = [19, 44]
/** Narrower cells have no number in them. */
const room = 36

export function layoutHeat({ rows, columns }: HeatData, width: number): HeatLayout {
  const names = Math.max(...rows.map((name) => roughWidth(name, size)))
  const left = Math.min(width * 0.4, names + 10)
  const cellWidth = Math.min(64, (width - left - 2) / Math.max(1, columns.length))
  const cellHeight = Math.min(highest, Math.max(lowest, cellWidth))
  return {
    left,
    top: head,
    cellWidth,
    cellHeight,
    width: left + cellWidth * columns.length + 2,
    height: head + cellHeight * rows.length + 2,
  }
}

export function heatCellAt(data: HeatData, layout: HeatLayout, x: number, y: number): Cell | null {
  const row = Math.floor((y - layout.top) / layout.cellHeight)
  const column = Math.floor((x - layout.left) / layout.cellWidth)
  const inside = row >= 0 && column >= 0 && row < data.rows.length && column < data.columns.length
  return inside ? { row, column } : null
}

export const heatValue = ({ values, columns }: HeatData, { row, column }: Cell): number =>
  values[row * columns.length + column] ?? NaN

export function heatScene(data: HeatData, layout: HeatLayout, theme: Theme): Scene {
  const { background, query } = palettes[theme]
  const { left, top, cellWidth, cellHeight, width, height } = layout
  const { chosen } = data
  const around: Mark[] = chosen
    ? [
        {
          kind: 'rect',
          x: left + chosen.column * cellWidth - 1,
          y: top + chosen.row * cellHeight - 1,
          width: cellWidth + 2,
          height: cellHeight + 2,
          fill: 'none',
          stroke: query,
          strokeWidth: 2,
        },
      ]
    : []
  return {
    width,
    height,
    background,
    title: data.title,
    marks: [
      picture(data, layout, theme),
      ...names(data, layout, theme),
      ...lines(data, layout, theme),
      ...(cellWidth < room ? [] : numbers(data, layout, theme)),
      ...around,
    ],
  }
}

function picture(data: HeatData, layout: HeatLayout, theme: Theme): Mark {
  const [columns, rows] = [data.columns.length, data.rows.length]
  const ramp = data.signed ? signedRampOf(theme) : rampOf(theme, 'weight')
  return {
    kind: 'image',
    x: layout.left,
    y: layout.top,
    width: layout.cellWidth * columns,
    height: layout.cellHeight * rows,
    // Nothing known, nothing painted.
    pixels: Uint32Array.from(data.values, (value) =>
      Number.isNaN(value) ? 0 : (ramp.packed[stepOf(data, value)] ?? 0),
    ),
    pixelWidth: columns,
    pixelHeight: rows,
  }
}

const stepOf = ({ signed, top }: HeatData, value: number): number =>
  signed ? signedStep(value / top) : rampStep(value / top, 1)

function names(data: HeatData, layout: HeatLayout, theme: Theme): Mark[] {
  const { muted, ink } = palettes[theme]
  const { left, top, cellWidth, cellHeight } = layout
  const rows = data.rows.map((text, row): Mark => {
    const y = top + (row + 0.5) * cellHeight + 4
    const fill = row === data.chosen?.row ? ink : muted
    return { kind: 'text', text, size, fill, x: left - 8, y, anchor: 'end' }
  })
  // Every column has its name where there is room for it, else every group its number.
  const each = cellWidth > 18
  const labels = each
    ? data.columns
    : data.columns.filter((_, place) => place % data.group === 0).map((_, place) => String(place))
  const step = each ? cellWidth : cellWidth * data.group
  const columns = labels.map((text, place): Mark => {
    const x = left + (place + 0.5) * step
    return { kind: 'text', text, size: size - 1, fill: muted, x, y: top - 7, anchor: 'middle' }
  })
  return [...rows, ...columns]
}

function lines({ rows, columns, group }: HeatData, layout: HeatLayout, theme: Theme): Mark[] {
  const { line } = palettes[theme]
  const { left, top, cellWidth, cellHeight } = layout
  const [right, bottom] = [left + columns.length * cellWidth, top + rows.length * cellHeight]
  const stroke = { stroke: line, strokeWidth: 1 }
  const groups = Array.from({ length: Math.ceil(columns.length / group) + 1 }, (_, place) =>
    Math.min(right, left + place * group * cellWidth),
  )
  return [
    ...groups.map((x): Mark => ({
      kind: 'line',
      points: [
        [x, top],
        [x, bottom],
      ],
      ...stroke,
    })),
    ...rows.map((_, row): Mark => {
      const y = top + (row + 1) * cellHeight
      return {
        kind: 'line',
        points: [
          [left, y],
          [right, y],
        ],
        ...stroke,
      }
    }),
  ]
}

function numbers(data: HeatData, layout: HeatLayout, theme: Theme): Mark[] {
  const ramp = data.signed ? signedRampOf(theme) : rampOf(theme, 'weight')
  return Array.from(data.values).flatMap((value, place): Mark[] => {
    if (Number.isNaN(value)) return []
    const [row, column] = [Math.floor(place / data.columns.length), place % data.columns.length]
    return [
      {
        kind: 'text',
        text: data.print(value),
        size: 10.5,
        fill: ramp.ink[stepOf(data, value)] ?? '#000000',
        x: layout.left + (column + 0.5) * layout.cellWidth,
        y: layout.top + (row + 0.5) * layout.cellHeight + 4,
        anchor: 'middle',
      },
    ]
  })
}
