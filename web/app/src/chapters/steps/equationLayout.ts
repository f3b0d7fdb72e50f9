// Where the matrices of an equation stand: beside each other while there is room, then on the next
// line. Large matrices are condensed, small ones have cells that hold a number. Pure.
import { mapLabel } from '../../figures/mapLayout'
import { roughWidth } from '../../figures/scene'
import type { Axis, Item, MatrixItem } from './stages'

export interface Box {
  item: MatrixItem
  /** The cells: upper left corner and size of all of them. */
  x: number
  y: number
  width: number
  height: number
  rows: number
  columns: number
  /** Whether the tokens of its rows and of its columns have room for their names. */
  rowLabels: boolean
  columnLabels: boolean
}

export interface Sign {
  text: string
  x: number
  /** Middle of its line. */
  y: number
}

export interface EquationLayout {
  width: number
  height: number
  boxes: readonly Box[]
  signs: readonly Sign[]
  /** Whether cells hold their numbers. */
  numbers: boolean
}

export type AxisSizes = Record<Axis, number>

const titleHeight = 24
const footHeight = 22
const bandHeight = 15
const gap = 12
const signSize = 17
const smallestLabelled = 11
/** Axes up to here have cells that hold a number. */
const countable = 4
/** Cells of tokens, so that the scores with their mask stand in one line of a wide page. */
const widestToken = 18
const longestTokens = 240
const labelSize = 11.5
const angle = 50

function columnsWidth(axis: Axis, count: number, room: number): number {
  if (count <= countable) return count * (room < 420 ? 42 : 58)
  if (axis === 'tokens')
    return Math.min(room, count * Math.max(1, Math.min(widestToken, longestTokens / count)))
  if (axis === 'head') return Math.max(96, Math.min(192, count * 5))
  return Math.min(room, Math.max(160, Math.min(384, count)))
}

function rowsHeight(axis: Axis, count: number): number {
  if (count <= countable) return axis === 'one' && count === 1 ? 16 : count * 36
  if (axis === 'tokens') return count * Math.min(widestToken, longestTokens / count)
  if (axis === 'head') return Math.max(96, Math.min(192, count * 5))
  return Math.max(96, Math.min(208, count / 2))
}

interface Piece {
  item: Item
  /** Around the cells. */
  left: number
  top: number
  width: number
  height: number
  rowLabels: boolean
  columnLabels: boolean
}

/** Labels that fit above their columns are not slanted. */
export function isUpright(longest: number, cell: number): boolean {
  return longest + 6 <= cell
}

/** The width that the longest of the labels takes. */
export function longestLabel(labels: readonly string[]): number {
  return Math.max(...labels.map((label) => roughWidth(mapLabel(label), labelSize)), 8)
}

export function signWidth(text: string): number {
  return roughWidth(text, signSize)
}

export function layoutEquation(
  items: readonly Item[],
  sizes: AxisSizes,
  labels: readonly string[],
  width: number,
): EquationLayout {
  const longest = longestLabel(labels)
  const numbers = sizes.model <= countable
  const pieces = items.map((item, place) => {
    return pieceOf(item, sizes, longest, width - signsBefore(items, place))
  })
  const boxes: Box[] = []
  const signs: Sign[] = []
  let y = 0
  for (const line of linesOf(pieces, width)) {
    const top = Math.max(...line.map((piece) => piece.top))
    const body = Math.max(...line.map((piece) => piece.height))
    let x = 0
    for (const { item, left, width: wide, height, ...labelled } of line) {
      if (item.kind === 'sign') signs.push({ text: item.text, x, y: y + top + body / 2 })
      else {
        const [rows, columns] = item.axes.map((axis) => sizes[axis]) as [number, number]
        const place = { x: x + left, y: y + top + (body - height) / 2, width: wide, height }
        const { rowLabels, columnLabels } = labelled
        boxes.push({ item, ...place, rows, columns, rowLabels, columnLabels })
      }
      x += left + wide + gap
    }
    y += top + body + footHeight + 8
  }
  return { width, height: Math.ceil(y), boxes, signs, numbers }
}

/** The width of the signs that go to the next line with a matrix. */
function signsBefore(items: readonly Item[], place: number): number {
  const sign = items[place - 1]
  if (sign?.kind !== 'sign') return 0
  return signWidth(sign.text) + gap + signsBefore(items, place - 1)
}

function pieceOf(item: Item, sizes: AxisSizes, longest: number, width: number): Piece {
  if (item.kind === 'sign') {
    const wide = signWidth(item.text)
    const none = { left: 0, top: 0, height: 24, rowLabels: false, columnLabels: false }
    return { item, width: wide, ...none }
  }
  const [rowAxis, columnAxis] = item.axes
  const [rows, columns] = [sizes[rowAxis], sizes[columnAxis]]
  const height = rowAxis === 'one' && sizes.model <= countable ? 36 : rowsHeight(rowAxis, rows)
  const rowLabels = rowAxis === 'tokens' && item.id !== 'mask' && height / rows >= smallestLabelled
  const band = rowAxis === 'heads' ? bandHeight + 2 : 0
  const left = rowLabels ? Math.ceil(longest) + 8 : band
  // The last slanted label leans out to the right.
  const lean = columnAxis === 'tokens' && columns > countable ? longest * 0.6 : 0
  const wide = columnsWidth(columnAxis, columns, width - left - lean)
  const columnLabels = columnAxis === 'tokens' && wide / columns >= smallestLabelled
  const slanted = isUpright(longest, wide / columns)
    ? 18
    : Math.ceil(longest * Math.sin((angle * Math.PI) / 180) + 12)
  const over = columnLabels ? slanted : columnAxis === 'heads' ? bandHeight + 2 : 0
  return { item, left, top: titleHeight + over, width: wide, height, rowLabels, columnLabels }
}

/** As many to a line as fit; a sign never ends a line. */
function linesOf(pieces: readonly Piece[], width: number): Piece[][] {
  const lines: Piece[][] = []
  let line: Piece[] = []
  let x = 0
  for (const piece of pieces) {
    const wide = piece.left + piece.width
    const followsSign = line.at(-1)?.item.kind === 'sign'
    if (line.length > 0 && x + wide > width && piece.item.kind === 'matrix') {
      const carried: Piece[] = []
      if (followsSign)
        while (line.at(-1)?.item.kind === 'sign') carried.unshift(line.pop() as Piece)
      if (line.length > 0) lines.push(line)
      line = carried
      x = carried.reduce((sum, each) => sum + each.width + gap, 0)
    }
    line.push(piece)
    x += wide + gap
  }
  return [...lines, line]
}

/** The cell of a matrix under a point, or null. */
export function cellUnder(
  layout: EquationLayout,
  x: number,
  y: number,
): { box: Box; row: number; column: number } | null {
  const box = layout.boxes.find(
    (each) => x >= each.x && x < each.x + each.width && y >= each.y && y < each.y + each.height,
  )
  if (!box) return null
  const row = Math.floor(((y - box.y) / box.height) * box.rows)
  const column = Math.floor(((x - box.x) / box.width) * box.columns)
  return { box, row, column }
}

/** Where some rows and columns of a box lie. */
export function areaOf(
  box: Box,
  row: number | null,
  column: number | null,
): { x: number; y: number; width: number; height: number } {
  const [wide, high] = [box.width / box.columns, box.height / box.rows]
  return {
    x: column === null ? box.x : box.x + column * wide,
    y: row === null ? box.y : box.y + row * high,
    width: column === null ? box.width : wide,
    height: row === null ? box.height : high,
  }
}

export const layoutStyle = { labelSize, angle, bandHeight, signSize }
