// What heads do: roles measured on sentences with a tree, and coreference.
import type { TokenSpan } from './tokens.js'
import type { CallOptions } from './runtime.js'
import type { Tensor } from './tensor.js'

/** How far long work has come, in units of about the same cost. */
export interface AnalysisProgress {
  done: number
  total: number
}

/** Options of long work. `signal` ends it between slices; what `onPartial` gave is the caller's. */
export interface AnalysisOptions<T> extends CallOptions {
  onProgress?: (progress: AnalysisProgress) => void
  /** Told of results so far, a few times a second at most; intervals come with the end only. */
  onPartial?: (partial: T) => void
  /** Of everything random: halves, bootstrap, orders. The same seed, the same result; 0 by default. */
  seed?: number
  /** How often the bootstrap draws; 1000 by default. */
  resamples?: number
}

/**
 * A head, by layer and place in it. Of an encoder-decoder the layer is its attention's place in
 * `attentionNames`.
 */
export interface HeadReference {
  layer: number
  head: number
}

export interface HeadRolesOptions extends AnalysisOptions<HeadRoles> {
  /** Sentences with fewer words are left out and counted; 2 by default. */
  minWords?: number
  /** Sentences with more words are left out and counted; no bound by default. */
  maxWords?: number
  /** Sentences with more tokens are left out and counted; 128 by default, as Clark et al. did. */
  maxTokens?: number
  /** Also return what each head predicts for each word, for `roleExamples`. */
  predictions?: boolean
}

/**
 * Which way a head looks along a relation. `'dependent-to-head'`: a dependent's prediction is the
 * word that it attends to most. `'head-to-dependent'`: the word that attends most to the dependent.
 * Both predict the head of every dependent, as the code of Clark et al. does.
 */
export type RoleDirection = 'dependent-to-head' | 'head-to-dependent'

/** All heads on one relation in one direction. Tensors are `[layers, heads]`. */
export interface RelationScores {
  relation: string
  direction: RoleDirection
  /** Dependents judged, in each half. */
  n: { selection: number; report: number }
  /** Share of right predictions in the half that heads are chosen on. */
  selection: Tensor
  /** Share of right predictions in the other half: the number to report. NaN where it has none. */
  accuracy: Tensor
  /** 95 % interval of `accuracy`, bootstrap over sentences; NaN in partial results. */
  low: Tensor
  high: Tensor
  /**
   * 95 % interval of what `accuracy` is above the baseline, on the same draws; NaN in partial results.
   */
  gainLow: Tensor
  gainHigh: Tensor
  /** The word at a fixed offset from the dependent, chosen on the selection half. */
  baseline: { offset: number; selection: number; accuracy: number }
  /** The head with the best `selection`; of equal ones the first. */
  best: HeadReference
}

/**
 * Measures that need no tree, over the rows of the text's tokens (not those of [CLS] and [SEP]):
 *
 * - `previous`, `next`: weight on the token before, behind, where that is one of the text
 * - `first`: weight on a special token at the start ([CLS]); `separator`: on all other special ones
 * - `punctuation`: weight on tokens of punctuation only
 * - `self`: weight on the token itself
 * - `duplicate`: weight on other tokens of the same form, where there are any
 * - `entropy`: of the whole row, in nats
 */
export type HeadMeasure =
  'previous' | 'next' | 'first' | 'separator' | 'punctuation' | 'self' | 'duplicate' | 'entropy'

export interface MeasureScores {
  /** `[layers, heads]`: the mean over rows; NaN without any. */
  mean: Tensor
  /** `[layers, heads]`: standard error of the mean, sentences being independent. */
  error: Tensor
  /** How many rows. */
  rows: number
}

export interface HeadRoles {
  readonly seed: number
  readonly resamples: number
  readonly sentences: {
    given: number
    /** Measured; while results are partial, so far. */
    used: number
    /** Left out: fewer words than `minWords`. */
    tooShort: number
    /** Left out: more words or tokens than allowed. */
    tooLong: number
  }
  readonly words: {
    used: number
    /** Cut into several tokens. */
    split: number
    /** Without a token of their own: nobody can look at them, they are not judged. */
    withoutToken: number
  }
  /**
   * Of each sentence given: 0 = left out, 1 = selection half, 2 = report half (odd places of a
   * seeded shuffle of those used).
   */
  readonly half: Uint8Array
  /** Both directions of every relation but `root`, by falling n; empty without trees. */
  readonly relations: readonly RelationScores[]
  readonly measures: Readonly<Record<HeadMeasure, MeasureScores>>
  /** With `predictions: true`. */
  readonly predictions?: RolePredictions
}

/** What each head predicts for each judged dependent. */
export interface RolePredictions {
  /** `[n]`: index among the sentences given, and of the dependent in it. */
  sentence: Int32Array
  word: Int32Array
  /** `[n, 2, layers * heads]`: index of the predicted word; axis 1 as in `RoleDirection`. */
  predicted: Int16Array
}

/** One prediction, to be looked at. */
export interface RoleExample {
  /** Index among the sentences given. */
  sentence: number
  /** Indices of words in it. */
  dependent: number
  head: number
  predicted: number
  right: boolean
}

/** A mention, what it refers to and what it might refer to instead: spans into the text. */
export interface CoreferenceExample {
  text: string
  mention: TokenSpan
  antecedent: TokenSpan
  other: TokenSpan
  /** Every noun of the text, for the baseline of the nearest noun. */
  nouns?: readonly TokenSpan[]
}

export interface CoreferenceOptions extends AnalysisOptions<CoreferenceScores> {
  /** Texts with more tokens are left out and counted; what the model takes by default. */
  maxTokens?: number
}

/**
 * Whom a mention's row looks at, `[layers, heads]` each. Weight *to* several tokens is their sum,
 * *from* several tokens the mean.
 */
export interface CoreferenceScores {
  readonly seed: number
  readonly resamples: number
  readonly examples: { given: number; used: number; tooLong: number; withoutToken: number }
  /** Share of examples whose mention has more weight on the antecedent than on the other candidate. */
  readonly accuracy: Tensor
  /** 95 % interval, bootstrap over examples; NaN in partial results. */
  readonly low: Tensor
  readonly high: Tensor
  /**
   * Share of the text's other rows that prefer the antecedent too, mean over examples. A head that
   * marks the main noun has it as high as `accuracy`: no evidence of coreference.
   */
  readonly control: Tensor
  /** 95 % interval of `accuracy - control`, on the same draws; NaN in partial results. */
  readonly excessLow: Tensor
  readonly excessHigh: Tensor
  /** Share of examples in which the token with most weight of all is the antecedent's. */
  readonly mostAttended: Tensor
  /** Mean weight on the antecedent: from the mention, and from the text's other rows. */
  readonly weight: Tensor
  readonly otherWeight: Tensor
  /** Share of examples in which the nearer candidate is right. */
  readonly nearerCandidate: number
  /** The same of the nearest noun before the mention, over the examples that have `nouns`; NaN. */
  readonly nearestNoun: number
  /**
   * Of each example given, for each head: 1 = right, 0 = wrong, 255 = left out;
   * `[examples, layers * heads]`.
   */
  readonly right: Uint8Array
}
