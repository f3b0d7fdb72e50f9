// Queries and keys of a fitted head in the plane of their first two dimensions: keys as lines from the
// middle, queries as dots, numbered like the tokens. Pure.
import { palettes, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'

export interface CircleData {
  /** [length, stride]: the first two columns are drawn. */
  queries: Float32Array
  keys: Float32Array
  length: number
  stride: number
  names: { queries: string; keys: string }
  title: string
  hovered: number | null
}

const margin = 26
const legend = 22

type Point = readonly [x: number, y: number]

function pointOf(vectors: Float32Array, stride: number, place: number): Point {
  return [vectors[place * stride] ?? 0, stride > 1 ? (vectors[place * stride + 1] ?? 0) : 0]
}

export function circleScene(data: CircleData, width: number, theme: Theme): Scene {
  const { background, ink, muted, line, query, accent } = palettes[theme]
  const { queries, keys, length, stride } = data
  const height = width + legend
  const places = Array.from({ length }, (_, place) => place)
  const all = [queries, keys].flatMap((vectors) =>
    places.map((place) => pointOf(vectors, stride, place)),
  )
  const reach = Math.max(...all.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y)))) || 1
  const scale = (width / 2 - margin) / reach
  const at = ([x, y]: Point): Point => [width / 2 + x * scale, legend + width / 2 - y * scale]
  const middle = at([0, 0])
  /** A little farther out than the point itself. */
  const beside = ([x, y]: Point, by: number): Point => {
    const away = Math.hypot(x - middle[0], y - middle[1]) || 1
    return [x + ((x - middle[0]) / away) * by, y + ((y - middle[1]) / away) * by]
  }
  const strong = (place: number): boolean => data.hovered === null || data.hovered === place
  const text = (place: number, [x, y]: Point, fill: string): Mark => ({
    kind: 'text',
    x,
    y: y + 4,
    text: String(place),
    size: 11,
    fill,
    anchor: 'middle',
    bold: data.hovered === place,
    opacity: strong(place) ? 1 : 0.35,
  })
  const marks: Mark[] = [
    { kind: 'text', x: 0, y: 13, text: `● ${data.names.queries}`, size: 12, fill: query },
    { kind: 'text', x: 90, y: 13, text: `― ${data.names.keys}`, size: 12, fill: accent },
    { kind: 'line', points: [at([-reach, 0]), at([reach, 0])], stroke: line, strokeWidth: 1 },
    { kind: 'line', points: [at([0, -reach]), at([0, reach])], stroke: line, strokeWidth: 1 },
  ]
  for (const place of places) {
    const end = at(pointOf(keys, stride, place))
    marks.push({
      kind: 'line',
      points: [middle, end],
      stroke: accent,
      strokeWidth: data.hovered === place ? 2.5 : 1.5,
      opacity: strong(place) ? 0.9 : 0.25,
    })
    marks.push(text(place, beside(end, 12), data.hovered === place ? ink : muted))
  }
  for (const place of places) {
    const [x, y] = at(pointOf(queries, stride, place))
    marks.push({
      kind: 'rect',
      x: x - 4,
      y: y - 4,
      width: 8,
      height: 8,
      radius: 4,
      fill: query,
      opacity: strong(place) ? 1 : 0.25,
    })
    marks.push(text(place, beside([x, y], -12), query))
  }
  return { width, height, background, title: data.title, marks }
}

/** What part of the squares of Q K^T lies in the first two dimensions; both are balanced. */
export function planeShare(keys: Float32Array, length: number, stride: number): number {
  const squares = Array.from({ length: stride }, (_, column) => {
    let sum = 0
    for (let row = 0; row < length; row++) sum += (keys[row * stride + column] ?? 0) ** 2
    return sum * sum
  })
  const all = squares.reduce((sum, square) => sum + square, 0)
  return all === 0 ? 1 : ((squares[0] ?? 0) + (squares[1] ?? 0)) / all
}
