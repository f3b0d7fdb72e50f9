// Chapter 2 against NumPy in float64 (tests/golden/why_numpy.py): a row with a score raised, a layer
// as one wide head, and what its heads have together.
import { readFileSync } from 'node:fs'
import { createRuntime, type Runtime } from 'headwise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headTensors } from '../../figures/projections'
import { plain, type Inline } from '../../i18n/inline'
import { budgetRow, wideMap } from './compute'
import { why as english } from './en'
import { wantedFacts } from './facts'
import { budgetChart, budgetTable, headsChart, largestKeys, lostChart, mapsTable } from './figures'
import { why as korean } from './ko'
import { bestHead, meanMap, rowsOf, spreadOf, wantedKeys } from './together'

interface LayerCase {
  size: number
  heads: number
  headDim: number
  query: number[]
  key: number[]
  wide: number[]
  mean: number[]
  row: number
  most: number[]
  mostHeads: number[]
  entropyOfMean: number[]
  meanEntropy: number[]
  raises: {
    head: number
    key: number
    by: number
    scores: number[]
    before: number[]
    after: number[]
  }[]
}

const golden = JSON.parse(
  readFileSync(new URL('../../../../../tests/golden/why/layer.json', import.meta.url), 'utf8'),
) as LayerCase
const { size, heads, headDim } = golden
const projections = {
  layer: 5,
  size,
  heads,
  headDim,
  query: Float32Array.from(golden.query),
  key: Float32Array.from(golden.key),
  value: new Float32Array(size * heads * headDim),
}

let hw: Runtime
/** [heads, S, S], by the kernels. */
let pattern: Float32Array
beforeAll(async () => {
  hw = await createRuntime()
  const cells = size * size
  pattern = new Float32Array(heads * cells)
  for (let head = 0; head < heads; head++) {
    const { weights } = await hw.attention(...headTensors(projections, head), {
      returnWeights: true,
    })
    if (!weights) throw new Error('expected weights')
    pattern.set(weights.data, head * cells)
  }
}, 60_000)
afterAll(() => {
  hw.dispose()
})

function near(found: ArrayLike<number>, expected: readonly number[], tolerance = 2e-5): void {
  expect(found.length).toBe(expected.length)
  for (const [place, value] of expected.entries()) {
    const allowed = tolerance * Math.max(1, Math.abs(value))
    expect(Math.abs((found[place] ?? NaN) - value), `number ${String(place)}`).toBeLessThan(allowed)
  }
}

describe('a row as a budget', () => {
  it.each(golden.raises)('head $head, key $key by $by', async (expected) => {
    const { head, key, by } = expected
    const row = await budgetRow(hw, { projections, head, query: golden.row, raised: { key, by } })
    near(row.scores, expected.scores)
    near(row.before, expected.before)
    near(row.after, expected.after)
    expect(row.after.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 6)
  })

  it('is the model’s own row where nothing is raised', async () => {
    const { before, after } = await budgetRow(hw, {
      projections,
      head: 3,
      query: golden.row,
      raised: null,
    })
    expect(after).toEqual(before)
    near(after, Array.from(rowsOf(pattern, heads, size, golden.row)[3] ?? []), 1e-6)
  })
})

describe('a layer together', () => {
  it('as one wide head', async () => {
    near(await wideMap(hw, projections), golden.wide)
  })

  it('as the mean of its maps', () => {
    near(meanMap(pattern, heads), golden.mean)
  })

  it('the most that any head gives a key, and which', () => {
    const rows = rowsOf(pattern, heads, size, golden.row)
    const best = golden.most.map((_, key) => bestHead(rows, key))
    near(
      best.map(({ weight }) => weight),
      golden.most,
    )
    expect(best.map(({ head }) => head)).toEqual(golden.mostHeads)
  })

  it('the mean is spread wider than what it is made of', () => {
    const mean = meanMap(pattern, heads)
    for (let query = 0; query < size; query++) {
      const row = mean.subarray(query * size, (query + 1) * size)
      const { ofMean, ofHeads } = spreadOf(rowsOf(pattern, heads, size, query), row)
      near([ofMean, ofHeads], [golden.entropyOfMean[query] ?? 0, golden.meanEntropy[query] ?? 0])
      expect(ofMean).toBeGreaterThan(ofHeads)
    }
  })
})

