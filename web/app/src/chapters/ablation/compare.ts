// What changes when heads are switched off: losses sample by sample, attention behind them, and what is near
// in meaning. Pure.
import { Random } from '../../figures/random'

export interface Difference {
  mean: number
  /** 95 % interval, bootstrap over pairs. */
  low: number
  high: number
}

/** Whether the interval leaves 0 out. */
export const isSure = ({ low, high }: Pick<Difference, 'low' | 'high'>): boolean =>
  low > 0 || high < 0

/**
 * Mean of b - a over the same samples, each with its weight (the tokens judged in it), and its interval;
 * the same seed, the same interval.
 */
export function pairedDifference(
  a: Float32Array,
  b: Float32Array,
  weights: Float32Array,
  seed: number,
  resamples = 1000,
): Difference {
  const n = a.length
  const changes = Float64Array.from(a, (value, place) => {
    return ((b[place] ?? NaN) - value) * (weights[place] ?? NaN)
  })
  const meanOver = (placeOf: (draw: number) => number): number => {
    let [sum, weight] = [0, 0]
    for (let draw = 0; draw < n; draw++) {
      const place = placeOf(draw)
      sum += changes[place] ?? 0
      weight += weights[place] ?? 0
    }
    return sum / weight
  }
  const random = new Random(seed + 1)
  const means = Float64Array.from({ length: resamples }, () =>
    meanOver(() => Math.floor(random.uniform() * n)),
  ).sort()
  const at = (share: number): number => means[Math.round(share * (resamples - 1))] ?? NaN
  return { mean: meanOver((draw) => draw), low: at(0.025), high: at(0.975) }
}

/**
 * How far two maps of a head are apart: the share of a row's weight that lies elsewhere, mean over rows;
 * 0 for the same map, 1 for rows that share no key. Both [size, size].
 */
export function movedWeight(before: Float32Array, after: Float32Array, size: number): number {
  let sum = 0
  for (const [place, weight] of before.entries()) sum += Math.abs(weight - (after[place] ?? 0))
  return sum / 2 / size
}

/** The mean of a text's tokens, of length 1. `output` is [B, S, D], `mask` [B, S]. */
export function meanVectors(
  output: Float32Array,
  mask: Uint8Array,
  [batch, length, width]: readonly [number, number, number],
): Float32Array[] {
  return Array.from({ length: batch }, (_, text) => {
    const mean = new Float32Array(width)
    for (let token = 0; token < length; token++) {
      if (mask[text * length + token] === 0) continue
      const start = (text * length + token) * width
      for (let k = 0; k < width; k++) mean[k] = (mean[k] ?? 0) + (output[start + k] ?? 0)
    }
    const norm = Math.hypot(...mean)
    return mean.map((value) => value / (norm > 0 ? norm : 1))
  })
}

export interface Neighbour {
  /** Among the candidates. */
  index: number
  cosine: number
}

/** Candidates by falling cosine; vectors have length 1. */
export function neighbours(of: Float32Array, candidates: readonly Float32Array[]): Neighbour[] {
  return candidates
    .map((vector, index) => ({
      index,
      cosine: vector.reduce((sum, value, k) => sum + value * (of[k] ?? 0), 0),
    }))
    .sort((a, b) => b.cosine - a.cosine)
}
