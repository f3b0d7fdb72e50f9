// What happens to the vector of one token around attention: one strip a vector, all its numbers, all
// strips on one scale. Pure.
import { palettes, signedRampOf, type Theme } from '../../figures/colour'
import { rasteriseSigned } from '../../figures/raster'
import type { Mark, Scene } from '../../figures/scene'
import { decimal } from '../../i18n/numbers'
import { largest, norm, viewOf } from './matrix'

export interface Strip {
  id: string
  name: string
  vector: Float32Array
}

const nameHeight = 20
const stripHeight = 18
const gap = 10
const valueWidth = 60

export function beyondScene(
  strips: readonly Strip[],
  width: number,
  title: string,
  theme: Theme,
): Scene {
  const { background, ink, muted, line } = palettes[theme]
  const matrices = strips.map(({ vector }) => viewOf(vector, [1, vector.length], 0, [0, 1]))
  const top = Math.max(...matrices.map(largest))
  const long = width - valueWidth
  return {
    width,
    height: strips.length * (nameHeight + stripHeight + gap),
    background,
    title,
    marks: strips.flatMap(({ name, vector }, place): Mark[] => {
      const y = place * (nameHeight + stripHeight + gap)
      const pixelWidth = Math.min(vector.length, Math.round(long * 2))
      const box = { x: 0, y: y + nameHeight, width: long, height: stripHeight }
      const source = { rows: 1, columns: vector.length, at: matrices[place]?.at ?? (() => 0), top }
      const pixels = rasteriseSigned(source, signedRampOf(theme), pixelWidth, 1, 0)
      return [
        { kind: 'text', x: 0, y: y + 14, text: name, size: 12, fill: muted },
        { kind: 'image', ...box, pixels, pixelWidth, pixelHeight: 1 },
        { kind: 'rect', ...box, fill: 'none', stroke: line },
        {
          kind: 'text',
          x: width,
          y: y + nameHeight + 13,
          text: decimal(norm(vector), 2),
          size: 12,
          anchor: 'end',
          fill: ink,
          bold: true,
        },
      ]
    }),
  }
}
