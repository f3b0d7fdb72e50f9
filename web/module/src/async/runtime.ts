// The runtime of the entrance `headwise`: checks arguments at once, sends the work to the connection.
import { disposedError } from '../errors.js'
import { imported } from '../import-file.js'
import type {
  FittedHeadDim,
  HeadSimilarityOptions,
  LowRankFitOptions,
  LowRankFitResult,
  PrincipalAnglesResult,
  PrincipalComponentsOptions,
  PrincipalComponentsResult,
  SvdOptions,
  SvdResult,
} from '../types/analysis.js'
import type { AttentionOptions, AttentionResult } from '../types/attention.js'
import type { KeyValueCacheOptions } from '../types/cache.js'
import type {
  LatentAttentionInputs,
  LatentAttentionOptions,
  LatentAttentionRunOptions,
} from '../types/latent-attention.js'
import type { LoadModelOptions, ModelSource } from '../types/loading.js'
import type { MultiHeadAttentionOptions } from '../types/multi-head-attention.js'
import type { RecurrentLayerOptions } from '../types/recurrent-layer.js'
import type { AsyncRuntimeOptions, CallOptions, RuntimeInfo, RuntimeOf } from '../types/runtime.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import type { TileTrace, TileTraceOptions } from '../types/tile-trace.js'
import {
  checkHeadSimilarity,
  checkLowRankFit,
  checkPrincipalAngles,
  checkPrincipalComponents,
  checkSvd,
} from '../validate/analysis.js'
import { checkAttention } from '../validate/attention.js'
import { checkLatentInputs } from '../validate/latent-attention.js'
import { checkTileTrace } from '../validate/tile-trace.js'
import type { CallSettings, Connection } from '../worker/connection.js'
import { AsyncKeyValueCache, remoteCacheOf } from './key-value-cache.js'
import { AsyncLatentAttention } from './latent-attention.js'
import type { AsyncModel } from './model.js'
import { AsyncMultiHeadAttention } from './multi-head-attention.js'
import { AsyncRecurrentLayer } from './recurrent-layer.js'
import { connect } from './connect.js'

export class AsyncRuntime implements RuntimeOf<'async'> {
  readonly #connection: Connection
  readonly #caches = new Map<number, WeakRef<AsyncKeyValueCache>>()
  #disposed = false

  private constructor(
    connection: Connection,
    readonly model: Promise<AsyncModel> | undefined,
  ) {
    this.#connection = connection
    connection.onLengths = (lengths) => {
      for (const [handle, length] of Object.entries(lengths)) {
        this.#caches.get(Number(handle))?.deref()?.mirror(length)
      }
    }
  }

  /** With a model that is asked for as soon as the Worker hears, its code on this side even before. */
  static async create({ model, ...options }: AsyncRuntimeOptions): Promise<AsyncRuntime> {
    if (model === undefined) return new AsyncRuntime(await connect(options), undefined)
    const file = modelFile()
    // Where the Worker does not start, nobody asks for it.
    file.catch(() => undefined)
    let loading: Promise<AsyncModel> | undefined
    const connection = await connect(options, (opened) => {
      const { source, ...settings } = model
      loading = file.then(({ AsyncModel }) => AsyncModel.load(opened, source, settings))
      // Whoever wants to know asks; without asking it is no unhandled rejection.
      loading.catch(() => undefined)
    })
    return new AsyncRuntime(connection, loading)
  }

  get info(): RuntimeInfo {
    const { info } = this.#connection
    if (info === undefined) throw disposedError('runtime')
    return info
  }

