// Which heads matter: the loss that a model was trained with, with heads switched off.
import type { AnalysisOptions, AnalysisProgress, HeadReference } from './head-roles.js'
import type { CallOptions } from './runtime.js'
import type { Tensor, TensorLike } from './tensor.js'

/** Two sentences that mean the same. */
export type SentencePair = readonly [first: string, second: string]

/** What an encoder-decoder reads and should write; further good answers count for `exactMatch`. */
export type AnsweredText = readonly [source: string, target: string, ...others: string[]]

/**
 * What a model is judged on, by its kind: a {@link SentencePair} for an encoder, an
 * {@link AnsweredText} for an encoder-decoder, a text for a decoder.
 */
export type LossSample = SentencePair | AnsweredText | string

/**
 * How a head is switched off, or made to go wrong, before W_O: its output set to zero, or to its
 * mean (over all tokens of the selection half); Gaussian noise added with this standard deviation;
 * its positions permuted within each sentence.
 */
export type HeadAblation = 'zero' | 'mean' | { noise: number } | 'shuffle'

/**
 * The loss of a model's own training objective, by its kind:
 *
 * - `'contrastive'`, of encoders (in-batch negatives, Henderson et al. 2017): sentences as mean-pooled
 *   vectors of length 1, scores 20 times their cosines, and for each first sentence the cross-entropy
 *   of finding its own second one among the seconds of all pairs. Depends on how many pairs there are:
 *   compare losses over the same pairs only.
 * - `'next-token'`, of decoders: -log p(token | all tokens before it), of every token but the first.
 * - `'target-token'`, of encoder-decoders: the same of the target's tokens, each given the source and
 *   the target before it (teacher forcing).
 */
export type LossKind = 'contrastive' | 'next-token' | 'target-token'

export interface ModelLoss {
  readonly kind: LossKind
  /** In nats; of pairs the mean, of tokens the mean over all tokens of all samples. */
  loss: number
  /** Share of pairs whose second sentence is the nearest of all; share of tokens foretold. */
  accuracy: number
  /** 95 % interval of `loss`, bootstrap over samples (of pairs with the candidates as they are). */
  low: number
  high: number
  /** `[samples]`: the loss of each, the mean over its tokens. */
  losses: Float32Array
  /** `[samples]`: tokens judged in each, its weight in `loss`; 1 of a pair. */
  tokens: Float32Array
  /** Of a decoder: the loss in bits for each byte of the texts in UTF-8 that is foretold. */
  bitsPerByte?: number
  /**
   * Of an encoder-decoder: the share of samples for which greedy decoding writes one of the answers,
   * token for token. Known without decoding: it does where every token of the answer is the most
   * likely one behind those before it.
   */
  exactMatch?: number
}

/** @deprecated {@link ModelLoss} */
export type PairLoss = ModelLoss

export interface ModelLossOptions extends CallOptions {
  /** Heads to switch off; none by default. */
  heads?: readonly HeadReference[]
  ablation?: HeadAblation
  /** `[attentions, heads, headDim]` for `'mean'`; of the samples themselves by default. */
  means?: TensorLike
  seed?: number
  resamples?: number
  onProgress?: (progress: AnalysisProgress) => void
}

/** @deprecated {@link ModelLossOptions} */
export type PairLossOptions = ModelLossOptions

export interface HeadImportanceOptions extends AnalysisOptions<HeadImportance> {
  ablation?: HeadAblation
}

/** Of every head, `[attentions, heads]`: a change, and its 95 % interval, which comes with the end. */
export interface HeadChanges {
  readonly change: Tensor
  readonly low: Tensor
  readonly high: Tensor
}

/**
 * Leave one out: what the loss changes by without each head. Samples are cut into two halves by a
 * seeded shuffle; heads are ordered by one half and reported on the other. Rows are the model's
 * attentions (`attentionNames`): its layers, or those of both stacks and between them.
 */
export interface HeadImportance extends HeadChanges {
  readonly seed: number
  readonly resamples: number
  readonly ablation: HeadAblation
  /** What the rows are: `blocks.0.attn`, ... */
  readonly attentions: readonly string[]
  /** Of each sample: 1 = selection half, 2 = report half. */
  readonly half: Uint8Array
  /** The loss of the whole model on the report half. */
  readonly base: ModelLoss
  /** `[attentions, heads]`: loss without the head less `base.loss`, on the report half. NaN: not yet. */
  readonly change: Tensor
  /** 95 % interval of `change`, bootstrap over samples; NaN in partial results. */
  readonly low: Tensor
  readonly high: Tensor
  /** `[attentions, heads]`: the same change on the selection half. */
  readonly selection: Tensor
  /** Of an encoder-decoder: what `base.exactMatch` changes by, on the report half. */
  readonly exactMatch?: HeadChanges
  /** Heads as attention * heads + head, the least important first, by `selection`. Empty while partial. */
  readonly order: Int32Array
}

export interface PruningOptions extends AnalysisOptions<PruningCurves> {
  ablation?: 'zero' | 'mean'
  /** `order` of an earlier `headImportance` with the same samples and seed, which saves its work. */
  order?: Int32Array | readonly number[]
  /** At how many numbers of heads a curve is measured, 2 or more; 12 by default. */
  points?: number
  /** How many random orders; 5 by default. */
  randomOrders?: number
  /**
   * Also prune greedily: of the heads left always the one whose loss is missed least, judged anew
   * each time on this many samples of the selection half. Takes long; 0 (the default) leaves it out.
   */
  greedyPairs?: number
}

/** Losses on the report half, one for each number of heads gone or each attention. NaN: not yet. */
export interface LossChanges {
  loss: Float32Array
  accuracy: Float32Array
  /** 95 % interval of `loss` less that of the whole model, bootstrap over samples. */
  changeLow: Float32Array
  changeHigh: Float32Array
  /** Of an encoder-decoder. */
  exactMatch?: Float32Array
}

/** The loss as heads go, `[points]`. */
export interface PruningCurve extends LossChanges {
  /** Heads in the order in which they go, as attention * heads + head. */
  order: Int32Array
  /** How many are gone at each point. */
  pruned: Int32Array
}

export interface PruningCurves {
  readonly seed: number
  readonly resamples: number
  readonly ablation: 'zero' | 'mean'
  /** As in {@link HeadImportance}. */
  readonly attentions: readonly string[]
  readonly half: Uint8Array
  readonly base: ModelLoss
  /** By leave-one-out change on the selection half, the least first. */
  readonly importance: PruningCurve
  readonly random: readonly PruningCurve[]
  /** With `greedyPairs`. */
  readonly greedy?: PruningCurve
  /** All heads of one attention gone, `[attentions]`. */
  readonly layers: LossChanges
  /**
   * All heads of one attention gone but `head`, the best on the selection half, `[attentions]`: as
   * Michel et al. (2019) did.
   */
  readonly keepOne: LossChanges & { head: Int32Array }
}
