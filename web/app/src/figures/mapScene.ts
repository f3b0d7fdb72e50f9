// The opened map as a scene: cells, labels, the fixed row and its numbers. Pure.
import { cellNumber } from '../i18n/numbers'
import type { Quantity } from '../state/view'
import { palettes, rampOf, rampStep, type Theme } from './colour'
import { mapLabel, type MapLayout } from './mapLayout'
import type { Mark, RectMark, Scene, TextMark } from './scene'

export interface MapData {
  /** [queries, keys] */
  values: Float32Array
  labels: readonly string[]
  /** Labels of the keys, where they are other tokens than the queries. */
  columns?: readonly string[]
  /** Rows from here on come later, and are faint; none where it is left out. */
  later?: number
  /** Keys that a query may not look at: drawn as barred. */
  masked?: (query: number, key: number) => boolean
  /** Value that has the full colour: 1 for weights. */
  top: number
  quantity: Quantity
  /** Rows and columns that are dimmed. */
  dimmed: ReadonlySet<number>
  query: number
  key: number
  gamma: number
  title: string
}

const dimOpacity = 0.22

export function mapScene(data: MapData, layout: MapLayout, theme: Theme): Scene {
  return {
    width: layout.width,
    height: layout.height,
    background: palettes[theme].background,
    title: data.title,
    marks: [
      ...cells(data, layout, theme),
      ...rowNumbers(data, layout, theme),
      ...labels(data, layout, theme),
      fixedRow(data, layout, theme),
    ],
  }
}

function cells(data: MapData, layout: MapLayout, theme: Theme): Mark[] {
  const ramp = rampOf(theme, data.quantity)
  const side = layout.cell - layout.gap
  const marks: Mark[] = []
  for (let query = 0; query < layout.rows; query++) {
    for (let key = 0; key < layout.columns; key++) {
      if (data.masked?.(query, key) === true) {
        const opacity = isDim(data, query, key) ? dimOpacity : 0.5
        marks.push(bar(layout, query, key, palettes[theme].strong, opacity))
        continue
      }
      const value = (data.values[query * layout.columns + key] ?? 0) / data.top
      marks.push({
        kind: 'rect',
        x: layout.left + key * layout.cell,
        y: layout.top + query * layout.cell,
        width: side,
        height: side,
        fill: ramp.css[rampStep(value, data.gamma)] ?? 'none',
        ...(layout.cell >= 14 ? { radius: 2 } : {}),
        ...(isDim(data, query, key) ? { opacity: dimOpacity } : {}),
      })
    }
  }
  return marks
}

/** A stroke through a cell where no weight can be. */
function bar(layout: MapLayout, query: number, key: number, stroke: string, opacity: number): Mark {
  const [x, y] = [layout.left + key * layout.cell, layout.top + query * layout.cell]
  const [near, far] = [layout.cell * 0.32, layout.cell * 0.68 - layout.gap]
  return {
    kind: 'line',
    points: [
      [x + near, y + far],
      [x + far, y + near],
    ],
    stroke,
    strokeWidth: 1,
    opacity,
  }
}

function isDim({ dimmed, later = Infinity }: MapData, query: number, key: number): boolean {
  return dimmed.has(query) || dimmed.has(key) || query >= later
}

/** Numbers in the fixed row, where a cell has room and something to say. */
function rowNumbers(data: MapData, layout: MapLayout, theme: Theme): TextMark[] {
  if (layout.cell < 22) return []
  const ramp = rampOf(theme, data.quantity)
  const row = data.values.subarray(data.query * layout.columns, (data.query + 1) * layout.columns)
  return Array.from(row).flatMap((value, key): TextMark[] => {
    if (value / data.top < 0.095 || isDim(data, data.query, key)) return []
    const middle = (layout.cell - layout.gap) / 2
    return [
      {
        kind: 'text',
        x: layout.left + key * layout.cell + middle,
        y: layout.top + data.query * layout.cell + middle + 3.8,
        text: cellNumber(value),
        size: Math.min(11, layout.cell * 0.4),
        fill: ramp.ink[rampStep(value / data.top, data.gamma)] ?? 'none',
        anchor: 'middle',
      },
    ]
  })
}

function labels(data: MapData, layout: MapLayout, theme: Theme): Mark[] {
  const { muted, ink, query: queryColour } = palettes[theme]
  const middle = (layout.cell - layout.gap) / 2
  const { labels: rows, columns = rows, later = rows.length } = data
  const shared = (label: string, faint: boolean) =>
    ({
      kind: 'text',
      text: mapLabel(label),
      size: layout.labelSize,
      ...(faint ? { opacity: 0.55 } : {}),
    }) as const
  const beside = rows.map((label, place): TextMark => {
    const isQuery = place === data.query
    return {
      ...shared(label, data.dimmed.has(place) || place >= later),
      x: layout.left - 8,
      y: layout.top + place * layout.cell + middle + layout.labelSize * 0.35,
      fill: isQuery ? queryColour : muted,
      anchor: 'end',
      bold: isQuery,
    }
  })
  const above = columns.map((label, place): TextMark => {
    const isKey = place === data.key
    return {
      ...shared(label, data.dimmed.has(place)),
      x: layout.left + place * layout.cell + middle + layout.labelSize * 0.3,
      y: layout.top - 6,
      fill: isKey ? ink : muted,
      anchor: 'start',
      bold: isKey,
      angle: layout.angle,
    }
  })
  return [...beside, ...above]
}

function fixedRow(data: MapData, layout: MapLayout, theme: Theme): RectMark {
  return {
    kind: 'rect',
    x: layout.left - 2,
    y: layout.top + data.query * layout.cell - 2,
    width: layout.cell * layout.columns - layout.gap + 4,
    height: layout.cell - layout.gap + 4,
    fill: 'none',
    stroke: palettes[theme].query,
    strokeWidth: layout.cell >= 16 ? 2 : 1.25,
    radius: 4,
  }
}
