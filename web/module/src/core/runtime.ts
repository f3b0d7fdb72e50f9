// The synchronous runtime: everything on the calling thread.
import type {
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
import type { CallOptions, RuntimeInfo, RuntimeOf } from '../types/runtime.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import type { TileTrace, TileTraceOptions } from '../types/tile-trace.js'
import {
  headSimilaritySteps,
  lowRankFitSteps,
  principalAnglesSteps,
  principalComponentsSteps,
  svdSteps,
} from './analysis.js'
import { imported } from '../import-file.js'
import type { AnalysedModel } from './analysed-model.js'
import { attentionSteps } from './attention.js'
import type { Engine } from './engine.js'
import { CoreKeyValueCache } from './key-value-cache.js'
import { CoreLatentAttention, latentAttentionSteps } from './latent-attention.js'
import { CoreMultiHeadAttention } from './multi-head-attention.js'
import { CoreRecurrentLayer } from './recurrent-layer.js'
import { finish } from './steps.js'
import { traceTiles } from './tile-trace.js'

export class CoreRuntime implements RuntimeOf<'sync'> {
  constructor(readonly engine: Engine) {}

  get info(): RuntimeInfo {
    return this.engine.info()
  }

  attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: AttentionOptions = {},
  ): AttentionResult {
    const { engine } = this
    return engine.timed('attention', () =>
      finish(attentionSteps(engine, query, key, value, options)),
    )
  }

  createKeyValueCache(options: KeyValueCacheOptions): CoreKeyValueCache {
    return new CoreKeyValueCache(this.engine, options)
  }

  createMultiHeadAttention(options: MultiHeadAttentionOptions): CoreMultiHeadAttention {
    return new CoreMultiHeadAttention(this.engine, options)
  }

  createLatentAttention(options: LatentAttentionOptions): CoreLatentAttention {
    return new CoreLatentAttention(this.engine, options)
  }

  latentAttention(
    inputs: LatentAttentionInputs,
    options: LatentAttentionRunOptions = {},
  ): AttentionResult {
    const { engine } = this
    return engine.timed('latentAttention', () =>
      finish(latentAttentionSteps(engine, inputs, options)),
    )
  }

  createRecurrentLayer(options: RecurrentLayerOptions): CoreRecurrentLayer {
    return new CoreRecurrentLayer(this.engine, options)
  }

  traceTiles(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: TileTraceOptions,
  ): TileTrace {
    return traceTiles(this.engine, query, key, value, options)
  }

  svd(x: TensorLike, options: SvdOptions = {}): SvdResult {
    return finish(svdSteps(this.engine, x, options))
  }

  principalComponents(
    x: TensorLike,
    options: PrincipalComponentsOptions = {},
  ): PrincipalComponentsResult {
    return finish(principalComponentsSteps(this.engine, x, options))
  }

  principalAngles(a: TensorLike, b?: TensorLike, options: CallOptions = {}): PrincipalAnglesResult {
    return finish(principalAnglesSteps(this.engine, a, b, options))
  }

  headSimilarity(x: TensorLike, options: HeadSimilarityOptions = {}): Tensor {
    return finish(headSimilaritySteps(this.engine, x, options))
  }

  lowRankFit(pattern: TensorLike, options: LowRankFitOptions): LowRankFitResult {
    return finish(lowRankFitSteps(this.engine, pattern, options))
  }

  async loadModel(source: ModelSource, options?: LoadModelOptions): Promise<AnalysedModel> {
    const [{ loadModel }, { AnalysedModel: Model }] = await imported(
      'core/load-model.js',
      Promise.all([import('./load-model.js'), import('./analysed-model.js')]),
    )
    return loadModel(this.engine, Model, source, options)
  }

  dispose(): void {
    this.engine.dispose()
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}
