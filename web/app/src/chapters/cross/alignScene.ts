// Two lists of words, the source left and the translation right, and a line from every word of the
// translation to the word it is joined to. Pure.
import { palettes, type Theme } from '../../figures/colour'
import { roughWidth, type Mark, type Scene } from '../../figures/scene'
import type { Join } from './alignment'

export interface AlignData {
  source: readonly string[]
  written: readonly string[]
  joins: readonly Join[]
  /** Words that nothing is joined to. */
  special: { source: ReadonlySet<number>; written: ReadonlySet<number> }
  /** The word of the step that is looked at. */
  chosen: number | null
  columns: readonly [source: string, written: string]
  print: (weight: number) => string
  title: string
}

const [size, line, head, pad] = [14, 26, 34, 12]
/** The gap in which the lines run. */
const [leastGap, mostGap] = [70, 240]

export function alignScene(data: AlignData, width: number, theme: Theme): Scene {
  const { background, muted, ink, query } = palettes[theme]
  const { source, written, joins, special, chosen, columns, title } = data
  const widest = (words: readonly string[]): number =>
    Math.max(...words.map((word) => roughWidth(word, size)))
  const [left, right] = [widest([...source, columns[0]]), widest([...written, columns[1]]) + 44]
  const gap = Math.max(leastGap, Math.min(mostGap, width - left - right - 2 * pad))
  const [from, to] = [left + pad, left + pad + gap]
  const rows = Math.max(source.length, written.length)
  const y = (row: number): number => head + (row + 0.5) * line
  const word = (text: string, row: number, side: 'source' | 'written'): Mark => ({
    kind: 'text',
    text,
    size,
    x: side === 'source' ? from - 8 : to + 8,
    y: y(row) + 5,
    anchor: side === 'source' ? 'end' : 'start',
    fill: special[side].has(row) ? muted : side === 'written' && row === chosen ? query : ink,
    bold: side === 'written' && row === chosen,
  })
  return {
    width: to + right + pad,
    height: head + rows * line + 6,
    background,
    title,
    marks: [
      { ...heading(columns[0], from - 8, 'end'), fill: muted },
      { ...heading(columns[1], to + 8, 'start'), fill: muted },
      ...joins.map((join) => joint(join, data, { from, to, y }, theme)),
      ...source.map((text, row) => word(text, row, 'source')),
      ...written.map((text, row) => word(text, row, 'written')),
      ...joins.map(({ row, weight }): Mark => ({
        kind: 'text',
        text: data.print(weight),
        size: 11,
        x: to + 16 + roughWidth(written[row] ?? '', size),
        y: y(row) + 5,
        fill: muted,
      })),
    ],
  }
}

const heading = (text: string, x: number, anchor: 'start' | 'end') =>
  ({ kind: 'text', text, size: 12, x, y: 18, anchor, fill: '' }) as const

function joint(
  { row, column, weight }: Join,
  { chosen }: AlignData,
  { from, to, y }: { from: number; to: number; y: (row: number) => number },
  theme: Theme,
): Mark {
  const { query, accent } = palettes[theme]
  return {
    kind: 'line',
    points: [
      [from, y(column)],
      [to, y(row)],
    ],
    stroke: row === chosen ? query : accent,
    strokeWidth: 0.75 + 3.25 * weight,
    opacity: 0.35 + 0.65 * weight,
  }
}
