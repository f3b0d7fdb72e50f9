/// <reference lib="esnext.disposable" preserve="true" />
// The runtime of both entrances: how it is made, what it tells of itself, what it computes.
import type {
  HeadSimilarityOptions,
  LowRankFitOptions,
  LowRankFitResult,
  PrincipalAnglesResult,
  PrincipalComponentsOptions,
  PrincipalComponentsResult,
  SvdOptions,
  SvdResult,
} from './analysis.js'
import type { AttentionOptions, AttentionResult } from './attention.js'
import type { KeyValueCacheOf, KeyValueCacheOptions } from './cache.js'
import type {
  LatentAttentionInputs,
  LatentAttentionLayerOf,
  LatentAttentionOptions,
  LatentAttentionRunOptions,
} from './latent-attention.js'
import type { MultiHeadAttentionOf, MultiHeadAttentionOptions } from './multi-head-attention.js'
import type { LoadModelOptions, ModelSource } from './loading.js'
import type { ModelOf } from './model.js'
import type { RecurrentLayerOf, RecurrentLayerOptions } from './recurrent-layer.js'
import type { Tensor, TensorLike } from './tensor.js'
import type { TileTrace, TileTraceOptions } from './tile-trace.js'

/** `'async'` is the entrance `headwise`, `'sync'` is `headwise/core`. */
export type Mode = 'async' | 'sync'

/** What a computing call gives: a Promise from `headwise`, the value itself from `headwise/core`. */
export type Reply<M extends Mode, T> = M extends 'async' ? Promise<T> : T

/** The WebAssembly builds, fastest first. */
export type Build = 'threads-relaxed' | 'threads' | 'relaxed' | 'simd' | 'scalar'

/** Where the WebAssembly comes from; see {@link RuntimeOptions.wasm}. */
export type WasmSource = string | URL | Response | ArrayBuffer | Uint8Array | WebAssembly.Module

export interface RuntimeOptions {
  /**
   * Which build to run; `'auto'` (the default) takes the fastest that can run here. Builds with
   * threads need Node, or a page that is cross-origin isolated (the headers COOP and COEP) and a
   * Worker in it. A named build that cannot run here is an `UNSUPPORTED` error.
   */
  build?: 'auto' | Build
  /**
   * Threads for a build with threads, the computing one included: the cores available by default,
   * at most 8. Results have the same bits for any number; with 1, `'auto'` is a build without.
   */
  threads?: number
  /**
   * The `.wasm` file of the build: a URL, a `Response`, bytes or a compiled module. By default the
   * file beside the module's own code, found through `import.meta.url`. Given, it is used exactly;
   * where neither its name (`headwise-<build>.wasm`) nor `build` tells which it is, it is taken for
   * the fastest without threads.
   */
  wasm?: WasmSource
  /**
   * The most bytes of memory the module may take. With threads so much address space is reserved at
   * once, or less where a device refuses, which `onWarning` tells.
   */
  maximumMemory?: number
  /** Told once about each thing that works less well than it could; `console.warn` by default. */
  onWarning?: (message: string) => void
  /**
   * Told what each computing call that succeeds has cost, just before its result is there. Without
   * it nothing is measured.
   */
  onTiming?: (timing: CallTiming) => void
}

/** The calls that `onTiming` hears of; `forward` is that of any layer. */
export type TimedCall = 'attention' | 'latentAttention' | 'forward' | 'run' | 'embed'

/**
 * What one call has cost, in milliseconds: `duration` is the sum of `compute`, `copies` and
 * `waiting`. With `startTime` it fits `performance.measure(call, { start: startTime, duration })`.
 */
export interface CallTiming {
  readonly call: TimedCall
  /** When the call was made, as `performance.now()` of the calling thread tells. */
  readonly startTime: number
  /** From the call to its result. */
  readonly duration: number
  /** The work itself, tokens included. */
  readonly compute: number
  /** Copying arrays: for the message to the Worker, into WebAssembly memory and out of it. */
  readonly copies: number
  /**
   * Everything else: messages on their way, the calls before this one, parts of a model that were
   * still to come. 0 from `headwise/core`.
   */
  readonly waiting: number
}

export interface AsyncRuntimeOptions extends RuntimeOptions {
  /**
   * Where to compute: the URL of the worker script, a module `Worker` that already runs it, or
   * `false` for this thread. By default the script beside the module's own code. A Worker that
   * cannot be started (another origin, a Content-Security-Policy) falls back to this thread with
   * one warning.
   */
  worker?: string | URL | Worker | false
  /**
   * A model to load while the kernels still start, which brings it sooner: the source and the options
   * of `loadModel`. `runtime.model` gives it.
   */
  model?: { source: ModelSource } & LoadModelOptions
}

/** Bytes of WebAssembly memory. */
export interface MemoryInfo {
  /** Held now. */
  used: number
  /** The most that was ever held. */
  peak: number
  /** What the WebAssembly memory takes from the system; it never shrinks before `dispose()`. */
  reserved: number
}

