// A scene as the text of an SVG file. Everything that came from the reader is escaped.
import {
  fontFamily,
  textPieces,
  type ImageMark,
  type Mark,
  type Scene,
  type TextMark,
  type TextPiece,
} from '../figures/scene'
import { canvasOf } from './png'

export function escapeXml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
}

function attributes(values: Record<string, string | number | undefined>): string {
  return Object.entries(values)
    .filter((entry): entry is [string, string | number] => entry[1] !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(printed(value))}"`)
    .join('')
}

function printed(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value
}

function markSvg(mark: Mark): string {
  switch (mark.kind) {
    case 'rect':
      return `<rect${attributes({
        x: mark.x,
        y: mark.y,
        width: mark.width,
        height: mark.height,
        rx: mark.radius,
        fill: mark.fill,
        stroke: mark.stroke,
        'stroke-width': mark.strokeWidth,
        opacity: mark.opacity,
      })}/>`
    case 'text':
      return textSvg(mark)
    case 'line':
      return `<polyline${attributes({
        points: mark.points.map(([x, y]) => `${printed(x)},${printed(y)}`).join(' '),
        fill: 'none',
        stroke: mark.stroke,
        'stroke-width': mark.strokeWidth,
        'stroke-dasharray': mark.dash?.join(' '),
        'stroke-linejoin': 'round',
        opacity: mark.opacity,
      })}/>`
    case 'image':
      return imageSvg(mark)
  }
}

function textSvg(mark: TextMark): string {
  const turn = `rotate(${printed(mark.angle ?? 0)} ${printed(mark.x)} ${printed(mark.y)})`
  const pieces = textPieces(mark)
  const inner = mark.symbols === true ? pieces.map(pieceSvg).join('') : escapeXml(mark.text)
  return `<text${attributes({
    x: mark.x,
    y: mark.y,
    'font-size': mark.size,
    'font-weight': mark.bold === true ? 700 : undefined,
    fill: mark.fill,
    'text-anchor': mark.anchor,
    opacity: mark.opacity,
    transform: mark.angle === undefined ? undefined : turn,
  })}>${inner}</text>`
}

/** A piece goes as far down as it hangs, from where the piece before it was. */
function pieceSvg(piece: TextPiece, place: number, all: readonly TextPiece[]): string {
  return `<tspan${attributes({
    'font-size': piece.size,
    'font-style': piece.italic ? 'italic' : undefined,
    dy: piece.drop - (all[place - 1]?.drop ?? 0),
  })}>${escapeXml(piece.text)}</tspan>`
}

function imageSvg(mark: ImageMark): string {
  const { x, y, width, height } = mark
  const href = canvasOf(mark).toDataURL('image/png')
  const sharp = { preserveAspectRatio: 'none', 'image-rendering': 'pixelated' }
  return `<image${attributes({ x, y, width, height, href, ...sharp })}/>`
}

/** The whole file; `header` goes into its metadata as one line per entry. */
export function sceneSvg(scene: Scene, header: readonly [name: string, value: string][]): string {
  const size = { width: scene.width, height: scene.height }
  const metadata = header.map(([name, value]) => `${name}: ${value}`).join('\n')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg"${attributes({
      ...size,
      viewBox: `0 0 ${printed(scene.width)} ${printed(scene.height)}`,
      'font-family': fontFamily,
      'font-variant-numeric': 'tabular-nums',
    })}>`,
    `<title>${escapeXml(scene.title)}</title>`,
    `<metadata>${escapeXml(metadata)}</metadata>`,
    `<rect${attributes({ ...size, fill: scene.background })}/>`,
    ...scene.marks.map(markSvg),
    '</svg>',
    '',
  ].join('\n')
}
