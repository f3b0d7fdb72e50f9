// A scene as the text of an SVG file. Everything that came from the reader is escaped.
import { fontFamily, type ImageMark, type Mark, type Scene } from '../figures/scene'
import { elementOf, printed, type SvgElement } from '../figures/svgMarks'
import { canvasOf } from './png'

export function escapeXml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(printed(value))}"`)
    .join('')
}

function markSvg(mark: Mark): string {
  return mark.kind === 'image' ? imageSvg(mark) : elementSvg(elementOf(mark))
}

function elementSvg({ name, attributes: values, content }: SvgElement): string {
  const inner = typeof content === 'string' ? escapeXml(content) : content.map(elementSvg).join('')
  const begin = `<${name}${attributes(values)}`
  return inner === '' ? `${begin}/>` : `${begin}>${inner}</${name}>`
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
