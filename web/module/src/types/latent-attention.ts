// Multi-head latent attention (MLA): the layer and the op on projected inputs.
import type { AttentionResult, ReturnOptions, VisibilityOptions } from './attention.js'
import type { RotaryOptions } from './multi-head-attention.js'
import type { CallOptions, Disposable, Mode, Reply } from './runtime.js'
import type { TensorLike } from './tensor.js'

export interface LatentAttentionInputs {
  /** [B, H, Sq, nope] */
  queryNope: TensorLike
  /** [B, H, Sq, rope], already rotated */
  queryRope: TensorLike
  /** [B, Skv, latent] */
  latent: TensorLike
  /** [B, Skv, rope], already rotated, shared by all heads */
  keyRope: TensorLike
  /** `uk` `[H, latent, nope]` and `uv` `[H, latent, valueHeadDim]`: latent to keys and values. */
  weights: { uk: TensorLike; uv: TensorLike }
}

export interface LatentAttentionRunOptions extends VisibilityOptions, ReturnOptions, CallOptions {
  /**
   * `'expanded'` (the default) makes keys and values of every head; `'absorbed'` moves `uk` into
   * the query and `uv` behind the sum, so that only latents are read. The same output.
   */
  form?: 'expanded' | 'absorbed'
  /** 1 / sqrt(nope + rope) by default. */
  scale?: number
}

export interface LatentAttentionOptions extends CallOptions {
  dModel: number
  numHeads: number
  nopeDim: number
  ropeDim: number
  valueHeadDim: number
  latentDim: number
  /** Width of the query's own latent; without it the query is projected directly. */
  queryLatentDim?: number
  weights: LatentAttentionWeights
  rotary?: RotaryOptions
}

/** Weights [out, in] as PyTorch stores them. */
export interface LatentAttentionWeights {
  /** [numHeads * (nopeDim + ropeDim), dModel or queryLatentDim] */
  query: TensorLike
  /** [queryLatentDim, dModel], with `queryLatentDim`. */
  queryDown?: TensorLike
  /** `[latentDim + ropeDim, dModel]`: the latent, then the shared rotary key. */
  latent: TensorLike
  /** [numHeads, latentDim, nopeDim] */
  uk: TensorLike
  /** [numHeads, latentDim, valueHeadDim] */
  uv: TensorLike
  /** [dModel, numHeads * valueHeadDim] */
  output: TensorLike
}

export interface LatentAttentionForwardOptions extends LatentAttentionRunOptions {
  /** Positions of the tokens; 0, 1, 2, ... by default. */
  positions?: Int32Array | readonly number[]
}

export interface LatentAttentionLayerOf<M extends Mode> extends Disposable {
  /** x [B, S, dModel] to output [B, S, dModel]. */
  forward(x: TensorLike, options?: LatentAttentionForwardOptions): Reply<M, AttentionResult>
}
