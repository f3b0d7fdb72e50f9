// Measured times as bars: the median, with a whisker from the quarter below it to that above. Pure.
import { palettes, rampOf, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'
import type { Spread } from './measure/timing'

export interface TimeBar {
  name: string
  /** What stands at the end of the line. */
  text: string
  /** Median and quartiles of what is drawn, in any unit. */
  value: Pick<Spread, 'median' | 'low' | 'high'>
  strong: boolean
}

/** Bars that are compared with each other and with no others. */
export interface TimeGroup {
  name: string
  bars: readonly TimeBar[]
}

const rowHeight = 38
const headHeight = 24
const barHeight = 12

export function timesScene(
  groups: readonly TimeGroup[],
  width: number,
  title: string,
  theme: Theme,
): Scene {
  const marks: Mark[] = []
  const { ink, background } = palettes[theme]
  let y = 0
  for (const { name, bars } of groups) {
    if (name !== '') {
      marks.push({ kind: 'text', x: 0, y: y + 15, text: name, size: 12.5, fill: ink, bold: true })
      y += headHeight
    }
    const longest = Math.max(...bars.map(({ value }) => value.high))
    for (const bar of bars) {
      marks.push(...barMarks(bar, y, width, longest, theme))
      y += rowHeight
    }
    y += 6
  }
  return { width, height: y, background, title, marks }
}

function barMarks(
  { name, text, value, strong }: TimeBar,
  y: number,
  width: number,
  longest: number,
  theme: Theme,
): Mark[] {
  const { ink, muted, accent } = palettes[theme]
  const pale = rampOf(theme, 'weight').css[110] ?? 'none'
  const scale = (width - 2) / longest
  const label = { kind: 'text', y: y + 13, size: 12.5 } as const
  const middle = y + 19 + barHeight / 2
  const thin = { kind: 'rect', fill: ink, height: 1.5 } as const
  const end = { kind: 'rect', fill: ink, width: 1.5, height: 8, y: middle - 4 } as const
  return [
    { ...label, x: 0, text: name, fill: muted },
    { ...label, x: width, text, fill: ink, anchor: 'end' },
    {
      ...{ kind: 'rect', x: 0, y: y + 19, height: barHeight, radius: 2 },
      width: Math.max(1, value.median * scale),
      fill: strong ? accent : pale,
    },
    {
      ...{ ...thin, x: value.low * scale, y: middle - 0.75 },
      width: Math.max(0.5, (value.high - value.low) * scale),
    },
    { ...end, x: value.low * scale },
    { ...end, x: value.high * scale },
  ]
}
