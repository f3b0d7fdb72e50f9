// Models: loading, running, activations by name.
import type { HeadAnalysisOf } from './head-analysis.js'
import type { CallOptions, Disposable, Mode, Reply } from './runtime.js'
import type { Tensor, TensorLike } from './tensor.js'

/** Files that are already in memory. */
export interface ModelFiles {
  /** The content of config.json. */
  config: object
  /** The content of model.safetensors. */
  weights: ArrayBuffer | Uint8Array
  /** The content of tokenizer.json; a model of images has none. */
  tokenizer?: object
  /** The content of generation_config.json, of a model that generates; it may be left out. */
  generation?: object
}

/**
 * Where a model is:
 *
 * - `'owner/name'`, two names with one slash between them and nothing else: on the Hugging Face hub;
 * - any other text, or a `URL`: a folder. `'./owner/name'` and `'owner/name/'` are folders, relative
 *   to the page; in Node a text may be a path;
 * - the `files` of an `<input type=file>` (with `multiple`, or `webkitdirectory`), an array of `File`,
 *   or the handle that `showDirectoryPicker()` gives: the reader's own disk;
 * - `{ config, weights, tokenizer }`: memory.
 *
 * The files are config.json, tokenizer.json (but of a model of images), and model.safetensors or the
 * shards that model.safetensors.index.json names; of a model that generates generation_config.json
 * too, where it is there ({@link GenerationDefaults}). What a file names is looked for in its own folder only.
 */
export type ModelSource = string | URL | Iterable<File> | FileSystemDirectoryHandle | ModelFiles

/** How far a download has come. */
export interface Progress {
  file: string
  /** Bytes that have arrived. */
  loaded: number
  /** Bytes of the whole file; 0 while unknown. */
  total: number
  stage: 'config' | 'tokenizer' | 'first-rows' | 'weights'
  /** The same over all files of the model; `total` is 0 while the size of one is unknown. */
  overall: { loaded: number; total: number }
}

/** The hub, or a server with its paths: `{endpoint}/{owner}/{name}/resolve/{revision}/{file}`. */
export interface HubOptions {
  /** https://huggingface.co by default. */
  endpoint?: string | URL
  /** For models that are private or gated. Sent to the endpoint's origin only. */
  token?: string
  /** Asks in the place of the global `fetch`, on the calling thread. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface LoadModelOptions {
  /**
   * Aborts loading: the promise rejects at once with the signal's reason, and nothing is kept. From
   * `headwise` that holds for a tokenizer too whose patterns never end: the Worker that is still at
   * it a second later is ended, and what else lived in it is lost (`WORKER_LOST`).
   */
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /**
   * `'int8'` keeps int8 weights in one byte each, `'float32'` widens them. `'auto'` (the default)
   * follows the file.
   */
  dtype?: 'auto' | 'float32' | 'int8'
  /**
   * Resolve as soon as the configuration, the tokenizer and the small file of first embedding rows
   * are there (when the model has one); the rest goes on arriving. `model.loaded` tells how far it
   * is, and `run` waits for what it needs.
   */
  streaming?: boolean
  /** Called with `model.loaded` whenever it changes. */
  onLoaded?: (loaded: LoadedParts) => void
  /** Of a model of the hub: a branch, a tag or a commit; `'main'` by default. */
  revision?: string
  /** Where the hub is and how it is asked. */
  hub?: HubOptions
  /**
   * Whether downloads are kept, so that a later load needs no network: true by default for models of
   * the hub, false for folders, whose own host, and the page's service worker, know best. A text
   * names the place: in browsers a `Cache` (`'headwise'` by default; `caches.delete` empties it), in
   * Node a folder (by default `headwise` in the user's folder for caches). Kept files carry checksums
   * and are fetched anew where they are damaged; a hub's files are kept under their commit, others
   * under their ETag or date. Where storage is full or forbidden, `onWarning` is told once.
   */
  cache?: boolean | string
}

/** What of a model has arrived. */
export interface LoadedParts {
  /** Leading blocks that can run. */
  blocks: number
  /** Leading blocks whose attention pattern can be had (with `output: false`). */
  patterns: number
  /** Whether every word's embedding row is there, not only those of the first file. */
  vocabulary: boolean
  complete: boolean
}

