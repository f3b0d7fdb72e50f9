/// <reference lib="esnext.disposable" preserve="true" />
// The entrance `headwise`: everything computes in a Worker of its own, calls return Promises.
import { AsyncRuntime } from './async/runtime.js'
import type { KeyValueCacheOf } from './types/cache.js'
import type { LatentAttentionLayerOf } from './types/latent-attention.js'
import type { ModelOf } from './types/model.js'
import type { MultiHeadAttentionOf } from './types/multi-head-attention.js'
import type { RecurrentLayerOf } from './types/recurrent-layer.js'
import type { AsyncRuntimeOptions, RuntimeOf } from './types/runtime.js'
import type { TokenizerOf } from './types/tokens.js'
import { checkAsyncRuntimeOptions } from './validate/runtime.js'

export type * from './types/index.js'
export { HeadwiseError, type ErrorCode, type ErrorFacts } from './errors.js'
export * from './functions/index.js'
export { version } from './version.js'

/** The runtime of `headwise`; see {@link createRuntime}. */
export interface Runtime extends RuntimeOf<'async'> {
  /**
   * The model that `createRuntime` was given as its option `model`, as `loadModel` would give it;
   * undefined where it was given none.
   *
   * @example
   * ```js
   * import { createRuntime } from 'headwise'
   *
   * const model = { source: './models/minilm-l6', streaming: true }
   * const hw = await createRuntime({ model })
   * const { config } = await hw.model
   * console.log(config.numLayers, config.numHeads) // 6 12
   * hw.dispose()
   * ```
   */
  readonly model: Promise<Model> | undefined
  [Symbol.asyncDispose](): Promise<void>
}
export type KeyValueCache = KeyValueCacheOf<'async'>
export type MultiHeadAttention = MultiHeadAttentionOf<'async'>
export type LatentAttentionLayer = LatentAttentionLayerOf<'async'>
export type RecurrentLayer = RecurrentLayerOf<'async'>
export type Model = ModelOf<'async'>
export type Tokenizer = TokenizerOf<'async'>

/**
 * Starts a runtime with a Worker of its own. `dispose()` ends the Worker, so that its memory
 * returns.
 *
 * @example
 * ```js
 * import { createRuntime } from 'headwise'
 *
 * const hw = await createRuntime({ build: 'simd' })
 * const { build, threads } = hw.info
 * console.log(build, threads) // simd 1
 * hw.dispose()
 * ```
 *
 * @throws HeadwiseError `INVALID_ARGUMENT`, `UNSUPPORTED`, `NETWORK`
 */
export async function createRuntime(options: AsyncRuntimeOptions = {}): Promise<Runtime> {
  checkAsyncRuntimeOptions(options)
  return AsyncRuntime.create(options)
}
