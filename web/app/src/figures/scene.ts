// A figure as a list of marks, with concrete colours and sizes. The same scene becomes SVG on the
// page, an SVG file, and a canvas for PNG and the clipboard; so all of them show the same. Pure.

export interface RectMark {
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

export interface TextMark {
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
}

/** Pixels, stretched without smoothing. */
export interface ImageMark {
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

export type Mark = RectMark | TextMark | ImageMark

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

/** A rough width of a text, without asking a browser: wide scripts count double. */
export function roughWidth(text: string, size: number): number {
  let units = 0
  for (const character of text) units += (character.codePointAt(0) ?? 0) > 0x10ff ? 1 : 0.56
  return units * size
}
