// The key/value cache as callers see it.
import type { Disposable, Mode, Reply } from './runtime.js'
import type { Tensor } from './tensor.js'

export interface KeyValueCacheOptions {
  batch: number
  kvHeads: number
  headDim: number
  /** `headDim` by default. */
  valueHeadDim?: number
  /** The most positions it can hold; memory for all of them is taken at once. */
  capacity: number
}

/** Keys and values of earlier positions, kept in WebAssembly memory and extended in place. */
export interface KeyValueCacheOf<M extends Mode> extends Disposable {
  /** Positions held now. */
  readonly length: number
  /** Positions it can hold. */
  readonly capacity: number
  /** Forgets the positions from `length` on. */
  truncate(length: number): Reply<M, void>
  /** Forgets everything. */
  reset(): Reply<M, void>
  /** A copy of the keys, [B, Hkv, length, D]. */
  keys(): Reply<M, Tensor>
  /** A copy of the values, [B, Hkv, length, Dv]. */
  values(): Reply<M, Tensor>
}
