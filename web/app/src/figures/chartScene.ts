// A chart as a scene: grid, bars, lines, rules, axes, names. Pure.
import type { ChartData, ChartSeries, Tone } from './chart'
import { nameSize, sampleWidth, tickSize, xAt, yAt, type ChartLayout } from './chartLayout'
import { palettes, type Palette, type Theme } from './colour'
import { mapLabel } from './mapLayout'
import type { LineMark, Mark, RectMark, Scene, TextMark } from './scene'

export function chartScene(data: ChartData, layout: ChartLayout, theme: Theme): Scene {
  const palette = palettes[theme]
  return {
    width: layout.width,
    height: layout.height,
    background: palette.background,
    title: data.title,
    marks: [
      ...part('grid', grid(layout, palette)),
      ...part('bars', bars(data, layout, palette)),
      ...data.series.flatMap((series) =>
        series.kind === 'line' ? part(series.id, lineMarks(series, layout, palette)) : [],
      ),
      ...part('rules', rules(data, layout, palette)),
      ...part('axes', axes(data, layout, palette)),
      ...part('legend', legend(data, layout, palette)),
    ],
  }
}

const part = (name: string, marks: readonly Mark[]): Mark[] =>
  marks.map((mark) => ({ ...mark, part: name }))

const toneOf = (tone: Tone, palette: Palette): string => palette[tone]

function grid(layout: ChartLayout, { line }: Palette): LineMark[] {
  return layout.y.ticks.flatMap(({ value }): LineMark[] => {
    const y = yAt(layout, value)
    if (Number.isNaN(y)) return []
    const points = [[layout.left, y] as const, [layout.right, y] as const]
    return [{ kind: 'line', points, stroke: line, strokeWidth: 1 }]
  })
}

/** Bars of several series stand side by side at their place. */
function bars(data: ChartData, layout: ChartLayout, palette: Palette): RectMark[] {
  const all = data.series.filter(({ kind }) => kind === 'bar')
  const together = data.barWidth ?? 0.8
  const each = together / all.length
  const zero = base(layout)
  return all.flatMap((series, place) =>
    series.points.flatMap(({ x, y }): RectMark[] => {
      const start = x - together / 2 + place * each
      const [left, right] = [xAt(layout, start), xAt(layout, start + each)]
      const end = clampedY(layout, y)
      if ([left, right, end].some(Number.isNaN)) return []
      const gap = right - left > 5 ? 1 : 0
      return [
        {
          kind: 'rect',
          x: left,
          y: Math.min(zero, end),
          width: Math.max(0.5, right - left - gap),
          height: Math.abs(zero - end),
          ...filling(series, palette),
        },
      ]
    }),
  )
}

/** A bar is full, or hollow for a dashed series. */
function filling(
  { tone, dashed = false }: ChartSeries,
  palette: Palette,
): Pick<RectMark, 'fill' | 'stroke' | 'strokeWidth'> {
  const colour = toneOf(tone, palette)
  return dashed ? { fill: 'none', stroke: colour, strokeWidth: 1.25 } : { fill: colour }
}

/** Where bars begin: at 0 where that is in the plot, else at its lower edge. */
function base(layout: ChartLayout): number {
  const zero = yAt(layout, 0)
  return Number.isNaN(zero) ? layout.bottom : zero
}

function clampedY({ y, top, bottom }: ChartLayout, value: number): number {
  const share = y.at(value)
  return bottom - Math.min(1, Math.max(0, share)) * (bottom - top)
}

/** A line for each stretch without a gap, and dots. */
function lineMarks(series: ChartSeries, layout: ChartLayout, palette: Palette): Mark[] {
  const stroke = toneOf(series.tone, palette)
  const stretches: (readonly [number, number])[][] = [[]]
  for (const { x, y } of series.points) {
    const at = [xAt(layout, x), yAt(layout, y)] as const
    if (at.some(Number.isNaN)) stretches.push([])
    else stretches.at(-1)?.push(at)
  }
  const lines = stretches.filter(({ length }) => length > 1)
  const lonely = stretches.flatMap((points) => (points.length === 1 ? points : []))
  const dots = series.dots === true ? stretches.flat() : lonely
  return [
    ...lines.map((points): LineMark => {
      const dash = series.dashed === true ? { dash: [6, 4] } : {}
      return { kind: 'line', points, stroke, strokeWidth: 2, ...dash }
    }),
    ...dots.map((at) => dot(at, stroke, series.dashed === true, palette)),
  ]
}

