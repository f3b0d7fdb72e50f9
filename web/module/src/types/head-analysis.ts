// The analyses of a model's heads: the part of a model's interface that measures.
import type {
  HeadImportance,
  HeadImportanceOptions,
  PairLoss,
  PairLossOptions,
  PruningCurves,
  PruningOptions,
  SentencePair,
} from './head-importance.js'
import type {
  CoreferenceExample,
  CoreferenceOptions,
  CoreferenceScores,
  HeadRoles,
  HeadRolesOptions,
} from './head-roles.js'
import type { CallOptions, Mode, Reply } from './runtime.js'
import type { Tensor } from './tensor.js'
import type { TreebankSentence } from './treebank.js'

export interface HeadAnalysisOf<M extends Mode> {
  /**
   * What each head does, after Clark et al. (2019): for every relation of the sentences' trees and
   * every head, how often the word with most attention is the right one, beside the best fixed
   * offset; and measures that need no tree. Attention between words: the sum to the tokens of a
   * word, the mean from them, other words only, special tokens ignored. A token belongs to the word
   * that it overlaps most. Of equal weights the first word counts.
   *
   * Heads are to be chosen on one half of the sentences and reported on the other, else the best of
   * many is partly luck. Patterns stay in WebAssembly; memory is that of one batch and of
   * 2 bytes x 2 directions x heads for every relation of every sentence.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, `OUT_OF_MEMORY`, `DISPOSED`; `UNSUPPORTED` for
   * encoder-decoders and images; the losses are of encoders only
   */
  headRoles(sentences: readonly TreebankSentence[], options?: HeadRolesOptions): Reply<M, HeadRoles>

  /** Whether heads look from a mention to what it refers to, and whether other words do as well. */
  coreference(
    examples: readonly CoreferenceExample[],
    options?: CoreferenceOptions,
  ): Reply<M, CoreferenceScores>

  /** The contrastive loss over pairs of sentences, with heads switched off if wanted. */
  pairLoss(pairs: readonly SentencePair[], options?: PairLossOptions): Reply<M, PairLoss>

  /**
   * Leave one out, for all heads. Each layer's input is kept for all sentences, and only the layers
   * behind a change run again: about L / 2 + 1 times the work of one run for each head. Memory:
   * tokens x dModel x 4 bytes.
   */
  headImportance(
    pairs: readonly SentencePair[],
    options?: HeadImportanceOptions,
  ): Reply<M, HeadImportance>

  /** The loss as more and more heads go, in several orders. */
  pruning(pairs: readonly SentencePair[], options?: PruningOptions): Reply<M, PruningCurves>

  /**
   * The mean of every head's output before W_O over all tokens of the texts, `[layers, heads,
   * headDim]`: what ablation by the mean puts in its place.
   */
  meanHeadOutputs(texts: readonly string[], options?: CallOptions): Reply<M, Tensor>
}
