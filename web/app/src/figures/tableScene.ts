// A table as a picture, for the files of figures that are tables on the page. Pure.
import { palettes, type Theme } from './colour'
import { roughWidth, type Mark, type Scene } from './scene'

export interface TableGroup {
  /** Stands above its rows; empty for none. */
  title: string
  /** Cells as they are printed; the first one is the row's name. */
  rows: readonly (readonly string[])[]
}

const [margin, line, size, gap] = [16, 23, 13, 22]

export function tableScene(
  columns: readonly string[],
  groups: readonly TableGroup[],
  title: string,
  theme: Theme,
): Scene {
  const { background, ink, muted } = palettes[theme]
  const all = [columns, ...groups.flatMap(({ rows }) => rows)]
  const widths = columns.map((_, place) =>
    Math.max(...all.map((cells) => roughWidth(cells[place] ?? '', size))),
  )
  const ends = widths.map((_, place) =>
    widths.slice(0, place + 1).reduce((sum, width) => sum + width + gap, margin - gap),
  )
  const marks: Mark[] = []
  let y = margin + size
  const write = (cells: readonly string[], fill: string, bold: boolean): void => {
    cells.forEach((text, place) => {
      const [x, anchor] =
        place === 0 ? [margin, 'start' as const] : [ends[place] ?? 0, 'end' as const]
      marks.push({ kind: 'text', x, y, text, size, fill, bold, anchor, symbols: true })
    })
    y += line
  }
  write(columns, muted, false)
  for (const group of groups) {
    if (group.title !== '') write([group.title], ink, true)
    for (const row of group.rows) write(row, ink, false)
  }
  return { width: (ends.at(-1) ?? 0) + margin, height: y - line + margin, background, title, marks }
}
