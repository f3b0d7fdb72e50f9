// What the model does with the default sentence, for the claims that one often reads. Pure.
import { decimal, percent } from '../../i18n/numbers'

/** Places in "[CLS] the cat sat on the mat because it was tired [SEP]". */
export const places = { cat: 2, sat: 3, it: 8, was: 9 } as const

interface Best {
  head: string
  weight: string
}

/** Numbers ready to be set. */
export interface Findings {
  /** The largest weights of *it* on its verb and on the other one, over all heads. */
  verb: { own: Best; other: Best }
  /** Share of the words' weight on the first and the last token, mean over all heads. */
  rest: { opening: string; closing: string }
  /** The column of *cat* in 5.11. */
  noun: { pronoun: string; least: string; most: string }
}

const nounHead = { layer: 5, head: 11 }

/** `patterns` holds [heads, size, size] for each layer. */
export function findingsOf(
  patterns: readonly Float32Array[],
  heads: number,
  size: number,
): Findings {
  const at = (layer: number, head: number, query: number, key: number): number =>
    patterns[layer]?.[(head * size + query) * size + key] ?? NaN
  const every = patterns.flatMap((_, layer) =>
    Array.from({ length: heads }, (__, head) => ({ layer, head })),
  )
  const words = Array.from({ length: size - 2 }, (_, place) => place + 1)

  const best = (key: number): Best => {
    const sorted = every
      .map(({ layer, head }) => ({ layer, head, weight: at(layer, head, places.it, key) }))
      .sort((a, b) => b.weight - a.weight)
    const [first] = sorted
    return {
      head: `${String(first?.layer)}.${String(first?.head)}`,
      weight: decimal(first?.weight ?? NaN),
    }
  }
  const mean = (key: number): string => {
    const all = every.flatMap(({ layer, head }) =>
      words.map((query) => at(layer, head, query, key)),
    )
    return percent(all.reduce((sum, weight) => sum + weight, 0) / all.length)
  }
  const column = Array.from({ length: size }, (_, query) =>
    at(nounHead.layer, nounHead.head, query, places.cat),
  )
  const others = column.filter((_, query) => query !== places.it)
  return {
    verb: { own: best(places.was), other: best(places.sat) },
    rest: { opening: mean(0), closing: mean(size - 1) },
    noun: {
      pronoun: decimal(column[places.it] ?? NaN),
      least: decimal(Math.min(...others)),
      most: decimal(Math.max(...others)),
    },
  }
}
