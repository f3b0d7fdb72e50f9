// Tokens in a plane: the two principal components of their vectors, one scale for both axes. Pure.
import { palettes, type Theme } from '../../figures/colour'
import { roughWidth, type RectMark, type Scene, type TextMark } from '../../figures/scene'
import type { Plane } from './compute'

export interface PlaneData {
  plane: Plane
  labels: readonly string[]
  /** Special tokens, quieter than words. */
  special: ReadonlySet<number>
  fixed: number
  partner: number
  /** The token under the pointer. */
  hovered: number | null
  title: string
  /** How much of the variance the axes show. */
  note: string
}

export interface Dot {
  x: number
  y: number
}

const top = 26
const margin = 14
const labelSize = 12
/** Above so many tokens only the named ones have labels. */
const mostLabels = 80

export const planeHeight = (width: number): number => Math.round(width * 0.82) + top

/** Where the tokens stand, in pixels. */
export function dotsOf({ points }: Plane, width: number): Dot[] {
  const height = planeHeight(width) - top
  let [left, right, low, high] = [0, 0, 0, 0]
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0]
    ;[left, right] = [Math.min(left, x), Math.max(right, x)]
    ;[low, high] = [Math.min(low, y), Math.max(high, y)]
  }
  const room = { width: width - 2 * margin - 34, height: height - 2 * margin }
  const scale = Math.min(room.width / (right - left || 1), room.height / (high - low || 1))
  const middle = { x: (left + right) / 2, y: (low + high) / 2 }
  return Array.from({ length: points.length / 2 }, (_, place) => ({
    x: width / 2 - 12 + ((points[2 * place] ?? 0) - middle.x) * scale,
    y: top + height / 2 - ((points[2 * place + 1] ?? 0) - middle.y) * scale,
  }))
}

/** The token under a point, if one is near enough. */
export function nearestDot(dots: readonly Dot[], x: number, y: number): number | null {
  let best: number | null = null
  let least = 20
  for (const [place, dot] of dots.entries()) {
    const away = Math.hypot(dot.x - x, dot.y - y)
    if (away < least) [best, least] = [place, away]
  }
  return best
}

/** A scene whose marks can be moved. */
export interface PlaneScene extends Scene {
  marks: readonly (RectMark | TextMark)[]
}

export function planeScene(data: PlaneData, width: number, theme: Theme): PlaneScene {
  const { background, ink, muted, line } = palettes[theme]
  const height = planeHeight(width)
  const dots = dotsOf(data.plane, width)
  return {
    width,
    height,
    background,
    title: data.title,
    marks: [
      { kind: 'text', x: 0, y: 14, text: titleOf(data, width), size: 13, fill: ink, bold: true },
      { kind: 'text', x: width, y: 14, text: data.note, size: 12, fill: muted, anchor: 'end' },
      {
        kind: 'rect',
        x: 0.5,
        y: top + 0.5,
        width: width - 1,
        height: height - top - 1,
        fill: 'none',
        stroke: line,
        radius: 6,
      },
      ...dots.map((dot, place) => dotMark(data, dot, place, theme)),
      ...labelMarks(data, dots, width, theme),
    ],
  }
}

/** Where there is no room beside the note, without what follows the comma. */
function titleOf({ title, note }: PlaneData, width: number): string {
  const fits = roughWidth(title, 14) + roughWidth(note, 12) + 12 <= width
  return fits ? title : title.replace(/,[^,]*$/, '')
}

function colourOf(data: PlaneData, place: number, theme: Theme): string {
  const { ink, muted, query, accent } = palettes[theme]
  if (place === data.fixed) return query
  if (place === data.partner) return accent
  return data.special.has(place) && place !== data.hovered ? muted : ink
}

function dotMark(data: PlaneData, { x, y }: Dot, place: number, theme: Theme): RectMark {
  const named = place === data.fixed || place === data.partner || place === data.hovered
  const radius = named ? 5.5 : 3.5
  const fill = colourOf(data, place, theme)
  // The two that are compared differ in form too: a dot and a square.
  const square = place === data.partner
  return {
    kind: 'rect',
    x: x - radius,
    y: y - radius,
    width: 2 * radius,
    height: 2 * radius,
    radius: square ? 1 : radius,
    fill,
    ...(place === data.hovered ? { stroke: palettes[theme].ink, strokeWidth: 1.5 } : {}),
  }
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Labels where there is room; those of the named tokens in any case. */
function labelMarks(
  data: PlaneData,
  dots: readonly Dot[],
  width: number,
  theme: Theme,
): TextMark[] {
  const first = [data.hovered, data.fixed, data.partner].filter((place) => place !== null)
  const others = dots.length > mostLabels ? [] : dots.keys()
  const order = [...new Set([...first, ...others])].filter((place) => place < dots.length)
  const taken: Box[] = dots.map(({ x, y }) => ({
    left: x - 3,
    right: x + 3,
    top: y - 3,
    bottom: y + 3,
  }))
  return order.flatMap((place): TextMark[] => {
    const dot = dots[place]
    if (!dot) return []
    const label = data.labels[place] ?? ''
    const length = roughWidth(label, labelSize)
    const places = [
      { x: dot.x + 8, y: dot.y + 4 },
      { x: dot.x - 8 - length, y: dot.y + 4 },
      { x: dot.x - length / 2, y: dot.y - 9 },
      { x: dot.x - length / 2, y: dot.y + 18 },
    ].map(({ x, y }) => ({ x: Math.max(4, Math.min(width - length - 4, x)), y }))
    const boxOf = ({ x, y }: Dot): Box => ({
      left: x,
      right: x + length,
      top: y - 11,
      bottom: y + 3,
    })
    const free = places.find((at) => taken.every((box) => apart(boxOf(at), box)))
    const chosen = free ?? (first.includes(place) ? places[0] : undefined)
    if (!chosen) return []
    taken.push(boxOf(chosen))
    const mark: TextMark = {
      kind: 'text',
      ...chosen,
      text: label,
      size: labelSize,
      fill: colourOf(data, place, theme),
      bold: first.includes(place),
    }
    return [mark]
  })
}

const apart = (a: Box, b: Box): boolean =>
  a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top

/** Both planes as one picture, for files. */
export function planesScene(model: PlaneScene, head: PlaneScene, title: string): Scene {
  const gap = 28
  const moved = head.marks.map((mark) => ({ ...mark, x: mark.x + model.width + gap }))
  const margin = 16
  const marks = [...model.marks, ...moved].map((mark) => ({
    ...mark,
    x: mark.x + margin,
    y: mark.y + margin,
  }))
  return {
    ...model,
    width: model.width + gap + head.width + 2 * margin,
    height: model.height + 2 * margin,
    title,
    marks,
  }
}
