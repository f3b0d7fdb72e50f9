// The op in double precision, from design to numbers with nothing in between: one query at a time,
// one key at a time. It shares no code and no thought with the C++ of the library: where that cuts
// intervals and strides, this asks of every key whether the query sees it.
import type { AttentionOptions } from 'headwise'

import type { Booleans, Floats } from './tensors.js'

type Numbers = ArrayLike<number>

export interface Wide {
  data: Numbers
  dims: readonly number[]
}

export interface ReferenceOptions extends Omit<
  AttentionOptions,
  'mask' | 'keyMask' | 'cache' | 'pastKey' | 'pastValue' | 'numHeads' | 'kvHeads'
> {
  mask?: Floats | Booleans
  keyMask?: Booleans
  /** Keys that were there before the first query. */
  pastLength?: number
  /** Added to the score of head h, by the distance of key j from the query's position. */
  positionBias?: (head: number, distance: number) => number
}

export interface ReferenceResult {
  output: Float64Array
  weights: Float64Array
  /** After step 1, 2 and 6. */
  scaled: Float64Array
  softcapped: Float64Array
  biased: Float64Array
}

/** The element of a mask at [b, h, i, j]; undefined beyond a last axis that is too short. */
function maskAt({ data, dims }: Floats | Booleans, place: readonly number[]): number | undefined {
  let index = 0
  for (const [axis, dim] of dims.entries()) {
    const wanted = place[4 - dims.length + axis] ?? 0
    const last = axis === dims.length - 1
    if (last && wanted >= dim) return undefined
    index = index * dim + (dim === 1 && !last ? 0 : wanted)
  }
  return data[index]
}

/** query [B, Hq, Sq, D], key [B, Hkv, Skv, D], value [B, Hkv, Skv, Dv]. */
export function referenceAttention(
  query: Wide,
  key: Wide,
  value: Wide,
  options: ReferenceOptions = {},
): ReferenceResult {
  const [batch = 0, heads = 0, queries = 0, width = 0] = query.dims
  const [, kvHeads = 0, keys = 0] = key.dims
  const valueWidth = value.dims[3] ?? 0
  const pairs = batch * heads * queries * keys
  const result: ReferenceResult = {
    output: new Float64Array(batch * heads * queries * valueWidth),
    weights: new Float64Array(pairs),
    scaled: new Float64Array(pairs),
    softcapped: new Float64Array(pairs),
    biased: new Float64Array(pairs),
  }
  const { softcap = 0, window = [-1, -1], kvLengths, keyMask, mask, headMask } = options
  const scale = Math.fround(options.scale ?? 1 / Math.sqrt(width))

  const positionOf = (b: number, i: number): number =>
    i +
    (options.causalOffset ??
      options.pastLength ??
      (kvLengths === undefined ? 0 : (kvLengths[b] ?? 0) - queries))

  const hides = (b: number, h: number, i: number, j: number): boolean => {
    const position = positionOf(b, i)
    if (options.causal === true && j > position) return true
    if (window[0] >= 0 && j < position - window[0]) return true
    if (window[1] >= 0 && j > position + window[1]) return true
    if (kvLengths !== undefined && j >= (kvLengths[b] ?? 0)) return true
    if (keyMask !== undefined && keyMask.data[b * keys + j] === 0) return true
    if (mask === undefined) return false
    const element = maskAt(mask, [b, h, i, j])
    if (element === undefined) return true
    return mask.data instanceof Uint8Array ? element === 0 : element === -Infinity
  }

  const biasAt = (b: number, h: number, i: number, j: number): number =>
    (mask?.data instanceof Float32Array ? (maskAt(mask, [b, h, i, j]) ?? 0) : 0) +
    (options.positionBias?.(h, j - positionOf(b, i)) ?? 0)

  for (let row = 0; row < batch * heads * queries; row++) {
    const i = row % queries
    const h = Math.floor(row / queries) % heads
    const b = Math.floor(row / queries / heads)
    const kvHead = b * kvHeads + Math.floor(h / (heads / kvHeads))
    let highest = -Infinity
    for (let j = 0; j < keys; j++) {
      let score = 0
      for (let d = 0; d < width; d++) {
        score +=
          (query.data[row * width + d] ?? 0) * (key.data[(kvHead * keys + j) * width + d] ?? 0)
      }
      score *= scale
      result.scaled[row * keys + j] = score
      if (softcap > 0) score = softcap * Math.tanh(score / softcap)
      result.softcapped[row * keys + j] = score
      score = hides(b, h, i, j) ? -Infinity : score + biasAt(b, h, i, j)
      result.biased[row * keys + j] = score
      highest = Math.max(highest, score)
    }
    if (highest === -Infinity) continue
    let sum = 0
    for (let j = 0; j < keys; j++) sum += Math.exp((result.biased[row * keys + j] ?? 0) - highest)
    for (let j = 0; j < keys; j++) {
      const weight = Math.exp((result.biased[row * keys + j] ?? 0) - highest) / sum
      result.weights[row * keys + j] = weight
      for (let c = 0; c < valueWidth; c++) {
        const summand = weight * (value.data[(kvHead * keys + j) * valueWidth + c] ?? 0)
        result.output[row * valueWidth + c] = (result.output[row * valueWidth + c] ?? 0) + summand
      }
    }
    if (headMask === undefined) continue
    for (let c = 0; c < valueWidth; c++) {
      const place = row * valueWidth + c
      result.output[place] = (result.output[place] ?? 0) * (headMask[h] ?? 0)
    }
  }
  return result
}