  async attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: AttentionOptions = {},
  ): Promise<AttentionResult> {
    this.#checkAlive()
    checkAttention(query, key, value, options)
    const settings = this.#settings(options)
    return this.#connection.call('attention', [query, key, value, options], settings)
  }

  async createKeyValueCache(options: KeyValueCacheOptions): Promise<AsyncKeyValueCache> {
    this.#checkAlive()
    const cache = await AsyncKeyValueCache.create(this.#connection, options)
    this.#caches.set(cache.handle, new WeakRef(cache))
    return cache
  }

  async createMultiHeadAttention(
    options: MultiHeadAttentionOptions,
  ): Promise<AsyncMultiHeadAttention> {
    this.#checkAlive()
    return AsyncMultiHeadAttention.create(this.#connection, options)
  }

  async createLatentAttention(options: LatentAttentionOptions): Promise<AsyncLatentAttention> {
    this.#checkAlive()
    return AsyncLatentAttention.create(this.#connection, options)
  }

  async latentAttention(
    inputs: LatentAttentionInputs,
    options: LatentAttentionRunOptions = {},
  ): Promise<AttentionResult> {
    this.#checkAlive()
    checkLatentInputs(inputs, options)
    const { signal, transfer } = options
    return this.#connection.call('latentAttention', [inputs, options], { signal, transfer })
  }

  async createRecurrentLayer(options: RecurrentLayerOptions): Promise<AsyncRecurrentLayer> {
    this.#checkAlive()
    return AsyncRecurrentLayer.create(this.#connection, options)
  }

  async traceTiles(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: TileTraceOptions,
  ): Promise<TileTrace> {
    this.#checkAlive()
    checkTileTrace(query, key, value, options)
    const { signal, transfer } = options
    return this.#connection.call('traceTiles', [query, key, value, options], { signal, transfer })
  }

  async svd(x: TensorLike, options: SvdOptions = {}): Promise<SvdResult> {
    this.#checkAlive()
    checkSvd(x, options)
    return this.#connection.call('svd', [x, options], options)
  }

  async principalComponents(
    x: TensorLike,
    options: PrincipalComponentsOptions = {},
  ): Promise<PrincipalComponentsResult> {
    this.#checkAlive()
    checkPrincipalComponents(x, options)
    return this.#connection.call('principalComponents', [x, options], options)
  }

  async principalAngles(
    a: TensorLike,
    b?: TensorLike,
    options: CallOptions = {},
  ): Promise<PrincipalAnglesResult> {
    this.#checkAlive()
    checkPrincipalAngles(a, b, options)
    return this.#connection.call('principalAngles', [a, b, options], options)
  }

  async headSimilarity(x: TensorLike, options: HeadSimilarityOptions = {}): Promise<Tensor> {
    this.#checkAlive()
    checkHeadSimilarity(x, options)
    return this.#connection.call('headSimilarity', [x, options], options)
  }

  async lowRankFit(pattern: TensorLike, options: LowRankFitOptions): Promise<LowRankFitResult> {
    this.#checkAlive()
    checkLowRankFit(pattern, options)
    const { signal, transfer, onProgress } = options
    const onEvent = (_name: string, fit: unknown) => onProgress?.(fit as FittedHeadDim)
    return this.#connection.call('lowRankFit', [pattern, options], { signal, transfer, onEvent })
  }

  async loadModel(source: ModelSource, options?: LoadModelOptions): Promise<AsyncModel> {
    this.#checkAlive()
    const { AsyncModel } = await modelFile()
    return AsyncModel.load(this.#connection, source, options)
  }

  dispose(): void {
    this.#disposed = true
    this.#connection.close()
  }

  [Symbol.dispose](): void {
    this.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.dispose()
    return Promise.resolve()
  }

  #checkAlive(): void {
    if (this.#disposed) throw disposedError('runtime')
  }

  /** How a call travels: its signal, and the generation of the cache that it uses. */
  #settings({ signal, transfer, ...options }: AttentionOptions): CallSettings {
    const cache = remoteCacheOf(options, this.#connection)
    return { signal, transfer, ...(cache && { generation: cache.generation }) }
  }
}

function modelFile(): Promise<{ AsyncModel: typeof AsyncModel }> {
  return imported('async/model.js', import('./model.js'))
}
