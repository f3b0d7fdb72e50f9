// Every head as a point: the weight of pronouns on their antecedent, against that of the other words
// of the sentence. On the diagonal it makes no difference who looks. Pure.
import { range } from 'd3-array'
import { palettes, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'

export interface ScatterPoint {
  name: string
  /** Weights; NaN is left out. */
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
  title: string
}

const [left, right, top, bottom] = [42, 16, 14, 42]
const size = 11.5

export function scatterScene(data: ScatterData, width: number, theme: Theme): Scene {
  const { background, ink, muted, line, strong, accent, query } = palettes[theme]
  const height = Math.min(440, width * 0.8)
  const weights = data.points.flatMap(({ x, y }) => [x, y]).filter((value) => value > 0)
  /** Both axes end at the same tenth. */
  const tenths = Math.ceil(10 * Math.max(0.1, ...weights))
  const ticks = range(tenths + 1).map((tenth) => tenth / 10)
  const end = tenths / 10
  const xAt = (weight: number): number => left + (weight / end) * (width - left - right)
  const yAt = (weight: number): number => height - bottom - (weight / end) * (height - top - bottom)
  const text = { kind: 'text', size, fill: muted } as const
  const rule = { kind: 'line', stroke: line, strokeWidth: 1 } as const
  const axes = ticks.flatMap((tick): Mark[] => [
    {
      ...rule,
      points: [
        [xAt(tick), yAt(0)],
        [xAt(tick), yAt(end)],
      ],
    },
    {
      ...rule,
      points: [
        [xAt(0), yAt(tick)],
        [xAt(end), yAt(tick)],
      ],
    },
    { ...text, x: xAt(tick), y: yAt(0) + 15, text: tick.toFixed(1), anchor: 'middle' },
    { ...text, x: left - 7, y: yAt(tick) + 4, text: tick.toFixed(1), anchor: 'end' },
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
      const before = x > 0.85 * end
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
      {
        ...rule,
        points: [
          [xAt(0), yAt(0)],
          [xAt(end), yAt(end)],
        ],
        stroke: strong,
        dash: [4, 4],
      },
      { ...text, x: xAt(end) - 4, y: yAt(0.8 * end), text: data.rule, anchor: 'end' },
      ...points,
      { ...text, x: xAt(end / 2), y: height - 6, text: data.x, anchor: 'middle' },
      { ...text, x: xAt(0) + 6, y: yAt(end) + 14, text: data.y },
    ],
  }
}
