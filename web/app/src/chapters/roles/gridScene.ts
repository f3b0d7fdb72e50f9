// All heads with their roles as one picture, for files; on the page every badge is a button. Pure.
import { palettes, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'
import type { Badge } from './badges'

export interface BadgesData {
  layers: number
  heads: number
  badges: readonly Badge[]
  labelOf: (role: string) => string
  title: string
}

const [width, height, gap, margin, most] = [96, 74, 6, 16, 3]

export function badgesScene(data: BadgesData, theme: Theme): Scene {
  const { layers, heads, badges, labelOf, title } = data
  const { background, ink, muted, line, accent, query } = palettes[theme]
  const tones = { relation: accent, measure: ink, coreference: query } as const
  const marks = Array.from({ length: layers * heads }, (_, index): Mark[] => {
    const [layer, head] = [Math.floor(index / heads), index % heads]
    const x = margin + head * (width + gap)
    const y = margin + layer * (height + gap)
    const own = badges.filter((badge) => badge.layer === layer && badge.head === head)
    const text = { kind: 'text', size: 11, x: x + 7 } as const
    const name = `${String(layer)}.${String(head)}`
    return [
      { kind: 'rect', x, y, width, height, fill: 'none', stroke: line, strokeWidth: 1, radius: 5 },
      { ...text, y: y + 16, text: name, fill: own.length > 0 ? ink : muted, bold: own.length > 0 },
      ...own.slice(0, most).map((badge, place): Mark => {
        const label = badge.kind === 'relation' ? badge.role : labelOf(badge.role)
        const words = `${label} ${badge.score.toFixed(2)}`
        return { ...text, y: y + 32 + place * 15, text: words, fill: tones[badge.kind] }
      }),
    ]
  })
  return {
    width: 2 * margin + heads * (width + gap) - gap,
    height: 2 * margin + layers * (height + gap) - gap,
    background,
    title,
    marks: marks.flat(),
  }
}