/** How rotary positions turn: pair c of a head by position / base^(2c / dim), changed by scaling. */
export interface RotaryShape {
  /** Columns of a head that turn. */
  readonly dim: number
  readonly base: number
  /** Column 2c turns with 2c + 1; otherwise c with c + dim / 2. */
  readonly interleaved: boolean
  /**
   * A number divides every position. With `originalPositions` only the slow pairs are divided, as
   * Llama 3.1 does it.
   */
  readonly scaling:
    | number
    | {
        readonly factor: number
        readonly lowFrequencyFactor: number
        readonly highFrequencyFactor: number
        readonly originalPositions: number
      }
}

/**
 * What `generate` does unless its options say otherwise: the entries of generation_config.json with
 * the meaning that Hugging Face's `transformers` gives them. `eos_token_id`,
 * `decoder_start_token_id`, `forced_bos_token_id`, `suppress_tokens` and `bad_words_ids` of one token
 * each stand in {@link ModelConfig.generation}, before what config.json says. Entries that would
 * choose other tokens and are not supported, such as `num_beams` above 1, are named once through
 * `onWarning`; all others are ignored.
 */
export interface GenerationDefaults {
  /** `max_new_tokens` */
  readonly maxTokens?: number
  /** `max_length`: of the prompt and what is added; of an encoder-decoder, of what its decoder reads. */
  readonly maxLength?: number
  /** `stop_strings` */
  readonly stop?: readonly string[]
  /** With `do_sample`, which is off unless the file says otherwise: `temperature`, or 1. */
  readonly temperature?: number
  /** With `do_sample`: `top_k`, or 50. */
  readonly topK?: number
  /** With `do_sample`: `top_p`. */
  readonly topP?: number
}

/** The shape of a transformer: what its config.json says, in the terms of every architecture. */
export interface ModelConfig {
  /** The `model_type` of config.json. */
  readonly modelType: string
  /** An encoder sees all of its input, a decoder what came before; vision is an encoder of images. */
  readonly kind: 'encoder' | 'decoder' | 'encoder-decoder' | 'vision'
  /** Of the encoder, where there are two stacks. */
  readonly numLayers: number
  /** Of an encoder-decoder's decoder; 0 for the others. */
  readonly decoderLayers: number
  readonly numHeads: number
  readonly kvHeads: number
  readonly dModel: number
  readonly headDim: number
  readonly dMlp: number
  /** 0 for vision. */
  readonly vocabulary: number
  /** The longest sequence; 0 = any. */
  readonly maxPositions: number
  /** 0 = none. */
  readonly tokenTypes: number
  /** Width of the embedding tables; where it is not dModel, a matrix projects from it. */
  readonly dEmbedding: number
  readonly norm: 'layer' | 'rms'
  readonly normEpsilon: number
  /** After each sum, before each part of a block, or before and after the part. */
  readonly normPlacement: 'post' | 'pre' | 'sandwich'
  /** Whether the embedding passes a norm before the first block. */
  readonly embeddingNorm: boolean
  /** Whether the last block is followed by a norm. */
  readonly finalNorm: boolean
  /** Sinusoidal: sines in the first half of the columns, cosines in the second. */
  readonly positions: 'none' | 'learned' | 'sinusoidal' | 'rotary' | 'relative'
  /** Rows of the learned table before that of the first position. */
  readonly positionOffset: number
  /** With `positions: 'rotary'`. */
  readonly rotary?: RotaryShape
  /** With `positions: 'relative'`: T5's buckets of distances, each with a bias for every head. */
  readonly relative?: { readonly buckets: number; readonly maxDistance: number }
  /** GELU is exact, `gelu-tanh` its approximation; `silu` is also called swish. */
  readonly activation: 'gelu' | 'gelu-tanh' | 'relu' | 'silu'
  /** Whether the activation is a gate: out(activation(gate(x)) * in(x)). */
  readonly gatedMlp: boolean
  /** Whether query, key and value have biases. */
  readonly attentionBias: boolean
  readonly outputBias: boolean
  readonly mlpBias: boolean
  /** The factor on query times key; 1 / sqrt(headDim) in most models. */
  readonly attentionScale: number
  /** Scores become softcap * tanh(score / softcap); 0 = off. */
  readonly attentionSoftcap: number
  /** How many positions a query sees, itself the last; 0 = all. */
  readonly window: number
  /** Layers globalEvery - 1, 2 globalEvery - 1, ... have no window; 0 = every layer has it. */
  readonly globalEvery: number
  /** A factor on the rows of the token table. */
  readonly embeddingScale: number
  /** What stands on the last hidden state. */
  readonly head: 'none' | 'lm' | 'masked-lm' | 'classifier'
  /** Whether the head's matrix is the token table. */
  readonly tiedHead: boolean
  readonly headBias: boolean
  /** A factor on what enters the head's matrix. */
  readonly logitScale: number
  /** As `attentionSoftcap`, on the logits. */
  readonly logitSoftcap: number
  /** Of a classifier; 0 for the others. */
  readonly labels: number
  /** With `kind: 'vision'`. */
  readonly image?: {
    /** Pixels of a side, of the image and of a patch. */
    readonly size: number
    readonly patch: number
    readonly channels: number
    /** Learned tokens before the patches: 1, or 2 with a token for distillation. */
    readonly classTokens: number
  }
  /** What `generate` begins and ends with; of models that generate. */
  readonly generation?: {
    /** Ids with which an encoder-decoder's output begins; empty for a decoder. */
    readonly startIds: readonly number[]
    /** Ids that end a text. */
    readonly endIds: readonly number[]
    /** Ids that are never chosen. */
    readonly suppressedIds: readonly number[]
    /** From generation_config.json, where there is one. */
    readonly defaults?: GenerationDefaults
  }
  readonly dtype: 'float32' | 'int8'
  /** config.json as it came. */
  readonly source: object
}

