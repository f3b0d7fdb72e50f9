// The weight matrices of a layer at one scale, so that area is the number of weights, cut into the
// slices of the heads; the slice of the first head stands out. Pure.
import { palettes, rampOf, type Theme } from '../../figures/colour'
import { roughWidth, type Mark, type RectMark, type Scene } from '../../figures/scene'
import { count } from '../../i18n/numbers'
import type { Matrix, MatrixId } from './counts'

/** What of a shape with left-over columns is drawn: nobody's columns stand apart. */
export interface LeftOver {
  columns: number
}

/** Upper indices of the matrices' names, as the papers write them. */
export const matrixIndex: Record<MatrixId, string> = {
  query: 'Q',
  key: 'K',
  value: 'V',
  output: 'O',
  queryDown: 'DQ',
  queryUp: 'UQ',
  queryRotary: 'QR',
  latentDown: 'DKV',
  keyRotary: 'KR',
  keyUp: 'UK',
  valueUp: 'UV',
}

/** Tints of neighbouring slices, and of a matrix whose slices are too thin to be drawn. */
export const tints = { even: 46, odd: 78, thin: 62 } as const
/** Thinner slices are not drawn one by one. */
export const thinnest = 3

const titleHeight = 26
const footHeight = 38
const gap = 18
const maximumSide = 200

export function matricesScene(
  matrices: readonly Matrix[],
  /** h: the only head owns whole matrices too, of several none does. */
  heads: number,
  left: LeftOver | null,
  width: number,
  title: string,
  theme: Theme,
): Scene {
  const columns = width < 520 ? 2 : 4
  const cell = (width - gap * (columns - 1)) / columns
  const longest = Math.max(...matrices.flatMap(({ inputs, outputs }) => [inputs, outputs]))
  const scale = Math.min(cell, maximumSide) / longest
  const rows = chunks(matrices, columns)
  let y = 0
  const marks = rows.flatMap((row) => {
    const top = y + titleHeight
    const tallest = Math.max(...row.map(({ inputs }) => inputs)) * scale
    y = top + tallest + footHeight
    return row.flatMap((matrix, place) => {
      const x = place * (cell + gap)
      return [
        ...labels(matrix, x, top, cell, scale, theme),
        ...slices(matrix, heads, left, x, top, scale, theme),
      ]
    })
  })
  return { width, height: Math.ceil(y), background: palettes[theme].background, title, marks }
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, row) =>
    list.slice(row * size, (row + 1) * size),
  )
}

function labels(
  matrix: Matrix,
  x: number,
  top: number,
  cell: number,
  scale: number,
  theme: Theme,
): Mark[] {
  const { ink, muted } = palettes[theme]
  const foot = top + matrix.inputs * scale
  const shape = `${String(matrix.inputs)} × ${String(matrix.outputs)}`
  const size = roughWidth(shape, 12) > cell ? 10.5 : 12
  const text = { kind: 'text', x, fill: muted } as const
  return [
    { ...text, y: top - 8, text: 'W', size: 15, fill: ink, bold: true },
    { ...text, x: x + 15, y: top - 13, text: matrixIndex[matrix.id], size: 10, fill: ink },
    { ...text, y: foot + 15, text: shape, size },
    { ...text, y: foot + 30, text: count(matrix.weights), size: 12, fill: ink, bold: true },
  ]
}

function slices(
  matrix: Matrix,
  heads: number,
  left: LeftOver | null,
  x: number,
  y: number,
  scale: number,
  theme: Theme,
): RectMark[] {
  const { css } = rampOf(theme, 'weight')
  const fill = (step: number): string => css[step] ?? 'none'
  const { byInputs } = matrix
  const whole = { width: matrix.outputs * scale, height: matrix.inputs * scale }
  const length = byInputs ? whole.height : whole.width
  const used = left === null ? 1 : 1 - left.columns / (byInputs ? matrix.inputs : matrix.outputs)
  const thick = (length * used) / matrix.slices
  const slice = (start: number, thickness: number, colour: string): RectMark => ({
    kind: 'rect',
    x: byInputs ? x : x + start,
    y: byInputs ? y + start : y,
    width: byInputs ? whole.width : thickness,
    height: byInputs ? thickness : whole.height,
    fill: colour,
  })
  const cut = matrix.slices > 1
  const drawn = cut && thick >= thinnest ? matrix.slices : 1
  const all = Array.from({ length: drawn }, (_, head) => {
    const step = drawn === 1 ? tints.thin : head % 2 === 0 ? tints.even : tints.odd
    const gapless = drawn === 1 ? length * used : thick
    return slice(head * gapless, gapless, fill(step))
  })
  const first = cut || heads === 1 ? [slice(0, Math.max(1, thick), palettes[theme].accent)] : []
  const nobody =
    left === null
      ? []
      : [slice(length * used, Math.max(1, length * (1 - used)), palettes[theme].query)]
  return [...all, ...first, ...nobody]
}
