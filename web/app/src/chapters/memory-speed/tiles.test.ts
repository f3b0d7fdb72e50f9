import { readdirSync, readFileSync } from 'node:fs'
import type { Tensor, TileTrace } from 'headwise'
import { describe, expect, it } from 'vitest'
import {
  bytesPerNumber,
  fastBytes,
  largestDifference,
  matrixBytes,
  mostTiles,
  movedBytes,
  nearestSize,
  rowState,
  rowStep,
  tiledBytes,
  tilesOf,
  tileSizes,
  type Tiling,
} from './tiles'

interface GoldenTensor {
  dims: number[]
  data: (number | null)[]
}
interface Golden {
  inputs: Record<'query' | 'key' | 'value', GoldenTensor>
  options: { queryTile: number; keyTile: number; causal: boolean }
  expect: Record<keyof TileTrace, GoldenTensor>
}

const folder = new URL('../../../../../tests/golden/tile-trace/', import.meta.url)
const tensorOf = ({ dims, data }: GoldenTensor): Tensor => ({
  type: 'float32',
  dims,
  data: Float32Array.from(data, (value) => value ?? -Infinity),
})
const cases = readdirSync(folder).map((name) => {
  const golden = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Golden
  const trace = Object.fromEntries(
    Object.entries(golden.expect).map(([part, tensor]) => [part, tensorOf(tensor)]),
  ) as unknown as TileTrace
  const [queries = 0, keys = 0] = trace.scores.dims
  const { queryTile, keyTile, causal } = golden.options
  const tiling: Tiling = {
    ...{ queries, keys, causal },
    queryTile: Math.min(queryTile, queries),
    keyTile: Math.min(keyTile, keys),
  }
  const widths = [golden.inputs.query.dims[1] ?? 0, golden.inputs.value.dims[1] ?? 0] as const
  return { name, trace, tiling, widths }
})

describe.each(cases)('$name, traced in NumPy', ({ trace, tiling, widths }) => {
  const tiles = tilesOf(tiling)

  it('goes through every score that is not hidden, once', () => {
    const visits = new Uint8Array(tiling.queries * tiling.keys)
    for (const tile of tiles) {
      for (let query = tile.firstQuery; query < tile.lastQuery; query++) {
        for (let key = tile.firstKey; key < tile.lastKey; key++) {
          const place = query * tiling.keys + key
          visits[place] = (visits[place] ?? 0) + 1
        }
      }
    }
    for (const [place, score] of trace.scores.data.entries()) {
      if (score !== -Infinity) expect(visits[place]).toBe(1)
      expect(visits[place]).toBeLessThanOrEqual(1)
    }
  })

  it('sums up what moves, to the last byte', () => {
    const moved = movedBytes(trace, tiles)
    const all = trace.moved.data.reduce((sum, numbers) => sum + numbers, 0) * bytesPerNumber
    expect(moved).toHaveLength(tiles.length + 1)
    expect(moved[0]).toBe(0)
    expect(moved.at(-1)).toBe(all)
    if (!tiling.causal && widths[0] === widths[1]) expect(tiledBytes(tiling, widths[0])).toBe(all)
  })

  it('a row goes from what it knew to what it knows', () => {
    for (const tile of tiles) {
      const { before, after, rescale, exponentials } = rowStep(trace, tile.firstQuery, tile)
      const added = exponentials.reduce((sum, value) => sum + value, 0)
      const kept = before.maximum === -Infinity ? 0 : before.sum * rescale
      expect(after.sum).toBeCloseTo(kept + added, 4)
      expect(after.maximum).toBeGreaterThanOrEqual(before.maximum)
    }
  })

  it('ends in the output, divided once', () => {
    const last = rowState(trace, 0, trace.maximum.dims[0] ?? 0)
    for (const [place, value] of last.output.entries()) {
      expect(value / last.sum).toBeCloseTo(trace.output.data[place] ?? NaN, 5)
    }
  })
})

describe('bytes', () => {
  it('of the whole matrix are those of algorithm 0 of Dao et al.: Q K V O, S and P twice each', () => {
    let numbers = 0
    const [queries, keys, width] = [7, 9, 5]
    numbers += queries * width + keys * width + queries * keys // load Q, K, store S
    numbers += queries * keys + queries * keys // load S, store P
    numbers += queries * keys + keys * width + queries * width // load P, V, store O
    expect(matrixBytes(queries, keys, width)).toBe(4 * numbers)
  })

  it('near at one time do not depend on the length', () => {
    const tiling = { queryTile: 4, keyTile: 8, causal: false }
    const near = (length: number) => fastBytes({ ...tiling, queries: length, keys: length }, 32)
    expect(near(16)).toBe(near(512))
    expect(near(16)).toBe(4 * (4 * 32 + 8 * 32 + 8 * 32 + 4 * 32 + 4 * 8 + 2 * 4))
  })

  it('tiles win for long texts once a tile has more than d / 2 queries', () => {
    const moved = (queryTile: number) => tiledBytes({ queries: 4096, keys: 4096, queryTile }, 64)
    expect(moved(64)).toBeLessThan(matrixBytes(4096, 4096, 64))
    expect(moved(16)).toBeGreaterThan(matrixBytes(4096, 4096, 64))
  })
})

describe('tile sizes', () => {
  it.each([1, 2, 5, 12, 64, 65, 200, 512])('a text of %i can be cut into few enough', (length) => {
    const sizes = tileSizes(length)
    expect(sizes.at(-1)).toBe(length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    for (const size of sizes) expect(Math.ceil(length / size)).toBeLessThanOrEqual(mostTiles)
  })

  it('takes the nearest there is', () => {
    expect(nearestSize(tileSizes(12), 4)).toBe(4)
    expect(nearestSize(tileSizes(512), 1)).toBe(16)
    expect(nearestSize(tileSizes(3), 64)).toBe(3)
  })
})

describe('the largest difference', () => {
  it('is found wherever it is, NaN included', () => {
    expect(largestDifference(Float32Array.of(1, 2, 3), Float32Array.of(1, 2.5, 3))).toBe(0.5)
    expect(largestDifference(Float32Array.of(1, NaN), Float32Array.of(1, 2))).toBeNaN()
  })
})