/** Where a token stands in the text as typed, in UTF-16 units: text.slice(start, end). */
export type TokenSpan = readonly [start: number, end: number]

export interface Encoding {
  readonly ids: readonly number[]
  readonly tokens: readonly string[]
  /**
   * One per token, into the text that `typeIds` names; null for tokens that are not of the text, such
   * as [CLS]. Tokens that are parts of one character share its span; others never overlap.
   */
  readonly spans: readonly (TokenSpan | null)[]
  /** 0 for the first text, 1 for the second. */
  readonly typeIds: readonly number[]
}

export interface TokenizerOf<M extends Mode> {
  /**
   * The tokens of a text, or of a pair of texts, with the special tokens the model wants. An abort
   * ends patterns of a tokenizer that never do, as in {@link LoadModelOptions.signal}.
   */
  encode(text: string, pair?: string, options?: Pick<CallOptions, 'signal'>): Reply<M, Encoding>
}

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

/** What is left out is as the model's {@link GenerationDefaults} say, if it has any. */
export interface GenerateOptions {
  /** The most tokens to add; else 64. The model's longest sequence is a limit too. */
  maxTokens?: number
  /**
   * 0, else the default, always takes the likeliest token. Else logits are divided by it: 1 samples from
   * the model's own distribution, less keeps closer to the likeliest.
   */
  temperature?: number
  /** Sample from this many likeliest tokens. */
  topK?: number
  /** Sample from the fewest likeliest tokens whose probabilities sum to at least this. */
  topP?: number
  /** The same seed gives the same text; 0 by default. */
  seed?: number
  /** A text, or texts, at which to end; they do not appear in the parts. */
  stop?: string | readonly string[]
  /**
   * What the decoder of an encoder-decoder has written already: it goes on behind these ids. By
   * default what its output begins with.
   */
  decoderIds?: readonly number[] | Int32Array
  /** How many of the likeliest tokens each part tells; none by default. */
  candidates?: number
  /**
   * false: keep no keys and values of earlier tokens, and compute the whole text anew for each token.
   * The same text, more slowly: to see what the cache saves.
   */
  cache?: boolean
  signal?: AbortSignal
}

/** A token that could come next. */
export interface Candidate {
  readonly id: number
  /** As the vocabulary writes it. */
  readonly token: string
  /** The model's own probability, 0..1: softmax of the logits, without what is never chosen. */
  readonly probability: number
  /** The probability with which it is drawn, 0..1, after temperature, top-k and top-p. */
  readonly drawn: number
}

/** One token that `generate` has added. */
export interface GeneratedPart {
  readonly id: number
  /**
   * The text that is certain with it: empty inside a character of several tokens, and while a stop
   * text may have begun. The parts' texts make the whole text.
   */
  readonly text: string
  /**
   * Of the last part why it is the last: an end token (whose id it has), a stop text, or as many
   * tokens as may be.
   */
  readonly finished?: 'end' | 'stop' | 'length'
  /** The likeliest tokens of this step, likeliest first, with the option `candidates`. */
  readonly candidates?: readonly Candidate[]
  /** How long the model computed for this token, with the option `candidates`. */
  readonly milliseconds?: number
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
