// An equation between matrices as a scene: cells, names, shapes, the tokens' labels, the bands that
// say which columns belong to which head. Pure.
import {
  headColour,
  palettes,
  rampOf,
  rampStep,
  signedRampOf,
  signedStep,
} from '../../figures/colour'
import type { Ramp, Theme } from '../../figures/colour'
import { mapLabel } from '../../figures/mapLayout'
import { rasteriseSigned } from '../../figures/raster'
import { roughWidth } from '../../figures/scene'
import type { ImageMark, Mark, RectMark, Scene, TextMark } from '../../figures/scene'
import { decimal } from '../../i18n/numbers'
import type { MatrixId } from '../../state/stepsView'
import {
  areaOf,
  isUpright,
  layoutStyle,
  longestLabel,
  type Box,
  type EquationLayout,
} from './equationLayout'
import { largest, magnitudeAt, type Matrix } from './matrix'

export interface EquationData {
  matrixOf: (id: MatrixId) => Matrix
  labels: readonly string[]
  /** The fixed token, whose row is marked. */
  token: number
  heads: number
  head: number
  title: string
}

/** From so many cells on the strongest share the full colour. */
const many = 400
const share = 0.99

/** What has the full colour: 1 for weights, the same in every figure; else what its numbers reach. */
export function topOf(id: MatrixId, matrix: Matrix): number {
  if (id === 'weights') return 1
  if (matrix.rows * matrix.columns < many) return largest(matrix)
  return magnitudeAt(matrix, share) || largest(matrix)
}

export function equationScene(layout: EquationLayout, data: EquationData, theme: Theme): Scene {
  return {
    width: layout.width,
    height: layout.height,
    background: palettes[theme].background,
    title: data.title,
    marks: [...cellMarks(layout, data, theme), ...frameMarks(layout, data, theme)],
  }
}

/** The cells alone: the part that costs something to make. */
export function cellMarks(layout: EquationLayout, data: EquationData, theme: Theme): Mark[] {
  return layout.boxes.flatMap((box): Mark[] => {
    const matrix = data.matrixOf(box.item.id)
    return layout.numbers ? numberCells(box, matrix, theme) : [picture(box, matrix, theme)]
  })
}

function rampFor(id: MatrixId, theme: Theme): { ramp: Ramp; step: (share: number) => number } {
  if (id === 'weights') {
    return { ramp: rampOf(theme, 'weight'), step: (share) => rampStep(share, 1) }
  }
  return { ramp: signedRampOf(theme), step: signedStep }
}

/** A packed colour for cells that the mask hides. */
function packed(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0
}

function picture(box: Box, matrix: Matrix, theme: Theme): ImageMark {
  const { id } = box.item
  const [wide, high] = [
    Math.min(matrix.columns, Math.round(box.width * 2)),
    Math.min(matrix.rows, Math.round(box.height * 2)),
  ]
  // Weights run from 0 on, in the upper half of a signed ramp whose neutral is their zero.
  const source = { ...matrix, top: topOf(id, matrix) }
  const hidden = packed(palettes[theme].line)
  const pixels = rasteriseSigned(source, signedRampOf(theme), wide, high, hidden)
  const { x, y, width, height } = box
  return { kind: 'image', x, y, width, height, pixels, pixelWidth: wide, pixelHeight: high }
}

function numberCells(box: Box, matrix: Matrix, theme: Theme): Mark[] {
  const top = topOf(box.item.id, matrix)
  const { ramp, step } = rampFor(box.item.id, theme)
  const marks: Mark[] = []
  for (let row = 0; row < matrix.rows; row++) {
    for (let column = 0; column < matrix.columns; column++) {
      const value = matrix.at(row, column)
      const hidden = !Number.isFinite(value)
      const shade = step(top > 0 && !hidden ? value / top : 0)
      const { x, y, width, height } = areaOf(box, row, column)
      marks.push({
        kind: 'rect',
        x: x + 0.5,
        y: y + 0.5,
        width: width - 1,
        height: height - 1,
        radius: 2,
        fill: hidden ? palettes[theme].line : (ramp.css[shade] ?? 'none'),
      })
      const text = shortNumber(value)
      marks.push({
        kind: 'text',
        x: x + width / 2,
        y: y + height / 2 + 4.5,
        text,
        size: roughWidth(text, 13) > width - 4 ? 11 : 13,
        fill: hidden ? palettes[theme].muted : (ramp.ink[shade] ?? ''),
        anchor: 'middle',
      })
    }
  }
  return marks
}

/** Whole numbers as they are, others with two decimals. */
export function shortNumber(value: number): string {
  return decimal(value, Math.abs(value - Math.round(value)) < 5e-7 ? 0 : 2)
}

/** Everything around the cells. */
export function frameMarks(layout: EquationLayout, data: EquationData, theme: Theme): Mark[] {
  const { muted } = palettes[theme]
  const signs = layout.signs.map(({ text, x, y }): TextMark => {
    return { kind: 'text', x, y: y + 6, text, size: layoutStyle.signSize, fill: muted }
  })
  return [...signs, ...layout.boxes.flatMap((box) => boxMarks(box, layout, data, theme))]
}

