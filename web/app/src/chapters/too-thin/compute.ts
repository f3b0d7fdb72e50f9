// What chapter 9 asks of the kernels: scores and weights of all heads, their singular values, and how
// well thin heads can be fitted to a pattern.
import type { FittedHeadDim, Model, Runtime } from 'headwise'
import { blockOf } from '../../runtime/blocks'
import type { Reading } from '../../runtime/reading.svelte'
import { bulkRank, leading, lengthsUpTo, numericalRank } from './ranks'

/** Longer texts are cut for this chapter: 72 heads of more tokens would take minutes. */
export const mostTokens = 128

/** What all heads make of one text, [heads, size, size] for each layer. */
export interface HeadMatrices {
  size: number
  layers: number
  heads: number
  headDim: number
  /** Before softmax. */
  scores: readonly Float32Array[]
  weights: readonly Float32Array[]
}

export async function matricesOf(
  model: Model,
  reading: Pick<Reading, 'ids' | 'typeIds' | 'layers' | 'heads' | 'headDim'>,
  signal?: AbortSignal,
): Promise<HeadMatrices> {
  const { layers, heads, headDim } = reading
  const cut = <T>(all: readonly T[]): T[] =>
    all.length > mostTokens ? [...all.slice(0, mostTokens - 1), ...all.slice(-1)] : [...all]
  const ids = cut(reading.ids)
  const names = ['hook_attn_scores', 'hook_pattern'].map(
    (hook) => `${blockOf(model.config, '*')}.attn.${hook}`,
  )
  const run = await model.run(
    { ids, typeIds: cut(reading.typeIds) },
    { names, output: false, ...(signal && { signal }) },
  )
  const all = (hook: string): Float32Array[] =>
    Array.from({ length: layers }, (_, layer) => {
      return run.cache.get(`${blockOf(model.config, layer)}.attn.${hook}`).data
    })
  return {
    size: ids.length,
    layers,
    heads,
    headDim,
    scores: all('hook_attn_scores'),
    weights: all('hook_pattern'),
  }
}

export interface HeadPlace {
  layer: number
  head: number
}

export type MatrixKind = 'scores' | 'weights'

function matrixOf(all: HeadMatrices, kind: MatrixKind, { layer, head }: HeadPlace): Float32Array {
  const cells = all.size * all.size
  return all[kind][layer]?.subarray(head * cells, (head + 1) * cells) ?? new Float32Array()
}

async function singularValues(
  hw: Runtime,
  data: Float32Array,
  size: number,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const x = { data, dims: [size, size] }
  return (await hw.svd(x, { rank: 1, ...(signal && { signal }) })).s.data
}

/** All singular values of a head, by falling value. */
export type Spectrum = Record<MatrixKind, Float32Array>

export async function spectrumOf(
  hw: Runtime,
  all: HeadMatrices,
  place: HeadPlace,
  signal?: AbortSignal,
): Promise<Spectrum> {
  const of = (kind: MatrixKind): Promise<Float32Array> =>
    singularValues(hw, matrixOf(all, kind, place), all.size, signal)
  return { scores: await of('scores'), weights: await of('weights') }
}

/** How many dimensions a head uses on a text. */
export interface HeadRank extends HeadPlace {
  /** Numerical rank of the scores, and how many singular values hold 99 % of their squares. */
  scores: number
  bulk: number
  /** Numerical rank of the weights. */
  weights: number
}

export function rankOf(place: HeadPlace, { scores, weights }: Spectrum): HeadRank {
  return {
    ...place,
    scores: numericalRank(scores, scores.length),
    bulk: bulkRank(scores),
    weights: numericalRank(weights, weights.length),
  }
}

/** Every head in turn, behind those that are known; what is there is shown after each. */
export async function ranksOf(
  hw: Runtime,
  all: HeadMatrices,
  known: readonly HeadRank[],
  signal: AbortSignal,
  show: (ranks: readonly HeadRank[]) => void,
): Promise<readonly HeadRank[]> {
  const ranks = [...known]
  while (ranks.length < all.layers * all.heads) {
    const place = {
      layer: Math.floor(ranks.length / all.heads),
      head: ranks.length % all.heads,
    }
    ranks.push(rankOf(place, await spectrumOf(hw, all, place, signal)))
    show([...ranks])
  }
  return ranks
}

/** Ranks of the first tokens of a text alone. */
export interface LengthRank {
  length: number
  scores: number
  weights: number
}

export async function lengthRanks(
  hw: Runtime,
  all: HeadMatrices,
  place: HeadPlace,
  signal?: AbortSignal,
): Promise<readonly LengthRank[]> {
  const ranks: LengthRank[] = []
  for (const length of lengthsUpTo(all.size, all.headDim)) {
    const rank = async (kind: MatrixKind): Promise<number> => {
      const part = leading(matrixOf(all, kind, place), all.size, length)
      return numericalRank(await singularValues(hw, part, length, signal), length)
    }
    ranks.push({ length, scores: await rank('scores'), weights: await rank('weights') })
  }
  return ranks
}

export interface FitChoice {
  /** [length, length] */
  pattern: Float32Array
  length: number
  /** The most that the scores may be, root mean square. */
  norm: number
  seed: number
}

/** Heads of every dimension fitted to a pattern; while it is computed, as far as they are there. */
export interface Fit {
  length: number
  dims: readonly FittedHeadDim[]
  /** [dims, length, length]; empty until all are there, as the vectors are. */
  weights: Float32Array
  /** [dims, length, length] */
  queries: Float32Array
  keys: Float32Array
}

export async function fitOf(
  hw: Runtime,
  { pattern, length, norm, seed }: FitChoice,
  signal?: AbortSignal,
  show?: (fit: Fit) => void,
): Promise<Fit> {
  const none = new Float32Array()
  const dims: FittedHeadDim[] = []
  const { weights, queries, keys } = await hw.lowRankFit(
    { data: pattern, dims: [length, length] },
    {
      norm,
      seed,
      ...(signal && { signal }),
      onProgress: (fitted) => {
        dims.push(fitted)
        show?.({ length, dims: [...dims], weights: none, queries: none, keys: none })
      },
    },
  )
  return { length, dims, weights: weights.data, queries: queries.data, keys: keys.data }
}

/** The divergence of every dimension at one norm. */
export interface NormFit {
  norm: number
  divergences: readonly number[]
}

/** The same pattern at several norms; what is there is shown after each. */
export async function normFits(
  hw: Runtime,
  choice: Omit<FitChoice, 'norm'>,
  norms: readonly number[],
  signal: AbortSignal,
  show: (fits: readonly NormFit[]) => void,
): Promise<readonly NormFit[]> {
  const fits: NormFit[] = []
  for (const norm of norms) {
    const { dims } = await fitOf(hw, { ...choice, norm }, signal)
    fits.push({ norm, divergences: dims.map(({ divergence }) => divergence) })
    show([...fits])
  }
  return fits
}
