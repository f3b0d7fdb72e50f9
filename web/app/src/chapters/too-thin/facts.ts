// What chapter 9 has computed, in numbers ready to be set.
import { decimal } from '../../i18n/numbers'
import type { FitFacts, RankFacts } from './en'
import { shownNorm } from './numbers'
import type { RankState } from './state.svelte'

export function rankFacts({ name, tokens, shape, rank }: RankState): RankFacts | null {
  if (!rank) return null
  return {
    head: name,
    tokens: String(tokens),
    headDim: String(shape.headDim),
    scores: String(rank.scores),
    weights: String(rank.weights),
    bulk: String(rank.bulk),
  }
}

export function fitFacts({ fitted, norm, view }: RankState): FitFacts | null {
  if (!fitted) return null
  return {
    headDim: String(fitted.headDim),
    norm: shownNorm(norm),
    divergence: decimal(fitted.divergence),
    largestError: decimal(fitted.largestError),
    tokens: String(view.length),
  }
}