function boxMarks(box: Box, layout: EquationLayout, data: EquationData, theme: Theme): Mark[] {
  const { line } = palettes[theme]
  const { x, y, width, height } = box
  const frame: RectMark = { kind: 'rect', x, y, width, height, fill: 'none', stroke: line }
  return [
    ...(layout.numbers ? [] : [frame]),
    ...nameMarks(box, theme),
    ...labelMarks(box, data, theme),
    ...bandMarks(box, data, theme),
    ...fixedRow(box, data, theme),
  ]
}

function nameMarks(box: Box, theme: Theme): TextMark[] {
  const { ink, muted } = palettes[theme]
  const { letter, upper, lower } = box.item
  const x = box.x
  const above = box.item.axes[1] === 'heads' ? layoutStyle.bandHeight + 2 : 0
  const y = box.columnLabels ? box.y + box.height + 17 : box.y - above - 9
  const at = x + roughWidth(letter, 15) + 4
  const name = { kind: 'text', fill: ink, size: 10 } as const
  const shape = `${String(box.rows)} × ${String(box.columns)}`
  const shapeX = box.columnLabels ? at + 20 : x
  const shapeY = box.y + box.height + 16
  return [
    { ...name, x, y, text: letter, size: 15, bold: true },
    ...(upper === '' ? [] : [{ ...name, x: at, y: y - 6, text: upper }]),
    ...(lower === '' ? [] : [{ ...name, x: at, y: y + 3, text: lower }]),
    { kind: 'text', x: shapeX, y: shapeY, text: shape, size: 11.5, fill: muted },
  ]
}

function labelMarks(box: Box, { labels, token }: EquationData, theme: Theme): TextMark[] {
  const { muted, query } = palettes[theme]
  const size = layoutStyle.labelSize
  const text = (place: number) => mapLabel(labels[place] ?? '')
  const rows = box.rowLabels ? labels.map((_, place) => place) : []
  const columns = box.columnLabels ? labels.map((_, place) => place) : []
  const [wide, high] = [box.width / box.columns, box.height / box.rows]
  const upright = isUpright(longestLabel(labels), wide)
  return [
    ...rows.map((place): TextMark => ({
      kind: 'text',
      x: box.x - 6,
      y: box.y + (place + 0.5) * high + 4,
      text: text(place),
      size,
      anchor: 'end',
      fill: place === token ? query : muted,
      bold: place === token,
    })),
    ...columns.map((place): TextMark => ({
      kind: 'text',
      x: box.x + (place + 0.5) * wide + (upright ? 0 : 2),
      y: box.y - 5,
      text: text(place),
      size,
      fill: muted,
      ...(upright ? { anchor: 'middle' } : { angle: -layoutStyle.angle }),
    })),
  ]
}

/** Which slice belongs to which head: its number in its place, and its colour. */
function bandMarks(box: Box, { heads, head }: EquationData, theme: Theme): Mark[] {
  const { background, ink, muted, accent } = palettes[theme]
  const [byRows, byColumns] = box.item.axes.map((axis) => axis === 'heads') as [boolean, boolean]
  if (!byRows && !byColumns) return []
  const long = (byRows ? box.height : box.width) / heads
  const { bandHeight } = layoutStyle
  const every = Math.max(1, Math.ceil(13 / long))
  const slices = Array.from({ length: heads }, (_, place): Mark[] => {
    const start = place * long
    const own = place === head
    const [x, y, width, height] = byRows
      ? [box.x - bandHeight, box.y + start, bandHeight - 3, long]
      : [box.x + start, box.y - bandHeight, long, bandHeight - 3]
    const edge = byRows
      ? { x: box.x, y: box.y + start, width: box.width, height: 1 }
      : { x: box.x + start, y: box.y, width: 1, height: box.height }
    return [
      {
        kind: 'rect',
        x,
        y,
        width,
        height,
        fill: headColour(theme, place),
        opacity: own ? 1 : 0.45,
      },
      ...(place === 0 ? [] : [{ kind: 'rect', ...edge, fill: background, opacity: 0.7 } as const]),
      ...(place % every === 0 || own
        ? [
            {
              kind: 'text',
              x: x + width / 2,
              y: y + height / 2 + 3.5,
              text: String(place),
              size: 9.5,
              anchor: 'middle',
              bold: own,
              fill: own ? background : theme === 'light' ? ink : muted,
            } as const,
          ]
        : []),
    ]
  })
  const own = byRows
    ? { x: box.x, y: box.y + head * long, width: box.width, height: long }
    : { x: box.x + head * long, y: box.y, width: long, height: box.height }
  return [
    ...slices.flat(),
    { kind: 'rect', ...own, fill: 'none', stroke: accent, strokeWidth: 1.5 },
  ]
}

function fixedRow(box: Box, { token }: EquationData, theme: Theme): RectMark[] {
  if (box.item.axes[0] !== 'tokens' || token >= box.rows) return []
  const { x, y, width, height } = areaOf(box, token, null)
  const stroke = palettes[theme].query
  return [
    {
      kind: 'rect',
      x: x - 1,
      y: y - 1,
      width: width + 2,
      height: height + 2,
      fill: 'none',
      stroke,
    },
  ]
}
