// What chapter 9 shows besides the text and the head, as a part of the view, and its form in the
// address. Pure.
import { sizeFrom } from './parametersView'

/** By what all heads are shown. */
export const rankMeasures = ['scores', 'bulk', 'weights'] as const
export type RankMeasure = (typeof rankMeasures)[number]

/** Patterns that a head is to be fitted to. */
export const patternIds = [
  'random',
  'shift',
  'permutation',
  'diagonal',
  'blocks',
  'uniform',
  'own',
] as const
export type PatternId = (typeof patternIds)[number]

export interface RankView {
  measure: RankMeasure
  pattern: PatternId
  /** Tokens of the pattern. */
  length: number
  /** The most that the scores may be is 2 to this power, in halves. */
  norm: number
  /** d_k of the fit that is looked at. */
  headDim: number
  /** Of random patterns, and of the fit's random starts. */
  seed: number
  /** The reader's own pattern: a level from 0 to 9 for each cell, row by row; empty before it is drawn. */
  drawn: string
}

export const [leastLength, mostLength] = [3, 16]
export const [leastNorm, mostNorm] = [-1, 6]
export const largestFitSeed = 9999

export const defaultRank: RankView = {
  measure: 'scores',
  pattern: 'shift',
  length: 12,
  norm: 4,
  headDim: 2,
  seed: 1,
  drawn: '',
}

export function parseRank(given: URLSearchParams): RankView {
  const chosen = <T extends string>(all: readonly T[], name: string, otherwise: T): T =>
    all.find((each) => each === given.get(name)) ?? otherwise
  const { measure, pattern, headDim, seed } = defaultRank
  const asked = sizeFrom(given.get('tokens'), mostLength, defaultRank.length)
  const length = Math.max(leastLength, asked)
  const drawn = given.get('drawn') ?? ''
  return {
    measure: chosen(rankMeasures, 'ranks', measure),
    pattern: chosen(patternIds, 'pattern', pattern),
    length,
    norm: normFrom(given.get('norm')),
    headDim: Math.min(length, sizeFrom(given.get('fit'), mostLength, headDim)),
    seed: sizeFrom(given.get('fitseed'), largestFitSeed, seed),
    drawn: /^\d+$/.test(drawn) && drawn.length === length ** 2 ? drawn : '',
  }
}

function normFrom(text: string | null): number {
  const norm = text !== null && /^-?\d(\.5)?$/.test(text) ? Number(text) : NaN
  return norm >= leastNorm && norm <= mostNorm ? norm : defaultRank.norm
}

/** The pattern always where the chapter is open; the rest where it differs from the default. */
export function writeRank(view: RankView, open: boolean, query: URLSearchParams): void {
  const put = (name: string, value: string | number, usual: string | number): void => {
    if (value !== usual) query.set(name, String(value))
  }
  put('pattern', view.pattern, open ? '' : defaultRank.pattern)
  put('tokens', view.length, defaultRank.length)
  put('norm', view.norm, defaultRank.norm)
  put('fit', view.headDim, defaultRank.headDim)
  put('fitseed', view.seed, defaultRank.seed)
  put('drawn', view.drawn, '')
  put('ranks', view.measure, defaultRank.measure)
}
