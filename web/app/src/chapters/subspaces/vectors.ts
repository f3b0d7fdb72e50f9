// Vectors of tokens in the model's space and in the spaces of heads: their distances and cosines, and
// which pairs change places. Pure; matrices are row-major.

/** Rows of one width: the vectors of the tokens in one space. */
export interface Vectors {
  data: Float32Array
  width: number
}

/** One head out of [S, heads, width]. */
export function headVectors(
  data: Float32Array,
  heads: number,
  head: number,
  width: number,
): Vectors {
  const size = data.length / (heads * width)
  const one = new Float32Array(size * width)
  for (let place = 0; place < size; place++) {
    const start = (place * heads + head) * width
    one.set(data.subarray(start, start + width), place * width)
  }
  return { data: one, width }
}

/** Two tokens as two spaces see them. */
export interface TokenPair {
  first: number
  second: number
  /** Distances divided by the mean distance of all pairs of the space: 1 is as far as usual. */
  model: number
  head: number
  modelCosine: number
  headCosine: number
}

function rowOf({ data, width }: Vectors, row: number): Float32Array {
  return data.subarray(row * width, (row + 1) * width)
}

export function distance(vectors: Vectors, first: number, second: number): number {
  const [a, b] = [rowOf(vectors, first), rowOf(vectors, second)]
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return Math.sqrt(squares)
}

/** 0 where one of the two has no length. */
export function cosine(vectors: Vectors, first: number, second: number): number {
  const [a, b] = [rowOf(vectors, first), rowOf(vectors, second)]
  let [product, lengthA, lengthB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    product += x * y
    lengthA += x * x
    lengthB += y * y
  }
  const lengths = Math.sqrt(lengthA * lengthB)
  return lengths === 0 ? 0 : product / lengths
}

/** Every pair of the given tokens. Distances are relative to the mean over these pairs. */
export function pairsOf(model: Vectors, head: Vectors, tokens: readonly number[]): TokenPair[] {
  const pairs = tokens.flatMap((first, place) =>
    tokens.slice(place + 1).map((second) => ({
      first,
      second,
      model: distance(model, first, second),
      head: distance(head, first, second),
      modelCosine: cosine(model, first, second),
      headCosine: cosine(head, first, second),
    })),
  )
  const mean = (of: 'model' | 'head'): number =>
    pairs.reduce((sum, pair) => sum + pair[of], 0) / Math.max(1, pairs.length) || 1
  const [meanModel, meanHead] = [mean('model'), mean('head')]
  return pairs.map((pair) => ({
    ...pair,
    model: pair.model / meanModel,
    head: pair.head / meanHead,
  }))
}

/** How much nearer a pair is in the head than in the model: below 1 nearer, above 1 farther. */
const changeOf = ({ model, head }: TokenPair): number => (model === 0 ? 1 : head / model)

/** The pairs that come nearest to each other in the head, and those that part most. */
export function changes(
  pairs: readonly TokenPair[],
  most: number,
): { nearer: TokenPair[]; farther: TokenPair[] } {
  const sorted = [...pairs].sort((a, b) => changeOf(a) - changeOf(b))
  const half = Math.min(most, Math.floor(sorted.length / 2))
  return { nearer: sorted.slice(0, half), farther: sorted.slice(sorted.length - half).reverse() }
}

/** Tokens that stand for text: above so many pairs take too long to look through while one types. */
export const mostPairTokens = 120

/** [S, layers * heads, width] out of one [S, heads, width] for each layer. */
export function besideEachOther(
  layers: readonly Float32Array[],
  heads: number,
  width: number,
): Float32Array {
  const row = heads * width
  const size = (layers[0]?.length ?? 0) / row
  const all = new Float32Array(size * row * layers.length)
  layers.forEach((layer, place) => {
    for (let token = 0; token < size; token++) {
      all.set(layer.subarray(token * row, (token + 1) * row), (token * layers.length + place) * row)
    }
  })
  return all
}

/** Mean squared cosine of the angles of every pair of spans [H, H, R]: 1 for equal, 0 for orthogonal. */
export function overlaps(angles: Float32Array, count: number): Float32Array {
  const each = angles.length / (count * count)
  return Float32Array.from({ length: count * count }, (_, pair) => {
    let sum = 0
    for (const angle of angles.subarray(pair * each, (pair + 1) * each)) sum += Math.cos(angle) ** 2
    return sum / each
  })
}

/** The entry of a row of [H, H] that is largest, but for the one of the head itself. */
export function mostAlike(similarity: Float32Array, count: number, head: number): number {
  let best = head === 0 ? 1 : 0
  for (let other = 0; other < count; other++) {
    const value = similarity[head * count + other] ?? 0
    if (other !== head && value > (similarity[head * count + best] ?? 0)) best = other
  }
  return best
}

/** The two different heads that are most alike of all. */
export function mostAlikePair(similarity: Float32Array, count: number): readonly [number, number] {
  let best: readonly [number, number] = [0, Math.min(1, count - 1)]
  let largest = -Infinity
  for (let head = 0; head < count; head++) {
    const other = mostAlike(similarity, count, head)
    const value = similarity[head * count + other] ?? 0
    if (value > largest) [best, largest] = [[head, other], value]
  }
  return best
}

/** At most a right angle: rounded to a float it is a little more. */
export const degrees = (radians: number): number => Math.min(90, (radians * 180) / Math.PI)
