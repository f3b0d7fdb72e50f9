// Models: running, activations by name.
import type { GenerateOptions, GeneratedPart } from './generation.js'
import type { HeadAnalysisOf } from './head-analysis.js'
import type { LoadedParts } from './loading.js'
import type { ModelConfig } from './model-config.js'
import type { CallOptions, Disposable, Mode, Reply } from './runtime.js'
import type { Tensor, TensorLike } from './tensor.js'
import type { Encoding, TokenizerOf } from './tokens.js'

/** A change to an activation, made where its name stands, before everything behind it. */
export interface Intervention {
  /** `blocks.{layer}.attn.hook_z` */
  name: string
  /** One head; all heads when left out. */
  head?: number
  /**
   * `'zero'`; other values, [S, D] or [B, S, D] for one head, [S, H, D] or [B, S, H, D] for all; a
   * mean at every position, [D] for one head, [H, D] for all; Gaussian noise of this standard
   * deviation added; or the positions of each sequence permuted. The same seed, the same change.
   */
  set:
    | 'zero'
    | TensorLike
    | { mean: TensorLike }
    | { noise: number; seed?: number }
    | { shuffle: number }
}

export interface RunOptions extends CallOptions {
  /** Activations to keep, `*` standing for anything: `['blocks.*.attn.hook_pattern']`. */
  names?: readonly string[]
  interventions?: readonly Intervention[]
  /**
   * Run only the blocks before this one (of an encoder-decoder counted through both stacks); the output
   * is then the input of that block. An intervention
   * of which no place is before it is an error.
   */
  stopAtLayer?: number
  /**
   * false: end as soon as every named activation is there, and wait for no parameter behind the
   * last of them; the result then has no `output`. The first attention pattern of a streaming model
   * comes earliest so. `'hidden'`: the last hidden state, of a model with a head too.
   */
  output?: boolean | 'hidden'
  /**
   * What the decoder of an encoder-decoder reads, the same for every sequence; by default what its
   * output begins with.
   */
  decoderIds?: readonly number[] | Int32Array
}

/**
 * A text; two strings, which are a pair in one sequence; any other number of strings, which are a
 * padded batch (`{ texts }` is always a batch); or ids. For a model of images
 * `{ image }`, [channels, size, size] or a batch of such, as its training normalised the pixels.
 */
export type RunInput =
  | string
  | readonly [textA: string, textB: string]
  | readonly string[]
  | readonly number[]
  | Int32Array
  | { texts: readonly string[] }
  | { ids: readonly number[]; typeIds?: readonly number[] }
  | { image: TensorLike }

/** Activations by the names of TransformerLens. */
export interface ActivationCache {
  readonly names: readonly string[]
  has(name: string): boolean
  /** @throws HeadwiseError `INVALID_ARGUMENT` with near names, when it was not kept. */
  get(name: string): Tensor
}

export interface RunResult {
  /** The tokens of the sequence; of the first one for a batch, see `encodings`. */
  readonly tokens: readonly string[]
  /** One encoding per sequence. */
  readonly encodings: readonly Encoding[]
  /**
   * The logits of the model's head, `[B, S, vocabulary]` (of an encoder-decoder for the positions of
   * `decoderIds`; of a classifier `[B, labels]`); without a head the last hidden state,
   * `[B, S, dModel]`. Absent with `output: false`.
   */
  readonly output?: Tensor
  /** [B, S], 1 = a real token, 0 = padding. */
  readonly keyMask: { readonly data: Uint8Array; readonly dims: readonly number[] }
  readonly cache: ActivationCache
}

export interface EmbedOptions extends CallOptions {
  /** How the tokens of a text become one vector: `'mean'` (the default) or `'cls'`. */
  pooling?: 'mean' | 'cls'
  /** Scale to length 1; true by default. */
  normalize?: boolean
}

