// Bars of bytes: what has been moved in the strong colour, what is still to come in a pale one. Pure.
import { palettes, rampOf, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'
import { bytesText } from './words'

export interface MovedBar {
  name: string
  part: number
  whole: number
}

const rowHeight = 40
const barHeight = 14

export function movedScene(
  bars: readonly MovedBar[],
  width: number,
  title: string,
  theme: Theme,
): Scene {
  const { ink, muted, accent, line, background } = palettes[theme]
  const pale = rampOf(theme, 'weight').css[40] ?? 'none'
  const largest = Math.max(...bars.map(({ whole }) => whole))
  const marks = bars.flatMap(({ name, part, whole }, row): Mark[] => {
    const y = row * rowHeight
    const text = { kind: 'text', y: y + 13, size: 12.5 } as const
    const bar = { kind: 'rect', x: 0.5, y: y + 19.5, height: barHeight, radius: 2 } as const
    const numbers = part === whole ? bytesText(whole) : `${bytesText(part)} / ${bytesText(whole)}`
    return [
      { ...text, x: 0, text: name, fill: muted },
      { ...text, x: width, text: numbers, fill: ink, anchor: 'end' },
      { ...bar, width: (width - 1) * (whole / largest), fill: pale, stroke: line },
      { ...bar, width: Math.max(0.01, (width - 1) * (part / largest)), fill: accent },
    ]
  })
  return { width, height: bars.length * rowHeight, background, title, marks }
}
