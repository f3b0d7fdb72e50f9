// The same operation called three ways: out of which tokens its queries, keys and values are made, and
// what may not be looked at. Pure.
import { palettes, type Theme } from '../../figures/colour'
import type { Mark, Scene } from '../../figures/scene'
import type { PlaceId } from './translator'

/** Which stream of tokens the queries, and the keys and values, are made from. */
export const origins = {
  encoder: { queries: 'source', keys: 'source', masked: false },
  decoder: { queries: 'written', keys: 'written', masked: true },
  cross: { queries: 'written', keys: 'source', masked: false },
} as const satisfies Record<
  PlaceId,
  { queries: 'source' | 'written'; keys: 'source' | 'written'; masked: boolean }
>

export interface OriginWords {
  names: Readonly<Record<PlaceId, string>>
  source: string
  written: string
  weights: (rows: number, columns: number) => string
  masked: string
  open: string
  title: string
}

export interface OriginSizes {
  source: number
  written: number
}

const panel = { width: 232, height: 232, gap: 18 }
const box = { width: 36, height: 26 }
const stream = { width: 104, height: 40 }

export function originsScene(
  shown: readonly PlaceId[],
  sizes: OriginSizes,
  words: OriginWords,
  width: number,
  theme: Theme,
): Scene {
  const across = Math.max(
    1,
    Math.min(shown.length, Math.floor((width + panel.gap) / (panel.width + panel.gap))),
  )
  const down = Math.ceil(shown.length / across)
  return {
    width: across * panel.width + (across - 1) * panel.gap,
    height: down * panel.height + (down - 1) * panel.gap,
    background: palettes[theme].background,
    title: words.title,
    marks: shown.flatMap((place, index) => {
      const x = (index % across) * (panel.width + panel.gap)
      const y = Math.floor(index / across) * (panel.height + panel.gap)
      return moved(onePlace(place, sizes, words, theme), x, y)
    }),
  }
}

function onePlace(place: PlaceId, sizes: OriginSizes, words: OriginWords, theme: Theme): Mark[] {
  const { ink, muted, line, strong, query, accent } = palettes[theme]
  const { queries, keys, masked } = origins[place]
  const middle = panel.width / 2
  const text = (content: string, x: number, y: number, fill: string, size: number, bold = false) =>
    ({
      kind: 'text',
      text: content,
      x,
      y,
      size,
      fill,
      anchor: 'middle',
      bold,
      symbols: true,
    }) as const
  const streamX = { source: 4, written: panel.width - stream.width - 4 }
  const [boxTop, streamTop] = [120, panel.height - stream.height - 4]
  const boxX = { q: middle - 62, k: middle - box.width / 2, v: middle + 62 - box.width }
  const arrow = (from: 'source' | 'written', to: number, stroke: string): Mark => ({
    kind: 'line',
    points: [
      [streamX[from] + stream.width / 2, streamTop],
      [to + box.width / 2, boxTop + box.height],
    ],
    stroke,
    strokeWidth: 2,
  })
  const letter = (name: string, x: number, colour: string): Mark[] => [
    {
      kind: 'rect',
      x,
      y: boxTop,
      ...box,
      radius: 6,
      fill: 'none',
      stroke: colour,
      strokeWidth: 1.5,
    },
    text(name, x + box.width / 2, boxTop + 18, colour, 14, true),
  ]
  const tokens = (name: 'source' | 'written'): Mark[] => {
    const used = name === queries || name === keys
    const [x, opacity] = [streamX[name], used ? 1 : 0.45]
    return [
      {
        kind: 'rect',
        x,
        y: streamTop,
        ...stream,
        radius: 8,
        fill: 'none',
        stroke: used ? strong : line,
      },
      {
        ...text(words[name], x + stream.width / 2, streamTop + 17, used ? ink : muted, 12),
        opacity,
      },
      { ...text(String(sizes[name]), x + stream.width / 2, streamTop + 33, muted, 12), opacity },
    ]
  }
  return [
    text(words.names[place], middle, 16, ink, 13, true),
    {
      kind: 'rect',
      x: 20,
      y: 26,
      width: panel.width - 40,
      height: 66,
      radius: 8,
      fill: 'none',
      stroke: strong,
    },
    text('softmax(Q Kᵀ / √d_k) V', middle, 46, ink, 13),
    text(masked ? words.masked : words.open, middle, 64, muted, 11),
    text(words.weights(sizes[queries], sizes[keys]), middle, 82, muted, 11),
    ...[boxX.q, boxX.k, boxX.v].map((x): Mark => ({
      kind: 'line',
      points: [
        [x + box.width / 2, boxTop],
        [x + box.width / 2, 92],
      ],
      stroke: strong,
      strokeWidth: 1.25,
    })),
    arrow(queries, boxX.q, query),
    arrow(keys, boxX.k, accent),
    arrow(keys, boxX.v, accent),
    ...letter('Q', boxX.q, query),
    ...letter('K', boxX.k, accent),
    ...letter('V', boxX.v, accent),
    ...tokens('source'),
    ...tokens('written'),
  ]
}

function moved(marks: readonly Mark[], x: number, y: number): Mark[] {
  return marks.map((mark): Mark => {
    if (mark.kind !== 'line') return { ...mark, x: mark.x + x, y: mark.y + y }
    return { ...mark, points: mark.points.map(([px, py]) => [px + x, py + y] as const) }
  })
}
