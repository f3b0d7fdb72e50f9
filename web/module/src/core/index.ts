// The entrance `headwise/core`: everything on the calling thread, computing calls synchronous.
import type { KeyValueCacheOf } from '../types/cache.js'
import type { LatentAttentionLayerOf } from '../types/latent-attention.js'
import type { ModelOf } from '../types/model.js'
import type { TokenizerOf } from '../types/tokens.js'
import type { MultiHeadAttentionOf } from '../types/multi-head-attention.js'
import type { RecurrentLayerOf } from '../types/recurrent-layer.js'
import type { RuntimeOf, RuntimeOptions } from '../types/runtime.js'
import { checkRuntimeOptions } from '../validate/runtime.js'
import { createEngine } from './create-engine.js'
import { CoreRuntime } from './runtime.js'

export type * from '../types/index.js'
export { HeadwiseError, type ErrorCode, type ErrorFacts } from '../errors.js'
export * from '../functions/index.js'
export { version } from '../version.js'

/** The runtime of `headwise/core`; see {@link createRuntime}. */
export type Runtime = RuntimeOf<'sync'>
export type KeyValueCache = KeyValueCacheOf<'sync'>
export type MultiHeadAttention = MultiHeadAttentionOf<'sync'>
export type LatentAttentionLayer = LatentAttentionLayerOf<'sync'>
export type RecurrentLayer = RecurrentLayerOf<'sync'>
export type Model = ModelOf<'sync'>
export type Tokenizer = TokenizerOf<'sync'>

/**
 * Makes a runtime that computes on the calling thread. Its memory returns when it is disposed and
 * no longer referred to.
 *
 * @example
 * ```js
 * import { createRuntime } from 'headwise/core'
 *
 * const hw = await createRuntime()
 * const x = { data: Float32Array.of(1, 2), dims: [1, 1, 1, 2] }
 * const { output } = hw.attention(x, x, x) // no promise
 * console.log(...output.data) // 1 2
 * hw.dispose()
 * ```
 *
 * @throws HeadwiseError `INVALID_ARGUMENT`, `UNSUPPORTED`, `NETWORK`
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkRuntimeOptions(options)
  return new CoreRuntime(await createEngine(options))
}
