// A figure as a list of marks, with concrete colours and sizes. The same scene becomes SVG on the
// page, an SVG file, and a canvas for PNG and the clipboard; so all of them show the same. Pure.
import { symbolsIn } from '../i18n/inline'

interface PartOfScene {
  /** What comes and goes together, so that marks behind it keep their elements on the page. */
  part?: string
}

export interface RectMark extends PartOfScene {
  kind: 'rect'
  x: number
  y: number
  width: number
  height: number
  fill: string
  stroke?: string
  strokeWidth?: number
  radius?: number
  opacity?: number
}

export interface TextMark extends PartOfScene {
  kind: 'text'
  x: number
  y: number
  text: string
  size: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  bold?: boolean
  /** Degrees, clockwise, around (x, y). */
  angle?: number
  opacity?: number
  /** The text has symbols in it, d_k or W_Q, that are set with their index. */
  symbols?: boolean
}

/** A line through points, in order. */
export interface LineMark extends PartOfScene {
  kind: 'line'
  points: readonly (readonly [x: number, y: number])[]
  stroke: string
  strokeWidth: number
  /** Lengths of dashes and gaps. */
  dash?: readonly number[]
  opacity?: number
}

/** Pixels, stretched without smoothing. */
export interface ImageMark extends PartOfScene {
  kind: 'image'
  x: number
  y: number
  width: number
  height: number
  /** Packed as ImageData has them, `pixelWidth` to a row. */
  pixels: Uint32Array
  pixelWidth: number
  pixelHeight: number
}

export type Mark = RectMark | TextMark | LineMark | ImageMark

export interface Scene {
  width: number
  height: number
  background: string
  /** What is seen, in a line: becomes the title of the file. */
  title: string
  marks: readonly Mark[]
}

/** The page's own font stack, so that exported figures look like the page. */
export const fontFamily =
  'Inter, Pretendard, "Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic", ' +
  'system-ui, sans-serif'

/** A piece of a text mark: how large it is, against the whole, and how far below the baseline. */
export interface TextPiece {
  text: string
  size: number
  drop: number
  italic: boolean
}

/** A text mark cut at its symbols; one piece where it has none. */
export function textPieces(mark: TextMark): TextPiece[] {
  const { size } = mark
  const whole = { size, drop: 0, italic: false }
  if (mark.symbols !== true) return [{ ...whole, text: mark.text }]
  return symbolsIn(mark.text).flatMap((piece): TextPiece[] => {
    if (typeof piece === 'string') return [{ ...whole, text: piece }]
    return [
      { ...whole, text: piece.letter, italic: true },
      { text: piece.index, size: size * 0.72, drop: size * 0.22, italic: false },
    ]
  })
}

/** A rough width of a text, without asking a browser: wide scripts count double. */
export function roughWidth(text: string, size: number): number {
  let units = 0
  for (const character of text) units += (character.codePointAt(0) ?? 0) > 0x10ff ? 1 : 0.56
  return units * size
}
