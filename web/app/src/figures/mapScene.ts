// The opened map as a scene: cells, labels, the fixed row and its numbers. Pure.
import { cellNumber } from '../i18n/numbers'
import type { Quantity } from '../state/view'
import { palettes, rampOf, rampStep, type Theme } from './colour'
import { mapLabel, type MapLayout } from './mapLayout'
import type { Mark, RectMark, Scene, TextMark } from './scene'

export interface MapData {
  /** [S, S] */
  values: Float32Array
  labels: readonly string[]
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

function cells(data: MapData, layout: MapLayout, theme: Theme): RectMark[] {
  const ramp = rampOf(theme, data.quantity)
  const side = layout.cell - layout.gap
  const marks: RectMark[] = []
  for (let query = 0; query < layout.size; query++) {
    for (let key = 0; key < layout.size; key++) {
      const value = (data.values[query * layout.size + key] ?? 0) / data.top
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

function isDim({ dimmed }: MapData, query: number, key: number): boolean {
  return dimmed.has(query) || dimmed.has(key)
}

/** Numbers in the fixed row, where a cell has room and something to say. */
function rowNumbers(data: MapData, layout: MapLayout, theme: Theme): TextMark[] {
  if (layout.cell < 22) return []
  const ramp = rampOf(theme, data.quantity)
  const row = data.values.subarray(data.query * layout.size, (data.query + 1) * layout.size)
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
  return data.labels.flatMap((label, place): TextMark[] => {
    const opacity = data.dimmed.has(place) ? { opacity: 0.55 } : {}
    const shared = {
      kind: 'text',
      text: mapLabel(label),
      size: layout.labelSize,
      ...opacity,
    } as const
    const isQuery = place === data.query
    const isKey = place === data.key
    return [
      {
        ...shared,
        x: layout.left - 8,
        y: layout.top + place * layout.cell + middle + layout.labelSize * 0.35,
        fill: isQuery ? queryColour : muted,
        anchor: 'end',
        bold: isQuery,
      },
      {
        ...shared,
        x: layout.left + place * layout.cell + middle + layout.labelSize * 0.3,
        y: layout.top - 6,
        fill: isKey ? ink : muted,
        anchor: 'start',
        bold: isKey,
        angle: layout.angle,
      },
    ]
  })
}

function fixedRow(data: MapData, layout: MapLayout, theme: Theme): RectMark {
  return {
    kind: 'rect',
    x: layout.left - 2,
    y: layout.top + data.query * layout.cell - 2,
    width: layout.cell * layout.size - layout.gap + 4,
    height: layout.cell - layout.gap + 4,
    fill: 'none',
    stroke: palettes[theme].query,
    strokeWidth: layout.cell >= 16 ? 2 : 1.25,
    radius: 4,
  }
}
