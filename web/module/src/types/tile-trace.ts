// Attention of one head by tiles, written down.
import type { CallOptions } from './runtime.js'
import type { Tensor } from './tensor.js'

export interface TileTraceOptions extends CallOptions {
  /** Queries in a tile, at least 1; more than there are means all. */
  queryTile: number
  /** Keys (and values) in a tile, at least 1; more than there are means all. */
  keyTile: number
  /** Factor on the scores, 1 / sqrt(D) by default. */
  scale?: number
  /** Query i sees key j when j <= i. Tiles that none of their queries sees are skipped. */
  causal?: boolean
}

/** What every row knows after each tile of keys; T tiles of keys, R tiles of queries. */
export interface TileTrace {
  /** `[Sq, Skv]`: scale * q . k; -Infinity where it is hidden. */
  scores: Tensor
  /** `[Sq, Skv]`: exp(score - maximum), by the maximum the row knew when the tile was there. */
  exponentials: Tensor
  /** `[T, Sq]`: the running maximum; -Infinity before the first visible key. */
  maximum: Tensor
  /** `[T, Sq]`: the running sum of exponentials. */
  sum: Tensor
  /** `[T, Sq]`: exp(maximum before - maximum after), what sum and output so far were multiplied by. */
  rescale: Tensor
  /** `[T, Sq, Dv]`: the output so far, not yet divided by the sum. */
  accumulated: Tensor
  /** `[Sq, Dv]`: divided by the sum; zeros for a row that saw nothing. */
  output: Tensor
  /**
   * `[R, T]`: numbers (4 bytes each) loaded from and stored to slow memory in each step, when a tile
   * of queries stays while all keys and values pass by, as in FlashAttention-2.
   */
  moved: Tensor
}
