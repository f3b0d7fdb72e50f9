// What each head adds for one token: a bar a head with its name, then the bias and the sum of all.
// Pure.
import { headColour, palettes, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'
import { decimal } from '../../i18n/numbers'

export interface Add {
  name: string
  length: number
  /** Its head; null for what is no head. */
  head: number | null
  chosen: boolean
}

export const rowHeight = 22
const barHeight = 12
const valueWidth = 52

export function addsScene(
  adds: readonly Add[],
  width: number,
  labelWidth: number,
  title: string,
  theme: Theme,
): Scene {
  const { background } = palettes[theme]
  const longest = Math.max(...adds.map(({ length }) => length), 1e-9)
  const room = Math.max(40, width - labelWidth - valueWidth)
  return {
    width,
    height: adds.length * rowHeight,
    background,
    title,
    marks: adds.flatMap((add, place) =>
      rowMarks(add, place * rowHeight, (add.length / longest) * room, labelWidth, theme),
    ),
  }
}

function rowMarks(
  { name, length, head, chosen }: Add,
  y: number,
  long: number,
  labelWidth: number,
  theme: Theme,
): Mark[] {
  const { ink, muted } = palettes[theme]
  const text = { kind: 'text', y: y + 15, size: 12, bold: chosen } as const
  const fill = chosen ? ink : muted
  return [
    { ...text, x: 0, text: name, fill },
    {
      kind: 'rect',
      x: labelWidth,
      y: y + (rowHeight - barHeight) / 2,
      width: Math.max(1, long),
      height: barHeight,
      radius: 2,
      fill: head === null ? muted : headColour(theme, head),
      opacity: chosen || head === null ? 1 : 0.6,
    },
    { ...text, x: labelWidth + Math.max(1, long) + 7, text: decimal(length), fill },
  ]
}
