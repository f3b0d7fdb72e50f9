// Small shapes that figures and chapters share.
import type { HeadWeights } from './measures'

/** A cell of a map: which token looks, which is looked at. */
export interface Pair {
  query: number
  key: number
}

/** What a row of one head puts on each token, shown under the tokens of the text. */
export interface Shade {
  /** Name of the head, 3.1. */
  head: string
  /** [S] */
  weights: Float32Array
}

/** A head as the grid shows it. */
export interface GridHead {
  layer: number
  head: number
  name: string
  /** Null while the layer is on its way. */
  map: HeadWeights | null
  /** The measure, ready to print; empty in the order of layers. */
  value: string
}

/** A symbol of a formula that can be chosen. */
export interface SymbolNote {
  id: string
  /** Letter and index, for the list. */
  letter: string
  index: string
  name: string
  detail: string
  /** Its value now, ready to print; empty while unknown. */
  now: string
}

/** A row of a table. */
export interface DataRow {
  id: string | number
  /** Ready to print; the first one is the row's name. */
  cells: readonly string[]
  /** Whether the row is the one the figure is about. */
  chosen?: boolean
}
