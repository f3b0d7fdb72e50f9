// The analyses of a model's heads: the part of a model's interface that measures.
import type {
  AnsweredText,
  HeadImportance,
  HeadImportanceOptions,
  LossSample,
  ModelLoss,
  ModelLossOptions,
  PruningCurves,
  PruningOptions,
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
   * Of an encoder-decoder these are the heads of its encoder, which reads the sentences.
   *
   * Heads are to be chosen on one half of the sentences and reported on the other, else the best of
   * many is partly luck. Patterns stay in WebAssembly; memory is that of one batch and of
   * 2 bytes x 2 directions x heads for every relation of every sentence.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, `OUT_OF_MEMORY`, `DISPOSED`; `UNSUPPORTED` for a
   * model of images
   */
  headRoles(sentences: readonly TreebankSentence[], options?: HeadRolesOptions): Reply<M, HeadRoles>

  /** Whether heads look from a mention to what it refers to, and whether other words do as well. */
  coreference(
    examples: readonly CoreferenceExample[],
    options?: CoreferenceOptions,
  ): Reply<M, CoreferenceScores>

  /**
   * The loss that the model was trained with, over samples of its kind, with heads switched off if
   * wanted: contrastive over pairs (encoders), of the next token in texts (decoders), of the target's
   * tokens over pairs of source and target (encoder-decoders).
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const model = await hw.loadModel(new URL('models/gpt2/', document.baseURI))
   * const texts = ['The cat sat on the mat.']
   * const whole = await model.loss(texts)
   * const without = await model.loss(texts, { heads: [{ layer: 0, head: 1 }] })
   * console.log(whole.kind, whole.loss !== without.loss) // next-token true
   * hw.dispose()
   * ```
   *
   * @throws HeadwiseError `INVALID_ARGUMENT` with the argument `pairs` or `texts`, by the kind;
   * `UNSUPPORTED` for images and for decoders without logits; `OUT_OF_MEMORY`, `DISPOSED`
   */
  loss(samples: readonly LossSample[], options?: ModelLossOptions): Reply<M, ModelLoss>

  /** @deprecated `loss` */
  pairLoss(samples: readonly LossSample[], options?: ModelLossOptions): Reply<M, ModelLoss>

  /**
   * Leave one out, for all heads. What enters each layer is kept for all samples, and only the layers
   * behind a change run again: about L / 2 + 1 times the work of one run for each head. Memory:
   * tokens x dModel x 4 bytes. Errors as of `loss`.
   */
  headImportance(
    samples: readonly LossSample[],
    options?: HeadImportanceOptions,
  ): Reply<M, HeadImportance>

  /** The loss as more and more heads go, in several orders. Errors as of `loss`. */
  pruning(samples: readonly LossSample[], options?: PruningOptions): Reply<M, PruningCurves>

  /**
   * The mean of every head's output before W_O over all tokens of the texts, `[attentions, heads,
   * headDim]`: what ablation by the mean puts in its place. An encoder-decoder is given sources with
   * what its decoder writes.
   */
  meanHeadOutputs(
    texts: readonly string[] | readonly AnsweredText[],
    options?: CallOptions,
  ): Reply<M, Tensor>
}
