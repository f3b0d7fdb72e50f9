// The levels as boxes in boxes, and the axis that crosses them. Pure.
import { palettes, rampOf, type Theme } from '../../figures/colour'
import { roughWidth, type Mark, type Scene } from '../../figures/scene'

type Named = readonly [name: string, about: string]

export interface LevelWords {
  transformer: Named
  layer: Named
  multiHead: Named
  attention: Named
  axis: string
  self: string
  cross: string
}

const inset = 14
const titleHeight = 32
const headHeight = 46
const axisHeight = 62
/** Steps of the ramp, from the outermost box in. */
const tints = [8, 22, 40, 70] as const

export function levelsScene(words: LevelWords, width: number, title: string, theme: Theme): Scene {
  const { ink, muted, strong, background } = palettes[theme]
  const { css } = rampOf(theme, 'weight')
  const marks: Mark[] = []
  const text = (x: number, y: number, content: string, size: number, fill: string): void => {
    marks.push({ kind: 'text', x, y, text: content, size, fill, symbols: true })
  }
  /** A box with its name, and what it is beside it where there is room, else left to the table. */
  const box = (
    [name, about]: Named,
    frame: { x: number; y: number; width: number; height: number },
    depth: number,
  ): void => {
    marks.push({
      kind: 'rect',
      ...frame,
      fill: css[tints[depth] ?? 0] ?? 'none',
      stroke: strong,
      radius: 7,
    })
    marks.push({
      kind: 'text',
      x: frame.x + 12,
      y: frame.y + 21,
      text: name,
      size: 13.5,
      fill: ink,
      bold: true,
    })
    const start = frame.x + 24 + roughWidth(name, 13.5) * 1.04
    if (start + roughWidth(about, 12) < frame.x + frame.width - 8) {
      text(start, frame.y + 21, about, 12, muted)
    }
  }

  const outer = [words.transformer, words.layer, words.multiHead]
  const boxesHeight = outer.length * (titleHeight + inset) + headHeight
  for (const [depth, each] of outer.entries()) {
    const y = depth * titleHeight + 0.5
    const x = depth * inset + 0.5
    box(each, { x, y, width: width - 2 * x, height: boxesHeight - y - depth * inset }, depth)
  }
  const heads = width < 480 ? 2 : 4
  const left = outer.length * inset
  const each = (width - 2 * left + inset) / heads
  for (let head = 0; head < heads; head++) {
    const frame = {
      x: left + head * each,
      y: outer.length * titleHeight + 2,
      width: each - inset,
      height: headHeight - 4,
    }
    box([words.attention[0], head === 0 ? words.attention[1] : ''], frame, 3)
  }

  const line = boxesHeight + 32
  text(0, line - 12, words.axis, 12, muted)
  marks.push({
    kind: 'line',
    points: [
      [6, line],
      [width - 6, line],
    ],
    stroke: strong,
    strokeWidth: 1.5,
  })
  for (const x of [6, width - 6]) {
    marks.push({ kind: 'rect', x: x - 4, y: line - 4, width: 8, height: 8, fill: ink, radius: 4 })
  }
  const isNarrow = roughWidth(words.self + words.cross, 12.5) > width - 20
  text(0, line + 20, words.self, 12.5, ink)
  marks.push({
    kind: 'text',
    x: width,
    y: line + (isNarrow ? 38 : 20),
    text: words.cross,
    size: 12.5,
    fill: ink,
    anchor: 'end',
  })
  const height = boxesHeight + axisHeight + (isNarrow ? 18 : 0)
  return { width, height, background, title, marks }
}