/** Plain numbers, as of the last reply. */
export interface RuntimeInfo {
  build: Build
  threads: number
  version: string
  memory: MemoryInfo
}

/** Options of every computing call. */
export interface CallOptions {
  /**
   * Aborts the call: it throws or rejects with the signal's reason. `headwise` aborts between
   * slices of the work; a synchronous call of `headwise/core` looks before it starts.
   */
  signal?: AbortSignal
  /**
   * Hands typed arrays that fill their buffer exactly over to the Worker instead of copying them;
   * they are empty afterwards. Without effect where nothing crosses to a Worker.
   */
  transfer?: boolean
}

/** Something that holds WebAssembly memory until `dispose()`. */
export interface Disposable {
  /** Frees what it holds. Any later use is a `DISPOSED` error; disposing again does nothing. */
  dispose(): void
  [Symbol.dispose](): void
}

/** Multi-head attention and what is built from it. Made by `createRuntime`. */
export interface RuntimeOf<M extends Mode> extends Disposable {
  readonly info: RuntimeInfo

  /**
   * Scaled dot-product attention with the meaning of the ONNX operator Attention.
   *
   * `query [B, Hq, Sq, D]`, `key [B, Hkv, Skv, D]`, `value [B, Hkv, Skv, Dv]` give
   * `output [B, Hq, Sq, Dv]`; or all packed, `[B, S, H * D]` with `numHeads` and `kvHeads`, and the
   * output `[B, Sq, Hq * Dv]`. Query head h reads key/value head floor(h / (Hq / Hkv)). Lengths may
   * be 0. A row that sees no key is all zeros, in weights and output.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const query = { data: new Float32Array(6 * 64), dims: [1, 2, 3, 64] } // [B, Hq, Sq, D]
   * const key = { data: new Float32Array(5 * 64), dims: [1, 1, 5, 64] } // one head for both: MQA
   * const { output, weights } = await hw.attention(query, key, key, { returnWeights: true })
   * console.log(output.dims, weights.dims) // [1, 2, 3, 64] [1, 2, 3, 5]
   * console.log(weights.data[0].toFixed(2)) // 0.20
   * hw.dispose()
   * ```
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: AttentionOptions,
  ): Reply<M, AttentionResult>

  /**
   * Room for keys and values of `capacity` positions, kept in WebAssembly memory.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const cache = await hw.createKeyValueCache({ batch: 1, kvHeads: 2, headDim: 8, capacity: 16 })
   * const token = { data: new Float32Array(16).fill(1), dims: [1, 2, 1, 8] }
   * for (let step = 0; step < 3; step++) {
   *   await hw.attention(token, token, token, { cache, causal: true })
   * }
   * console.log(cache.length, cache.capacity) // 3 16
   * cache.dispose()
   * hw.dispose()
   * ```
   */
  createKeyValueCache(options: KeyValueCacheOptions): Reply<M, KeyValueCacheOf<M>>

  /**
   * A multi-head attention layer with its weights, with the meaning of torch.nn.MultiheadAttention.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const matrix = { data: new Float32Array(64 * 64).fill(0.01), dims: [64, 64] }
   * const layer = await hw.createMultiHeadAttention({
   *   dModel: 64,
   *   numHeads: 8,
   *   weights: { query: matrix, key: matrix, value: matrix, output: matrix },
   * })
   * const x = { data: new Float32Array(5 * 64).fill(1), dims: [1, 5, 64] }
   * const { output, heads } = await layer.forward(x, { returnHeads: true })
   * console.log(output.dims, heads.dims) // [1, 5, 64] [1, 8, 5, 64]
   * console.log(layer.parameters.total) // 16384
   * layer.dispose()
   * hw.dispose()
   * ```
   */
  createMultiHeadAttention(options: MultiHeadAttentionOptions): Reply<M, MultiHeadAttentionOf<M>>

  /** A multi-head latent attention layer (MLA, DeepSeek-V2) with its weights. */
  createLatentAttention(options: LatentAttentionOptions): Reply<M, LatentAttentionLayerOf<M>>

  /**
   * Latent attention on projected inputs: the keys of head h are `latent uk[h]` beside the shared
   * `keyRope`, its values `latent uv[h]`; the scale is 1 / sqrt(nope + rope).
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const filled = (...dims) => ({ data: new Float32Array(dims.reduce((a, b) => a * b)).fill(1), dims })
   * const inputs = {
   *   queryNope: filled(1, 2, 3, 8), // [B, H, Sq, nope]
   *   queryRope: filled(1, 2, 3, 4),
   *   latent: filled(1, 5, 16), // [B, Skv, latent]: all that a cache has to hold, with keyRope
   *   keyRope: filled(1, 5, 4),
   *   weights: { uk: filled(2, 16, 8), uv: filled(2, 16, 6) },
   * }
   * const { output } = await hw.latentAttention(inputs, { form: 'absorbed' })
   * console.log(output.dims) // [1, 2, 3, 6]
   * hw.dispose()
   * ```
   */
  latentAttention(
    inputs: LatentAttentionInputs,
    options?: LatentAttentionRunOptions,
  ): Reply<M, AttentionResult>

