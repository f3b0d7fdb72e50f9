// Numbers that sum up a head's map. Pure; weights are [S, S], row = query, column = key.
import type { SortId } from '../state/view'

/** The map of one head. */
export interface HeadWeights {
  layer: number
  head: number
  /** S: rows and columns. */
  size: number
  /** [S, S] */
  weights: Float32Array
}

/** What the measures ask about. */
export interface Question {
  query: number
  key: number
}

export function weightAt(map: HeadWeights, query: number, key: number): number {
  return map.weights[query * map.size + key] ?? 0
}

export function rowOf(map: HeadWeights, query: number): Float32Array {
  return map.weights.subarray(query * map.size, (query + 1) * map.size)
}

export function columnOf(map: HeadWeights, key: number): Float32Array {
  return Float32Array.from({ length: map.size }, (_, query) => weightAt(map, query, key))
}

/** -sum p ln p, in nats; ln S for a row that looks everywhere alike, 0 for one that looks at one. */
export function entropy(row: Float32Array): number {
  let total = 0
  for (const weight of row) if (weight > 0) total -= weight * Math.log(weight)
  return total
}

/**
 * Frobenius norm of softmax's Jacobian, diag(p) - p p^T, at a row p: how much the weights can still
 * move when the scores do. 0 for a row that looks at one key alone.
 */
export function jacobianNorm(row: Float32Array): number {
  let [squares, cubes] = [0, 0]
  for (const weight of row) {
    squares += weight ** 2
    cubes += weight ** 3
  }
  // sum_ij (p_i [i = j] - p_i p_j)^2, multiplied out; rounding must not make it negative.
  return Math.sqrt(Math.max(0, squares - 2 * cubes + squares ** 2))
}

/** How many tokens away a row looks, on average. */
export function distance(row: Float32Array, query: number): number {
  let total = 0
  for (let key = 0; key < row.length; key++) total += (row[key] ?? 0) * Math.abs(query - key)
  return total
}

/** What sums up a whole map: means over its rows. */
export interface HeadProfile {
  entropy: number
  distance: number
  /** Weight on the special tokens. */
  special: number
}

/** Measures a map, a row from one `yield` to the next. */
export function* profileRows(
  map: HeadWeights,
  specials: readonly number[],
): Generator<void, HeadProfile> {
  const total: HeadProfile = { entropy: 0, distance: 0, special: 0 }
  for (let query = 0; query < map.size; query++) {
    const row = rowOf(map, query)
    total.entropy += entropy(row)
    total.distance += distance(row, query)
    total.special += weightOnKeys(row, specials)
    yield
  }
  return {
    entropy: total.entropy / map.size,
    distance: total.distance / map.size,
    special: total.special / map.size,
  }
}

/** The same at once. */
export function profileOf(map: HeadWeights, specials: readonly number[]): HeadProfile {
  const rows = profileRows(map, specials)
  for (;;) {
    const { done, value } = rows.next()
    if (done === true) return value
  }
}

/** Mean weight on the token `offset` places away, over the rows that have one. */
export function weightOnOffset(map: HeadWeights, offset: number): number {
  const rows = map.size - Math.abs(offset)
  if (rows <= 0) return 0
  const first = Math.max(0, -offset)
  let total = 0
  for (let query = first; query < first + rows; query++) {
    total += weightAt(map, query, query + offset)
  }
  return total / rows
}

/** What a row gives to the given keys together. */
export function weightOnKeys(row: Float32Array, keys: readonly number[]): number {
  return keys.reduce((sum, key) => sum + (row[key] ?? 0), 0)
}

/** NaN while what it needs of the profile is not measured. */
export function measureHead(
  sort: SortId,
  map: HeadWeights,
  question: Question,
  profile: HeadProfile | null,
): number {
  switch (sort) {
    case 'place':
      return -(map.layer * 1000 + map.head)
    case 'target':
      return weightAt(map, question.query, question.key)
    case 'previous':
      return weightOnOffset(map, -1)
    case 'next':
      return weightOnOffset(map, 1)
    case 'entropy':
    case 'distance':
    case 'special':
      return profile?.[sort] ?? NaN
  }
}

/** Whether a measure looks at every cell of the map. */
export function needsProfile(sort: SortId): sort is keyof HeadProfile {
  return sort === 'entropy' || sort === 'distance' || sort === 'special'
}

/** The key with the largest weight among the words; among all where there are only special tokens. */
export function largestKey(row: Float32Array, specials: readonly number[]): number {
  const hidden = new Set(specials)
  let best = -1
  for (const [key, weight] of row.entries()) {
    if (!hidden.has(key) && (best < 0 || weight > (row[best] ?? 0))) best = key
  }
  return best < 0 ? 0 : best
}

/** Places of the keys, largest weight first. */
export function byWeight(row: ArrayLike<number>): number[] {
  return Array.from(row, (_, key) => key).sort((a, b) => (row[b] ?? 0) - (row[a] ?? 0))
}

/** The three numbers behind one weight: exp(score - largest) / sum of the row's exponentials. */
export interface SoftmaxTerms {
  score: number
  largest: number
  largestKey: number
  sum: number
  weight: number
}

export function softmaxTerms(scores: Float32Array, key: number): SoftmaxTerms {
  let largestKey = 0
  for (const [place, score] of scores.entries()) {
    if (score > (scores[largestKey] ?? -Infinity)) largestKey = place
  }
  const largest = scores[largestKey] ?? 0
  const score = scores[key] ?? 0
  const total = scores.reduce((sum, each) => sum + Math.exp(each - largest), 0)
  return { score, largest, largestKey, sum: total, weight: Math.exp(score - largest) / total }
}
