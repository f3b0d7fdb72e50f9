// The choice of the next token from the logits of the last position.
import { corruptFile } from '../errors.js'

export interface Sampling {
  temperature: number
  topK: number | undefined
  topP: number | undefined
  seed: number
  /** Never chosen. */
  suppressed: readonly number[]
}

/** Numbers in [0, 1), the same for the same seed (splitmix32). */
function randomNumbers(seed: number): () => number {
  // Seeds beyond 2^32 differ in their upper half too.
  let state = (seed ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b)) | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** Of the likeliest, whose logit is `top`, 1. */
function weightsOf(logits: Float32Array, top: number, temperature: number): Float64Array {
  return Float64Array.from(logits, (logit) => Math.exp((logit - top) / temperature))
}

function likeliest(logits: Float32Array): number {
  let best = 0
  for (let id = 1; id < logits.length; id++) {
    if ((logits[id] ?? NaN) > (logits[best] ?? NaN)) best = id
  }
  return best
}

/** A token that could be chosen, and how likely it is. */
export interface Chance {
  id: number
  /** The model's own probability. */
  probability: number
  /** The probability with which it is drawn. */
  drawn: number
}

export class Sampler {
  readonly #random: () => number

  constructor(private readonly sampling: Sampling) {
    this.#random = randomNumbers(sampling.seed)
  }

  /** An id; the logits are changed. Of equally likely ids the first counts as likelier. */
  choose(logits: Float32Array): number {
    const { temperature } = this.sampling
    const { best, top } = this.#checked(logits)
    if (temperature === 0) return best
    const weights = weightsOf(logits, top, temperature)
    return this.#draw(weights, this.#candidates(weights))
  }

  /** So many likeliest ids, the likeliest first; the logits are changed as by `choose`. */
  chances(logits: Float32Array, count: number): Chance[] {
    const { temperature } = this.sampling
    const { best, top } = this.#checked(logits)
    const own = weightsOf(logits, top, 1)
    const whole = sum(own)
    const drawnOf =
      temperature === 0 ? (id: number) => Number(id === best) : this.#drawn(logits, top)
    return Array.from(logits.keys())
      .sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b)
      .slice(0, count)
      .map((id) => ({ id, probability: (own[id] ?? 0) / whole, drawn: drawnOf(id) }))
  }

  /** The share of each id in the draw. */
  #drawn(logits: Float32Array, top: number): (id: number) => number {
    const weights = weightsOf(logits, top, this.sampling.temperature)
    const among = this.#candidates(weights)
    if (among === undefined) {
      const whole = sum(weights)
      return (id) => (weights[id] ?? 0) / whole
    }
    const kept = new Set(among)
    const whole = sum(among.map((id) => weights[id] ?? 0))
    return (id) => (kept.has(id) ? (weights[id] ?? 0) / whole : 0)
  }

  /** The likeliest id and its logit, after those that are never chosen are out. */
  #checked(logits: Float32Array): { best: number; top: number } {
    for (const id of this.sampling.suppressed) logits[id] = -Infinity
    const best = likeliest(logits)
    const top = logits[best] ?? NaN
    if (top === -Infinity && this.sampling.suppressed.length > 0) {
      throw corruptFile('generation_config.json', 'an id that is not suppressed', 'none')
    }
    if (!Number.isFinite(top) || logits.some(Number.isNaN)) {
      const received = Number.isFinite(top) ? 'NaN among them' : String(top)
      throw corruptFile('model.safetensors', 'weights whose logits are numbers', received)
    }
    return { best, top }
  }

  /** The ids among which to draw, the likeliest first where there is a choice of them. */
  #candidates(weights: Float64Array): number[] | undefined {
    const { topK, topP } = this.sampling
    if (topK === undefined && topP === undefined) return undefined
    const total = sum(weights)
    // All ids below this together are less than what top-p leaves out: they need no sorting.
    const least = topK === undefined ? ((1 - (topP ?? 1)) * total) / weights.length : 0
    const ids: number[] = []
    weights.forEach((weight, id) => {
      if (weight >= least) ids.push(id)
    })
    ids.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
    if (topK !== undefined) ids.length = Math.min(ids.length, topK)
    if (topP === undefined) return ids
    const kept = sum(ids.map((id) => weights[id] ?? 0))
    let reached = 0
    const enough = topK === undefined ? total : kept
    const end = ids.findIndex((id) => (reached += weights[id] ?? 0) >= topP * enough)
    return end < 0 ? ids : ids.slice(0, end + 1)
  }

  #draw(weights: Float64Array, ids?: number[]): number {
    const among = ids ?? Array.from(weights.keys())
    const total = sum(among.map((id) => weights[id] ?? 0))
    let rest = this.#random() * total
    for (const id of among) {
      rest -= weights[id] ?? 0
      if (rest < 0) return id
    }
    return among.at(-1) ?? 0
  }
}
