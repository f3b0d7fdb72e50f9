// Which heads matter: a loss over pairs of sentences, with heads switched off.
import type { AnalysisOptions, AnalysisProgress, HeadReference } from './head-roles.js'
import type { CallOptions } from './runtime.js'
import type { Tensor, TensorLike } from './tensor.js'

/** Two sentences that mean the same. */
export type SentencePair = readonly [first: string, second: string]

/**
 * How a head is switched off, or made to go wrong, before W_O: its output set to zero, or to its
 * mean (over all tokens of the selection half); Gaussian noise added with this standard deviation;
 * its positions permuted within each sentence.
 */
export type HeadAblation = 'zero' | 'mean' | { noise: number } | 'shuffle'

/**
 * The loss that sentence encoders are trained with (in-batch contrastive, Henderson et al. 2017):
 * sentences as mean-pooled vectors of length 1, scores 20 times their cosines, and for each first
 * sentence the cross-entropy of finding its own second one among the seconds of all pairs. Depends on
 * how many pairs there are: compare losses over the same pairs only.
 */
export interface PairLoss {
  /** Mean over pairs, in nats. */
  loss: number
  /** Share of pairs whose second sentence is the nearest of all. */
  accuracy: number
  /** 95 % interval of `loss`, bootstrap over pairs with the candidates as they are. */
  low: number
  high: number
  /** `[pairs]` */
  losses: Float32Array
}

export interface PairLossOptions extends CallOptions {
  /** Heads to switch off; none by default. */
  heads?: readonly HeadReference[]
  ablation?: HeadAblation
  /** `[layers, heads, headDim]` for `'mean'`; of the pairs themselves by default. */
  means?: TensorLike
  seed?: number
  resamples?: number
  onProgress?: (progress: AnalysisProgress) => void
}

export interface HeadImportanceOptions extends AnalysisOptions<HeadImportance> {
  ablation?: HeadAblation
}

/**
 * Leave one out: what the loss changes by without each head. Pairs are cut into two halves by a
 * seeded shuffle; heads are ordered by one half and reported on the other.
 */
export interface HeadImportance {
  readonly seed: number
  readonly resamples: number
  readonly ablation: HeadAblation
  /** Of each pair: 1 = selection half, 2 = report half. */
  readonly half: Uint8Array
  /** The loss of the whole model on the report half. */
  readonly base: PairLoss
  /** `[layers, heads]`: loss without the head less `base.loss`, on the report half. NaN: not yet. */
  readonly change: Tensor
  /** 95 % interval of `change`, bootstrap over pairs; NaN in partial results. */
  readonly low: Tensor
  readonly high: Tensor
  /** `[layers, heads]`: the same change on the selection half. */
  readonly selection: Tensor
  /** Heads as layer * heads + head, the least important first, by `selection`. Empty while partial. */
  readonly order: Int32Array
}

export interface PruningOptions extends AnalysisOptions<PruningCurves> {
  ablation?: 'zero' | 'mean'
  /** `order` of an earlier `headImportance` with the same pairs and seed, which saves its work. */
  order?: Int32Array | readonly number[]
  /** At how many numbers of heads a curve is measured, 2 or more; 12 by default. */
  points?: number
  /** How many random orders; 5 by default. */
  randomOrders?: number
  /**
   * Also prune greedily: of the heads left always the one whose loss is missed least, judged anew
   * each time on this many pairs of the selection half. Takes long; 0 (the default) leaves it out.
   */
  greedyPairs?: number
}

/** Losses on the report half, one for each number of heads gone or each layer. NaN: not yet. */
export interface LossChanges {
  loss: Float32Array
  accuracy: Float32Array
  /** 95 % interval of `loss` less that of the whole model, bootstrap over pairs. */
  changeLow: Float32Array
  changeHigh: Float32Array
}

/** The loss as heads go, `[points]`. */
export interface PruningCurve extends LossChanges {
  /** Heads in the order in which they go, as layer * heads + head. */
  order: Int32Array
  /** How many are gone at each point. */
  pruned: Int32Array
}

export interface PruningCurves {
  readonly seed: number
  readonly resamples: number
  readonly ablation: 'zero' | 'mean'
  readonly half: Uint8Array
  readonly base: PairLoss
  /** By leave-one-out change on the selection half, the least first. */
  readonly importance: PruningCurve
  readonly random: readonly PruningCurve[]
  /** With `greedyPairs`. */
  readonly greedy?: PruningCurve
  /** All heads of one layer gone, `[layers]`. */
  readonly layers: LossChanges
  /**
   * All heads of one layer gone but `head`, the best on the selection half, `[layers]`: as Michel et
   * al. (2019) did.
   */
  readonly keepOne: LossChanges & { head: Int32Array }
}