export interface ModelOf<M extends Mode> extends Disposable, HeadAnalysisOf<M> {
  readonly config: ModelConfig
  /** Number of parameters. */
  readonly parameters: number
  /** A model of images has none: its calls are `UNSUPPORTED` errors. */
  readonly tokenizer: TokenizerOf<M>
  readonly loaded: LoadedParts
  /** Resolves when everything is loaded, rejects when loading failed. */
  whenLoaded(): Promise<void>
  /**
   * Runs the model. From `headwise` it waits for the parts of a streaming model that it needs; from
   * `headwise/core` they must be there.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const model = await hw.loadModel(new URL('models/minilm-l6/', document.baseURI))
   * const name = 'blocks.5.attn.hook_z'
   * const off = [{ name, head: 11, set: 'zero' }]
   * const { output } = await model.run('a cat sat', { interventions: off, stopAtLayer: 6 })
   * console.log(output.dims) // [1, 5, 384]
   * const { encodings } = await model.run(['is it a cat?', 'it is'])
   * console.log(encodings[0].typeIds.join('')) // 0000000111
   * model.dispose()
   * hw.dispose()
   * ```
   */
  run(input: RunInput, options?: RunOptions): Reply<M, RunResult>
  /**
   * One vector per text, [texts, dModel].
   *
   * @throws HeadwiseError `UNSUPPORTED` for encoder-decoders and models of images.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const model = await hw.loadModel(new URL('models/minilm-l6/', document.baseURI))
   * const { data, dims } = await model.embed(['a cat', 'a kitten', 'a tax form'])
   * const vector = (i) => data.subarray(i * dims[1], (i + 1) * dims[1])
   * const cosine = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0)
   * console.log(cosine(vector(0), vector(1)) > cosine(vector(0), vector(2))) // true
   * model.dispose()
   * hw.dispose()
   * ```
   */
  embed(texts: readonly string[], options?: EmbedOptions): Reply<M, Tensor>
  /**
   * Continues the prompt, or for an encoder-decoder writes what answers to it, a token at a time.
   * Other calls come between the tokens; leaving the loop, or the signal, ends the work.
   *
   * @throws HeadwiseError `UNSUPPORTED` for a model without a language-model head.
   */
  generate(
    prompt: string | readonly number[] | Int32Array,
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedPart, void, undefined>
  /** Every name that `weight` takes, in the order of use. */
  readonly weightNames: readonly string[]
  /**
   * A copy of one of the model's weights, by the name and with the dims that TransformerLens gives
   * it:
   *
   * - of an encoder `embed.embed.W_E`, `embed.pos_embed.W_pos`,
   *   `embed.token_type_embed.W_token_type`, of others `embed.W_E`, `pos_embed.W_pos`:
   *   [rows, dModel]; `embed.ln.w`, `embed.ln.b`: [dModel]
   * - `blocks.{layer}.attn.W_Q`, `W_K`, `W_V`: [heads, dModel, headDim] (of K and V the heads that
   *   there are, kvHeads), `b_Q`, `b_K`, `b_V`: [heads, headDim]; `W_O`: [heads, headDim, dModel],
   *   `b_O`: [dModel]
   * - `blocks.{layer}.mlp.W_in`, `W_gate`: [dModel, dMlp], `b_in`: [dMlp], `W_out`: [dMlp, dModel],
   *   `b_out`: [dModel]; `ln1.w`, `ln1.b`, `ln2.w`, `ln2.b`: [dModel]
   * - `ln_final.w`, `ln_final.b`: [dModel]; `unembed.W_U`: [dModel, vocabulary] where it is not
   *   the token table, `unembed.b_U`: [vocabulary]
   * - of an encoder-decoder `encoder.{layer}.` and `decoder.{layer}.` with `cross_attn`, and
   *   `encoder_final_ln.w`
   *
   * Values are those that the products use: int8 weights times their scales, with the outliers that
   * stand beside them added. From `headwise` it waits for a weight of a streaming model that is
   * still on its way; from `headwise/core` that is an `UNSUPPORTED` error.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT` with near names, when the model has no such weight.
   */
  weight(name: string, options?: CallOptions): Reply<M, Tensor>
}
