// What each mark of a scene is in SVG: the same elements on the page and in files. Pure.
import { textPieces, type ImageMark, type Mark, type TextMark, type TextPiece } from './scene'

/** An element with its attributes, and in it either text or more elements. */
export interface SvgElement {
  /** The part of the scene it belongs to. */
  part: string
  name: 'rect' | 'text' | 'tspan' | 'polyline'
  attributes: Readonly<Record<string, string>>
  content: string | readonly SvgElement[]
}

/** A mark that is an element of its own; pictures are drawn as pixels. */
export type DrawnMark = Exclude<Mark, ImageMark>

export function elementOf(mark: DrawnMark): SvgElement {
  return { part: mark.part ?? '', ...shapeOf(mark) }
}

type Shape = Omit<SvgElement, 'part'>

/**
 * What shows through does so by its fill and its stroke, as on a canvas: for an element with an
 * `opacity` of its own the browser keeps a surface, and a map has hundreds of them.
 */
function shapeOf(mark: DrawnMark): Shape {
  if (mark.kind === 'text') return textElement(mark)
  const { stroke, strokeWidth, opacity } = mark
  if (mark.kind === 'rect') {
    const { x, y, width, height, radius, fill } = mark
    const attributes = { x, y, width, height, rx: radius, fill, stroke }
    return element('rect', {
      ...attributes,
      'stroke-width': strokeWidth,
      'fill-opacity': opacity,
      'stroke-opacity': stroke && opacity,
    })
  }
  return element('polyline', {
    points: mark.points.map(([x, y]) => `${printed(x)},${printed(y)}`).join(' '),
    fill: 'none',
    stroke,
    'stroke-width': strokeWidth,
    'stroke-dasharray': mark.dash?.join(' '),
    'stroke-linejoin': 'round',
    'stroke-opacity': opacity,
  })
}

function textElement(mark: TextMark): Shape {
  const { x, y, size, fill, anchor, angle, opacity } = mark
  const attributes = {
    x,
    y,
    'font-size': size,
    'font-weight': mark.bold === true ? 700 : undefined,
    fill,
    'text-anchor': anchor,
    'fill-opacity': opacity,
    transform:
      angle === undefined ? undefined : `rotate(${printed(angle)} ${printed(x)} ${printed(y)})`,
  }
  const content = mark.symbols === true ? textPieces(mark).map(pieceElement) : mark.text
  return element('text', attributes, content)
}

/** A piece goes as far down as it hangs, from where the piece before it was. */
function pieceElement(piece: TextPiece, place: number, all: readonly TextPiece[]): SvgElement {
  const attributes = {
    'font-size': piece.size,
    'font-style': piece.italic ? 'italic' : undefined,
    dy: piece.drop - (all[place - 1]?.drop ?? 0),
  }
  return { part: '', ...element('tspan', attributes, piece.text) }
}

function element(
  name: SvgElement['name'],
  values: Readonly<Record<string, string | number | undefined>>,
  content: SvgElement['content'] = '',
): Shape {
  const attributes: Record<string, string> = {}
  for (const key in values) {
    const value = values[key]
    if (value !== undefined) attributes[key] = printed(value)
  }
  return { name, attributes, content }
}

/** Numbers to a hundredth of a pixel. */
export function printed(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value
}