  /**
   * A recurrent layer, h_t = tanh(W x_t + U h_{t-1} + b) from h = 0: what attention took the place
   * of, to be measured against. The meaning of torch.nn.RNN with one layer.
   */
  createRecurrentLayer(options: RecurrentLayerOptions): Reply<M, RecurrentLayerOf<M>>

  /**
   * Attention of one head by tiles, with what every row knows after each tile of keys: the running
   * maximum and sum of FlashAttention's online softmax (Dao et al. 2022), the rescaling, the output
   * so far, and how many numbers move. `query [Sq, D]`, `key [Skv, D]`, `value [Skv, Dv]`. For
   * looking at, not for speed: `attention` computes the same output without keeping any of it.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  traceTiles(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: TileTraceOptions,
  ): Reply<M, TileTrace>

  /**
   * The thin singular value decomposition of a matrix `x [M, N]` by one-sided Jacobi rotations, or
   * its first `rank` terms: the nearest matrix of that rank. In double precision.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, also for NaN and infinity in `x`
   */
  svd(x: TensorLike, options?: SvdOptions): Reply<M, SvdResult>

  /**
   * Principal components of the rows of `x [S, D]`, at least 2: centred, not scaled.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, also for NaN and infinity in `x`
   */
  principalComponents(
    x: TensorLike,
    options?: PrincipalComponentsOptions,
  ): Reply<M, PrincipalComponentsResult>

  /**
   * Principal angles between the spans of columns: of every matrix of `a [Ha, D, Ra]` with every one
   * of `b [Hb, D, Rb]`, or with every other of `a` where `b` is left out; one matrix may come as
   * [D, R]. Weights of heads have this layout (`blocks.0.attn.W_Q`: [H, dModel, dHead]). All angles
   * are 0 between equal spans and pi / 2 between orthogonal ones.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, also for NaN and infinity
   */
  principalAngles(
    a: TensorLike,
    b?: TensorLike,
    options?: CallOptions,
  ): Reply<M, PrincipalAnglesResult>

  /**
   * How alike heads are in what they do to the same tokens, [H, H]: linear centred kernel alignment
   * (CKA, Kornblith et al. 2019) of their outputs `x [..., H, D]`, as `hook_z` is; the axes before
   * are tokens, at least 2 (4 for the debiased estimate). 1 for outputs that agree up to rotation,
   * shift and scale, 0 for uncorrelated ones and with a head whose output never changes.
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, also for NaN and infinity in `x`
   */
  headSimilarity(x: TensorLike, options?: HeadSimilarityOptions): Reply<M, Tensor>

  /**
   * How well a head of dimension d_k = 1, 2, ... can attend in a given pattern: queries and keys
   * `[n, d_k]` are fitted to `pattern [n, n]` (rows of at least 0 that sum to 1) with scores of a
   * bounded size. Minimised is the mean KL divergence of the rows, by L-BFGS from four starts, until
   * 20 steps gain less than 1e-5 of it. The problem is not convex: an error is what was found, an
   * upper bound of what is possible. After the low-rank bottleneck of Bhojanapalli et al. 2020.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const n = 8 // every query attends to the next key, the last one to the first
   * const data = Float32Array.from({ length: n * n }, (_, i) => Number(i % n === (1 + (i - (i % n)) / n) % n))
   * const { divergence } = await hw.lowRankFit({ data, dims: [n, n] }, { norm: 16, maxHeadDim: 2 })
   * console.log(Array.from(divergence.data, (kl) => kl.toFixed(1)).join(' ')) // 1.1 0.0
   * hw.dispose()
   * ```
   *
   * @throws HeadwiseError `INVALID_ARGUMENT`, also for NaN and infinity in `pattern`
   */
  lowRankFit(pattern: TensorLike, options: LowRankFitOptions): Reply<M, LowRankFitResult>

  /**
   * Loads a model in the Hugging Face layout: config.json, model.safetensors, tokenizer.json.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const hw = await createRuntime()
   * const folder = new URL('models/minilm-l6/', document.baseURI)
   * const model = await hw.loadModel(folder, { streaming: true })
   * const { tokens, cache } = await model.run('a cat sat', {
   *   names: ['blocks.0.attn.hook_pattern'],
   *   output: false, // as soon as the first block's pattern can be had
   * })
   * console.log(tokens.join(' ')) // [CLS] a cat sat [SEP]
   * console.log(cache.get('blocks.0.attn.hook_pattern').dims) // [1, 12, 5, 5]
   * await model.whenLoaded()
   * model.dispose()
   * hw.dispose()
   * ```
   *
   * @throws HeadwiseError `NETWORK`, `CORRUPT_FILE`, `UNSUPPORTED`, `OUT_OF_MEMORY`
   */
  loadModel(source: ModelSource, options?: LoadModelOptions): Promise<ModelOf<M>>
}
