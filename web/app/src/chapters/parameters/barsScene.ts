// Rows of bars: what each number of heads, or each variant, costs. A bar is as long as its number;
// it may be cut into slices of heads, or into the matrices it is the sum of. Pure.
import { palettes, rampOf, type Theme } from '../../figures/colour'
import type { Mark, RectMark, Scene } from '../../figures/scene'
import { count } from '../../i18n/numbers'
import { thinnest, tints } from './matricesScene'

export interface Bar {
  label: string
  /** Beside the label, quieter: a symbol and what it is. */
  note: { letter: string; index: string; value: string } | null
  segments: readonly Segment[]
  total: number
  chosen: boolean
}

export interface Segment {
  value: number
  /** Equal slices of heads that it is cut into, the first of which stands out; null for none. */
  slices: number | null
  /** Step of the colour ramp, for segments in one piece. */
  tint: number
}

export const rowHeight = 26
const barHeight = 16

export function barsScene(
  bars: readonly Bar[],
  width: number,
  labelWidth: number,
  title: string,
  theme: Theme,
): Scene {
  const totalWidth = 84
  const room = Math.max(40, width - labelWidth - totalWidth)
  const largest = Math.max(...bars.map(({ total }) => total))
  const marks = bars.flatMap((bar, row) => {
    const y = row * rowHeight
    return [
      ...labels(bar, y, width, theme),
      ...segments(bar, labelWidth, y + (rowHeight - barHeight) / 2, room / largest, theme),
    ]
  })
  return {
    width,
    height: bars.length * rowHeight,
    background: palettes[theme].background,
    title,
    marks,
  }
}

function labels(bar: Bar, y: number, width: number, theme: Theme): Mark[] {
  const { ink, muted, accent } = palettes[theme]
  const baseline = y + rowHeight / 2 + 4.5
  const fill = bar.chosen ? accent : ink
  return [
    { kind: 'text', x: 0, y: baseline, text: bar.label, size: 13, fill, bold: bar.chosen },
    ...(bar.note ? noteMarks(bar.note, baseline, muted) : []),
    {
      kind: 'text',
      x: width,
      y: baseline,
      text: count(bar.total),
      size: 12.5,
      fill,
      bold: bar.chosen,
      anchor: 'end',
    },
  ]
}

function noteMarks(note: NonNullable<Bar['note']>, baseline: number, fill: string): Mark[] {
  const { letter, index, value } = note
  const text = { kind: 'text', fill, y: baseline } as const
  return [
    { ...text, x: 68, text: letter, size: 12 },
    { ...text, x: 75.5, y: baseline + 3, text: index, size: 9 },
    { ...text, x: 84 + (index.length - 1) * 4.5, text: `= ${value}`, size: 12 },
  ]
}

function segments(bar: Bar, left: number, y: number, scale: number, theme: Theme): RectMark[] {
  const { css } = rampOf(theme, 'weight')
  let x = left
  return bar.segments.flatMap(({ value, slices, tint }) => {
    const start = x
    const length = value * scale
    x += length
    const rect = (offset: number, width: number, fill: string): RectMark => {
      return { kind: 'rect', x: start + offset, y, width, height: barHeight, fill }
    }
    if (slices === null) return [rect(0, Math.max(0.5, length - 1), css[tint] ?? 'none')]
    const thick = length / slices
    const drawn = thick >= thinnest ? slices : 1
    const pieces = Array.from({ length: drawn }, (_, place) => {
      const step = drawn === 1 ? tint : place % 2 === 0 ? tints.even : tints.odd
      return rect((place * length) / drawn, length / drawn, css[step] ?? 'none')
    })
    const first = rect(0, Math.max(1, thick), palettes[theme].accent)
    return [...pieces, first]
  })
}
