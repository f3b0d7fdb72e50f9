// The multi-head attention layer: weights and options.
import type { ReturnOptions, VisibilityOptions } from './attention.js'
import type { KeyValueCacheOf } from './cache.js'
import type { CallOptions, Disposable, Mode, Reply } from './runtime.js'
import type { Tensor, TensorLike } from './tensor.js'

/** Weights [out, in] as PyTorch stores them, biases [out]. */
export interface SeparateWeights {
  /** [numHeads * headDim, dModel] */
  query: TensorLike
  /** [kvHeads * headDim, keyInputDim] */
  key: TensorLike
  /** [kvHeads * valueHeadDim, valueInputDim] */
  value: TensorLike
  /** [dModel, numHeads * valueHeadDim] */
  output: TensorLike
  queryBias?: TensorLike
  keyBias?: TensorLike
  valueBias?: TensorLike
  outputBias?: TensorLike
}

/** The projections in one matrix: all rows of the query, then the key, then the value. */
export interface FusedWeights {
  /** [(numHeads + kvHeads) * headDim + kvHeads * valueHeadDim, dModel] */
  qkv: TensorLike
  qkvBias?: TensorLike
  /** [dModel, numHeads * valueHeadDim] */
  output: TensorLike
  outputBias?: TensorLike
}

/** Rotary position embedding of queries and keys. */
export interface RotaryOptions {
  /** How many leading columns of a head are rotated; all by default. */
  dim?: number
  /** 10000 by default. */
  base?: number
  /** Pairs (2i, 2i + 1) instead of (i, i + dim / 2). */
  interleaved?: boolean
  /** Positions are divided by it (linear scaling); 1 by default. */
  scaling?: number
}

export interface MultiHeadAttentionOptions extends CallOptions {
  dModel: number
  numHeads: number
  /** `numHeads` by default; 1 is multi-query attention. */
  kvHeads?: number
  /** dModel / numHeads by default. */
  headDim?: number
  /** `headDim` by default. */
  valueHeadDim?: number
  /** Width of the key's input (PyTorch: kdim); dModel by default. */
  keyInputDim?: number
  /** Width of the value's input (PyTorch: vdim); dModel by default. */
  valueInputDim?: number
  weights: SeparateWeights | FusedWeights
  rotary?: RotaryOptions
  /** Linear position bias: true for the usual slopes, or one slope per head. */
  alibi?: boolean | Float32Array
  /** Accepted because checkpoints carry it; nothing is ever dropped at inference. */
  dropout?: number
}

export interface MultiHeadAttentionForwardOptions
  extends VisibilityOptions, ReturnOptions, CallOptions {
  /** `[B, Skv, keyInputDim]`: another sequence to attend to; comes with `value`. */
  key?: TensorLike
  /** [B, Skv, valueInputDim]; comes with `key`. */
  value?: TensorLike
  /** Positions of the queries (and, in self-attention, the keys), with `rotary` only. */
  positions?: Int32Array | readonly number[]
  /** Appends the projected keys and values to this cache and attends to everything in it. */
  cache?: KeyValueCacheOf<Mode>
  /** Also return `heads` `[B, H, Sq, dModel]`: what each head adds to the output, before the bias. */
  returnHeads?: boolean
}

export interface MultiHeadAttentionResult {
  /** [B, Sq, dModel] */
  output: Tensor
  /** [B, H, Sq, Skv], with `returnScores`. */
  scores?: Tensor
  /** [B, H, Sq, Skv], with `returnWeights`. */
  weights?: Tensor
  /** [B, H, Sq, dModel], with `returnHeads`; summed over heads plus the output bias: the output. */
  heads?: Tensor
}

/** Numbers of parameters by part. */
export interface ParameterParts {
  query: number
  key: number
  value: number
  output: number
  biases: number
  total: number
}

export interface MultiHeadAttentionOf<M extends Mode> extends Disposable {
  readonly parameters: ParameterParts
  /** Self-attention on x [B, Sq, dModel], or attention from x to `key` and `value`. */
  forward(
    x: TensorLike,
    options?: MultiHeadAttentionForwardOptions,
  ): Reply<M, MultiHeadAttentionResult>
}
