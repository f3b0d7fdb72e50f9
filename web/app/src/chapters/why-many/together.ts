// What the heads of a layer have together, and what their mean keeps of it. Pure; patterns are
// [heads, S, S].
import { mean } from 'd3-array'
import { entropy, largestKey } from '../../figures/measures'

/** Mean of a layer's maps, [S, S]. */
export function meanMap(pattern: Float32Array, heads: number): Float32Array {
  const cells = pattern.length / heads
  const averaged = new Float32Array(cells)
  for (let cell = 0; cell < cells; cell++) {
    let total = 0
    for (let head = 0; head < heads; head++) total += pattern[head * cells + cell] ?? 0
    averaged[cell] = total / heads
  }
  return averaged
}

/** The row of one query in every head. */
export function rowsOf(
  pattern: Float32Array,
  heads: number,
  size: number,
  query: number,
): Float32Array[] {
  return Array.from({ length: heads }, (_, head) => {
    const start = (head * size + query) * size
    return pattern.subarray(start, start + size)
  })
}

/** Which head gives a key the most, and how much. */
export interface Best {
  head: number
  weight: number
}

export function bestHead(rows: readonly Float32Array[], key: number): Best {
  return rows.reduce<Best>(
    (best, row, head) => {
      const weight = row[key] ?? 0
      return weight > best.weight ? { head, weight } : best
    },
    { head: 0, weight: -1 },
  )
}

/** How wide a row is spread, in nats: the mean of the heads' rows, and each of them, on average. */
export interface Spread {
  ofMean: number
  ofHeads: number
}

export function spreadOf(rows: readonly Float32Array[], averaged: Float32Array): Spread {
  return { ofMean: entropy(averaged), ofHeads: mean(rows, entropy) ?? 0 }
}

/**
 * Two keys to ask for at once, where the reader has not chosen any: the word that one head gives the
 * most, and a neighbour of the query, the following one if there is one.
 */
export function wantedKeys(
  row: Float32Array,
  query: number,
  specials: readonly number[],
): readonly [number, number] {
  const first = largestKey(row, [...specials, query])
  const free = (key: number): boolean =>
    key >= 0 && key < row.length && key !== first && !specials.includes(key)
  const second = [query + 1, query - 1, query].find(free)
  return [first, second ?? largestKey(row, [first])]
}
