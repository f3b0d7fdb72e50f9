// A scene as the text of an SVG file. Everything that came from the reader is escaped.
import { fontFamily, type ImageMark, type Mark, type Scene } from '../figures/scene'
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
      return `<text${attributes({
        x: mark.x,
        y: mark.y,
        'font-size': mark.size,
        'font-weight': mark.bold === true ? 700 : undefined,
        fill: mark.fill,
        'text-anchor': mark.anchor,
        opacity: mark.opacity,
        transform:
          mark.angle === undefined
            ? undefined
            : `rotate(${printed(mark.angle)} ${printed(mark.x)} ${printed(mark.y)})`,
      })}>${escapeXml(mark.text)}</text>`
    case 'image':
      return imageSvg(mark)
  }
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