/** A filled disc; a hollow one for dashed lines. */
function dot(
  [x, y]: readonly [number, number],
  stroke: string,
  hollow: boolean,
  { background }: Palette,
): RectMark {
  const side = 7
  const fill = hollow ? background : stroke
  const place = { x: x - side / 2, y: y - side / 2, width: side, height: side }
  return { kind: 'rect', ...place, radius: side / 2, fill, stroke, strokeWidth: 1.5 }
}

function rules(data: ChartData, layout: ChartLayout, { ink, muted }: Palette): Mark[] {
  return (data.rules ?? []).flatMap(({ axis, value, name }, place): Mark[] => {
    const { left, right, top, bottom } = layout
    const at = axis === 'x' ? xAt(layout, value) : yAt(layout, value)
    if (Number.isNaN(at)) return []
    const points =
      axis === 'x'
        ? ([[at, top] as const, [at, bottom] as const] as const)
        : ([[left, at] as const, [right, at] as const] as const)
    const late = axis === 'x' && at > (left + right) / 2
    const label: TextMark = {
      kind: 'text',
      x: axis === 'x' ? at + (late ? -5 : 5) : right,
      // Names of upright lines stand one below the other.
      y: axis === 'x' ? top + 10 + place * 14 : at - 5,
      text: name,
      size: tickSize,
      fill: muted,
      anchor: axis === 'y' || late ? 'end' : 'start',
      symbols: true,
    }
    return [{ kind: 'line', points, stroke: ink, strokeWidth: 1, dash: [2, 3] }, label]
  })
}

function axes(data: ChartData, layout: ChartLayout, { muted, strong }: Palette): Mark[] {
  const { left, right, top, height } = layout
  const zero = base(layout)
  const name = { kind: 'text', size: tickSize, fill: muted, symbols: true } as const
  return [
    {
      kind: 'line',
      points: [
        [left, zero],
        [right, zero],
      ],
      stroke: strong,
      strokeWidth: 1,
    },
    ...yTicks(layout, muted),
    ...xTicks(layout, muted),
    { ...name, x: 0, y: top - 11, text: data.y.name },
    { ...name, x: right, y: height - 4, text: data.x.name, anchor: 'end' },
  ]
}

function yTicks(layout: ChartLayout, fill: string): TextMark[] {
  return layout.y.ticks.flatMap(({ value, label }): TextMark[] => {
    const y = yAt(layout, value)
    if (Number.isNaN(y)) return []
    const text = { kind: 'text', text: label, size: tickSize, fill } as const
    return [{ ...text, x: layout.left - 6, y: y + 3.8, anchor: 'end' }]
  })
}

function xTicks(layout: ChartLayout, fill: string): TextMark[] {
  const angle = -50
  return layout.x.ticks.flatMap(({ value, label }): TextMark[] => {
    const x = xAt(layout, value)
    if (Number.isNaN(x)) return []
    const text = { kind: 'text', size: tickSize, fill } as const
    if (layout.turned) {
      const place = { x: x + 4, y: layout.bottom + 12 }
      return [{ ...text, ...place, text: mapLabel(label), anchor: 'end', angle }]
    }
    return [{ ...text, text: label, x, y: layout.bottom + 15, anchor: 'middle' }]
  })
}

/** The sample of a series looks as it does in the plot. */
function legend(data: ChartData, layout: ChartLayout, palette: Palette): Mark[] {
  return layout.legend.flatMap(({ x, y }, place): Mark[] => {
    const series = data.series[place]
    if (!series) return []
    const middle = y + 8
    return [
      ...sample(series, x, middle, palette),
      {
        kind: 'text',
        x: x + sampleWidth + 7,
        y: middle + 4.2,
        text: series.name,
        size: nameSize,
        fill: palette.ink,
        symbols: true,
      },
    ]
  })
}

function sample(series: ChartSeries, x: number, y: number, palette: Palette): Mark[] {
  const stroke = toneOf(series.tone, palette)
  const dashed = series.dashed === true
  if (series.kind === 'bar') {
    const box = { x: x + 5, y: y - 5, width: 12, height: 10 }
    return [{ kind: 'rect', ...box, ...filling(series, palette) }]
  }
  const points = [[x, y] as const, [x + sampleWidth, y] as const]
  const dash = dashed ? { dash: [6, 4] } : {}
  const line: LineMark = { kind: 'line', points, stroke, strokeWidth: 2, ...dash }
  const middle = [x + sampleWidth / 2, y] as const
  return series.dots === true ? [line, dot(middle, stroke, dashed, palette)] : [line]
}
