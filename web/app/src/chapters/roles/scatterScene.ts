// Every head as a point: how often pronouns prefer their antecedent, against how often the other words
// do. On the diagonal it makes no difference who looks. Pure.
import { palettes, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'

export interface ScatterPoint {
  name: string
  /** Shares from 0 to 1; NaN is left out. */
  x: number
  y: number
  /** Whether its name stands beside it. */
  named: boolean
  opened: boolean
}

export interface ScatterData {
  points: readonly ScatterPoint[]
  x: string
  y: string
  /** Name of the diagonal. */
  rule: string
  /** A line across, with its name. */
  level: { value: number; name: string }
  title: string
}

const [left, right, top, bottom] = [42, 16, 14, 42]
const ticks = [0, 0.25, 0.5, 0.75, 1]
const size = 11.5

export function scatterScene(data: ScatterData, width: number, theme: Theme): Scene {
  const { background, ink, muted, line, strong, accent, query } = palettes[theme]
  const height = Math.min(440, width * 0.8)
  const xAt = (share: number): number => left + share * (width - left - right)
  const yAt = (share: number): number => height - bottom - share * (height - top - bottom)
  const text = { kind: 'text', size, fill: muted } as const
  const rule = { kind: 'line', stroke: line, strokeWidth: 1 } as const
  const axes = ticks.flatMap((tick): Mark[] => [
    { ...rule, points: [[xAt(tick), yAt(0)], [xAt(tick), yAt(1)]] },
    { ...rule, points: [[xAt(0), yAt(tick)], [xAt(1), yAt(tick)]] },
    { ...text, x: xAt(tick), y: yAt(0) + 15, text: String(tick), anchor: 'middle' },
    { ...text, x: left - 7, y: yAt(tick) + 4, text: String(tick), anchor: 'end' },
  ])
  const points = data.points
    .filter(({ x, y }) => !Number.isNaN(x + y))
    .flatMap(({ name, x, y, named, opened }): Mark[] => {
      const side = opened ? 9 : 6
      const square: Mark = {
        kind: 'rect',
        x: xAt(x) - side / 2,
        y: yAt(y) - side / 2,
        width: side,
        height: side,
        fill: opened ? query : accent,
        opacity: opened || named ? 1 : 0.55,
        radius: 1,
      }
      if (!named && !opened) return [square]
      const before = x > 0.85
      return [
        square,
        {
          ...text,
          x: xAt(x) + (before ? -9 : 9),
          y: yAt(y) + 4,
          text: name,
          fill: ink,
          bold: opened,
          anchor: before ? 'end' : 'start',
        },
      ]
    })
  return {
    width,
    height,
    background,
    title: data.title,
    marks: [
      ...axes,
      { ...rule, points: [[xAt(0), yAt(0)], [xAt(1), yAt(1)]], stroke: strong, dash: [4, 4] },
      { ...text, x: xAt(0.04), y: yAt(0.1), text: data.rule },
      {
        ...rule,
        points: [[xAt(0), yAt(data.level.value)], [xAt(1), yAt(data.level.value)]],
        stroke: strong,
      },
      { ...text, x: xAt(0.01), y: yAt(data.level.value) - 5, text: data.level.name },
      ...points,
      { ...text, x: xAt(0.5), y: height - 6, text: data.x, anchor: 'middle' },
      { ...text, x: xAt(0.01), y: yAt(1) + 14, text: data.y },
    ],
  }
}
