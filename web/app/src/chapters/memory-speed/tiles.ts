// The order in which attention by tiles goes through the matrix of scores, and what it moves. A tile
// of queries stays while all tiles of keys and values pass by it, as in FlashAttention-2 and in the
// kernels of this page. Pure.
import type { Tensor, TileTrace } from 'headwise'

export interface Tiling {
  queries: number
  keys: number
  queryTile: number
  keyTile: number
  causal: boolean
}

/** One step: rows [firstQuery, lastQuery) against columns [firstKey, lastKey). */
export interface Tile {
  /** Places among the tiles. */
  row: number
  column: number
  firstQuery: number
  lastQuery: number
  firstKey: number
  lastKey: number
}

/** More tiles along an axis are no longer a picture. */
export const mostTiles = 32

/** Sizes of tiles that a text of so many tokens can be cut into. */
export function tileSizes(length: number): number[] {
  const least = Math.ceil(length / mostTiles)
  const known = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]
  return [...known.filter((size) => size >= least && size < length), length]
}

/** The size among `sizes` that is nearest to the one wanted. */
export function nearestSize(sizes: readonly number[], wanted: number): number {
  const distance = (size: number): number => Math.abs(size - wanted)
  return sizes.reduce((best, size) => (distance(size) < distance(best) ? size : best))
}

/** All tiles in the order of work; those that no query sees are left out. */
export function tilesOf({ queries, keys, queryTile, keyTile, causal }: Tiling): Tile[] {
  const tiles: Tile[] = []
  for (let row = 0; row * queryTile < queries; row++) {
    const firstQuery = row * queryTile
    const lastQuery = Math.min(firstQuery + queryTile, queries)
    for (let column = 0; column * keyTile < keys; column++) {
      const firstKey = column * keyTile
      if (causal && firstKey >= lastQuery) break
      const lastKey = Math.min(firstKey + keyTile, keys)
      tiles.push({ row, column, firstQuery, lastQuery, firstKey, lastKey })
    }
  }
  return tiles
}

/** What a row knows: the running maximum and sum, and its output not yet divided. */
export interface RowState {
  maximum: number
  sum: number
  output: Float32Array
}

const at = (tensor: Tensor, place: number): number => tensor.data[place] ?? NaN

/** What the row knows after so many tiles of keys; before the first it knows nothing. */
export function rowState(trace: TileTrace, query: number, tilesDone: number): RowState {
  const [, queries = 0, width = 0] = trace.accumulated.dims
  if (tilesDone === 0) return { maximum: -Infinity, sum: 0, output: new Float32Array(width) }
  const place = (tilesDone - 1) * queries + query
  return {
    maximum: at(trace.maximum, place),
    sum: at(trace.sum, place),
    output: trace.accumulated.data.subarray(place * width, (place + 1) * width),
  }
}

/** What happens to one row in one tile. */
export interface RowStep {
  before: RowState
  after: RowState
  /** exp(maximum before - maximum after) */
  rescale: number
  /** Scores of the row against the keys of the tile, and their exponentials. */
  scores: Float32Array
  exponentials: Float32Array
}

export function rowStep(trace: TileTrace, query: number, tile: Tile): RowStep {
  const [queries = 0, keys = 0] = trace.scores.dims
  const [from, to] = [query * keys + tile.firstKey, query * keys + tile.lastKey]
  return {
    before: rowState(trace, query, tile.column),
    after: rowState(trace, query, tile.column + 1),
    rescale: at(trace.rescale, tile.column * queries + query),
    scores: trace.scores.data.subarray(from, to),
    exponentials: trace.exponentials.data.subarray(from, to),
  }
}

export const bytesPerNumber = 4

/** Bytes moved after each step, the first entry before any, as C++ counted them. */
export function movedBytes(trace: TileTrace, tiles: readonly Tile[]): number[] {
  const [, columns = 0] = trace.moved.dims
  let sum = 0
  const sums = [0]
  for (const [place, tile] of tiles.entries()) {
    const next = tiles[place + 1]
    // Tiles that are skipped behind this one may still store the output.
    const last = next?.row === tile.row ? tile.column : columns - 1
    for (let column = tile.column; column <= last; column++) {
      sum += at(trace.moved, tile.row * columns + column)
    }
    sums.push(sum * bytesPerNumber)
  }
  return sums
}

/** Bytes that attention moves when the whole matrix is written down: scores and weights, each out
 * and in again (standard attention of Dao et al. 2022, algorithm 0). */
export function matrixBytes(queries: number, keys: number, width: number): number {
  const operands = 2 * queries * width + 2 * keys * width
  return bytesPerNumber * (operands + 4 * queries * keys)
}

/** Bytes that attention by tiles moves: queries and outputs once, keys and values once for each tile
 * of queries. Without a mask. */
export function tiledBytes(
  { queries, keys, queryTile }: Omit<Tiling, 'causal' | 'keyTile'>,
  width: number,
): number {
  return bytesPerNumber * 2 * width * (queries + keys * Math.ceil(queries / queryTile))
}

/** Bytes that have to be near: a tile of queries, keys, values, outputs and scores, m and l. */
export function fastBytes({ queryTile, keyTile }: Tiling, width: number): number {
  const numbers = 2 * queryTile * width + 2 * keyTile * width + queryTile * keyTile + 2 * queryTile
  return bytesPerNumber * numbers
}

/** Where both outputs differ most, and by how much. */
export function largestDifference(a: Float32Array, b: Float32Array): number {
  let largest = 0
  for (const [place, value] of a.entries()) {
    const difference = Math.abs(value - (b[place] ?? NaN))
    if (!(difference <= largest)) largest = difference
  }
  return largest
}