describe('the keys that are asked for', () => {
  const row = (...weights: number[]): Float32Array => Float32Array.from(weights)

  it('are the word with the largest weight, and the word behind the query', () => {
    expect(wantedKeys(row(0.4, 0.1, 0.3, 0.1, 0.1), 2, [0, 4])).toEqual([1, 3])
    expect(wantedKeys(row(0.1, 0.2, 0.1, 0.5, 0.1), 2, [0, 4])).toEqual([3, 1])
  })

  it('are two even where there are hardly any words', () => {
    expect(wantedKeys(row(0.4, 0.3, 0.3), 1, [0, 2])).toEqual([0, 1])
    expect(wantedKeys(row(0.4, 0.6), 0, [0, 1])).toEqual([0, 1])
    expect(wantedKeys(row(0.4, 0.6), 1, [0, 1])).toEqual([0, 1])
  })
})

describe('figures', () => {
  const labels = ['a', 'b', 'c']
  const before = Float32Array.of(0.2, 0.3, 0.5)
  const after = Float32Array.of(0.6, 0.15, 0.25)

  it('show the largest keys in their order', () => {
    expect(largestKeys([before, after], 2)).toEqual([0, 2])
    const { series, x } = budgetChart({ before, after }, labels, '3.1', english)
    expect(series.map(({ points }) => points.map(({ y }) => y))).toEqual([[...before], [...after]])
    expect(x.ticks?.map(({ label }) => label)).toEqual(labels)
  })

  it('hold the rows they are given', () => {
    const rows = { most: after, mean: before, wide: after }
    const lost = lostChart(rows, labels, '3', korean)
    expect(lost.series.map(({ points }) => points[0]?.y)).toEqual([after[0], before[0], after[0]])
    const wanted = [
      { key: 0, label: 'a' },
      { key: 2, label: 'a' },
    ] as const
    const chart = headsChart([before, after], wanted, (head) => `3.${String(head)}`, english)
    expect(chart.series.map(({ name }) => name)).toEqual(['a (0)', 'a (2)'])
    expect(chart.series[1]?.points).toEqual([
      { x: 0, y: before[2] },
      { x: 1, y: after[2] },
    ])
  })

  it('are written into files whole', () => {
    const scores = Float32Array.of(1, 2, 3)
    expect(budgetTable([], { scores, before, after }, labels).rows[2]).toEqual([
      2,
      'c',
      3,
      0.5,
      0.25,
    ])
    const map = { layer: 3, head: 0, size: 2, weights: Float32Array.of(1, 0, 0.25, 0.75) }
    const { columns, rows } = mapsTable([], [{ id: 'wide', map }], ['a', 'b'])
    expect(columns.at(-1)).toBe('wide')
    expect(rows).toHaveLength(4)
    expect(rows[2]).toEqual([1, 'b', 0, 'a', 0.25])
  })
})

describe('the two catalogues', () => {
  const layer = { nameOf: (head: number) => `3.${String(head)}` }
  const first = wantedFacts({ label: 'cat', best: { head: 1, weight: 0.5 }, mean: 0.11 }, layer)
  const second = wantedFacts({ label: 'was', best: { head: 9, weight: 0.18 }, mean: 0.05 }, layer)
  const wide = { key: '[CLS]', weight: '0.98' }
  const raise = { key: 'mat', by: '+3.00', before: '0.136', after: '0.759', factor: '0.279' }
  const said = (words: typeof english): Inline[][] => [
    words.answer({ query: 'it', layer: '3', first, second, wide }),
    words.budget1(),
    words.budget2(),
    words.honesty(),
    words.heads.found(first, second),
    words.lost.spread('2.05', '1.74'),
    words.budget.raised(raise),
    words.tries.layerEvidence(first, second),
    words.tries.wideEvidence('0.001', '0.002', '[CLS]', '0.980'),
    words.tries.raiseEvidence('0.759', '0.486', '0.136'),
  ]

  it('refer to the same parts of the figures', () => {
    const parts = (words: typeof english): string[][] =>
      said(words).map((inlines) =>
        inlines
          .flatMap((each) => (typeof each !== 'string' && each.kind === 'part' ? [each.part] : []))
          .sort(),
      )
    expect(parts(korean)).toEqual(parts(english))
  })

  it('give the same numbers', () => {
    const numbers = (words: typeof english): string[][] =>
      said(words).map((inlines) => (plain(inlines).match(/\d+\.\d+/g) ?? []).sort())
    expect(numbers(korean)).toEqual(numbers(english))
  })
})
