// Options and results of the attention op.
import type { KeyValueCacheOf } from './cache.js'
import type { CallOptions, Mode } from './runtime.js'
import type { BooleanTensorLike, Tensor, TensorLike } from './tensor.js'

/** What decides which keys a query sees, and with what weight; shared by the op and the layers. */
export interface VisibilityOptions {
  /**
   * Softcap c > 0 turns scores into c * tanh(scores / c), before any mask. 0 (the default) is off.
   */
  softcap?: number
  /**
   * Added to the scores (`Float32Array`) or selecting (`Uint8Array`, nonzero = attend), broadcast
   * right-aligned to [B, Hq, Sq, Skv]; rank 3 is [H, Sq, Skv]. A last axis shorter than Skv hides
   * the keys beyond it. Only -Infinity or 0 hides a key: a finite bias is arithmetic.
   */
  mask?: TensorLike | BooleanTensorLike
  /**
   * [B, Skv], nonzero = a real token. What Hugging Face calls attention_mask, and the opposite of
   * PyTorch's key_padding_mask.
   */
  keyMask?: BooleanTensorLike
  /** Query i sees key j when j <= i + offset; see `causalOffset`. */
  causal?: boolean
  /**
   * Where query 0 stands among the keys. By default the length of the past or the cache, else
   * kvLengths[b] - Sq, else 0. PyTorch's causal_lower_right is Skv - Sq.
   */
  causalOffset?: number
  /** Position p = i + offset sees keys p - left ... p + right; -1 is unbounded. */
  window?: readonly [left: number, right: number]
  /** `[Hq]`: a factor on each head's output. 0 selects: the head contributes exactly nothing. */
  headMask?: Float32Array | readonly number[]
}

/** Results beyond the output; the output has the same bits with and without them. */
export interface ReturnOptions {
  /**
   * Also return `scores` [B, Hq, Sq, Skv]: `'scaled'` (before softcap), `'softcapped'`, or
   * `'biased'` (after every mask, hidden keys at -Infinity).
   */
  returnScores?: 'scaled' | 'softcapped' | 'biased'
  /** Also return `weights` [B, Hq, Sq, Skv], after softmax. */
  returnWeights?: boolean
}

export interface AttentionOptions extends VisibilityOptions, ReturnOptions, CallOptions {
  /** Number of query heads, for packed (rank 3) input only. */
  numHeads?: number
  /** Number of key/value heads, for packed (rank 3) input only; `numHeads` by default. */
  kvHeads?: number
  /** Factor on the scores, 1 / sqrt(D) by default. Any finite number is meant as given. */
  scale?: number
  /** `[B]`: keys at or beyond the length are hidden (a cache of fixed size). */
  kvLengths?: Int32Array | readonly number[]
  /** [B, Hkv, past, D], put before `key`; comes with `pastValue`. Gives `presentKey`. */
  pastKey?: TensorLike
  /** [B, Hkv, past, Dv], put before `value`; comes with `pastKey`. Gives `presentValue`. */
  pastValue?: TensorLike
  /**
   * Appends `key` and `value` to this cache and attends to everything in it. Excludes `pastKey`
   * and `kvLengths`. A full cache is an error and appends nothing.
   */
  cache?: KeyValueCacheOf<Mode>
}

export interface AttentionResult {
  /** [B, Hq, Sq, Dv], or [B, Sq, Hq * Dv] for packed input. */
  output: Tensor
  /** [B, Hq, Sq, Skv], with `returnScores`. */
  scores?: Tensor
  /** [B, Hq, Sq, Skv], with `returnWeights`. */
  weights?: Tensor
  /** [B, Hkv, past + Skv, D], with `pastKey`; for packed input too. */
  presentKey?: Tensor
  /** [B, Hkv, past + Skv, Dv], with `pastValue`; for packed input too. */
  presentValue?: Tensor
}
