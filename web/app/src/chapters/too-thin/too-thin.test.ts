// Chapter 9: patterns, ranks, budgets and sentences by hand; the real model's ranks and the fits of the
// kernels against NumPy's.
import { readFileSync } from 'node:fs'
import { createRuntime } from 'headwise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plain, type Inline } from '../../i18n/inline'
import { defaultRank, patternIds, type PatternId } from '../../state/rankView'
import { divergenceAt, parametersOf, splitsOf } from './budget'
import {
  fitChart,
  lengthChart,
  normChart,
  shownHeadDims,
  spectrumChart,
  splitChart,
} from './charts'
import { circleScene, planeShare } from './circleScene'
import { fitExperiment, ranksExperiment } from './citations'
import { published, publishedIds } from './claims'
import {
  fitOf,
  lengthRanks,
  matricesOf,
  normFits,
  rankOf,
  ranksOf,
  spectrumOf,
  type Fit,
  type HeadMatrices,
  type HeadRank,
} from './compute'
import { rank as english } from './en'
import { rank as korean } from './ko'
import { longText } from './longText'
import { blockCount, drawingOf, patternOf, redrawn } from './patterns'
import { bulkRank, leading, lengthsUpTo, numericalRank } from './ranks'
import { mapsTable, ranksTable, vectorsOf, vectorsTable } from './tables'

const choice = (pattern: PatternId, length = 6, drawn = '') => ({
  pattern,
  length,
  seed: 3,
  drawn,
})
const rowsOf = (pattern: Float32Array, length: number): number[][] =>
  Array.from({ length }, (_, row) => [...pattern.subarray(row * length, (row + 1) * length)])

describe('patterns', () => {
  it.each(patternIds)('%s: rows of at least 0 that sum to 1', (id) => {
    for (const length of [3, 7, 16]) {
      for (const row of rowsOf(patternOf(choice(id, length)), length)) {
        expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5)
        expect(Math.min(...row)).toBeGreaterThanOrEqual(0)
      }
    }
  })

  it('are what they are called', () => {
    expect(rowsOf(patternOf(choice('shift', 3)), 3)).toEqual([
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ])
    expect([...patternOf(choice('diagonal', 3))]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1])
    const order = rowsOf(patternOf(choice('permutation', 8)), 8).map((row) => row.indexOf(1))
    expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(rowsOf(patternOf(choice('blocks', 4)), 4)[2]).toEqual([0, 0, 0.5, 0.5])
    expect([3, 5, 8, 16].map(blockCount)).toEqual([1, 2, 4, 4])
    expect(Math.min(...patternOf(choice('random', 16)))).toBeGreaterThan(0)
    expect(patternOf(choice('random'))).not.toEqual(patternOf({ ...choice('random'), seed: 4 }))
  })

  it('drawn ones: levels shared out, a row of nothing to everything alike', () => {
    expect(rowsOf(patternOf(choice('own', 3, '900333010')), 3)).toEqual([
      [1, 0, 0],
      [1, 1, 1].map(() => Math.fround(1 / 3)),
      [0, 1, 0],
    ])
    expect([...patternOf(choice('own', 3))].every((weight) => weight === Math.fround(1 / 3))).toBe(
      true,
    )
    expect(drawingOf(patternOf(choice('shift', 3)), 3)).toBe('090009900')
    expect(drawingOf(patternOf(choice('uniform', 3)), 3)).toBe('999999999')
    expect(redrawn('000000000', 4, 7)).toBe('000070000')
  })
})

describe('ranks', () => {
  it('counts what is above rounding, and what holds nearly all', () => {
    expect(numericalRank([4, 1, 4 * 2 ** -21, 0], 4)).toBe(2)
    expect(numericalRank([4, 1, 4.001 * 2 ** -21], 4)).toBe(3)
    expect(numericalRank([0, 0], 2)).toBe(0)
    expect(bulkRank([3, 4, 0])).toBe(2)
    expect(bulkRank([10, 0.5, 0.5])).toBe(1)
    expect(bulkRank([0, 0])).toBe(0)
  })

  it('lengths end with the text, with d_k and one more among them', () => {
    expect(lengthsUpTo(12, 32)).toEqual([2, 4, 8, 12])
    expect(lengthsUpTo(95, 32)).toEqual([2, 4, 8, 12, 16, 24, 32, 33, 40, 48, 64, 80, 95])
    expect(lengthsUpTo(1, 32)).toEqual([])
    expect([...leading(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 3, 2)]).toEqual([1, 2, 4, 5])
  })
})

describe('the budget', () => {
  it('is the same however it is divided', () => {
    expect(splitsOf(12)).toEqual([
      { heads: 1, headDim: 12 },
      { heads: 2, headDim: 6 },
      { heads: 3, headDim: 4 },
      { heads: 4, headDim: 3 },
      { heads: 6, headDim: 2 },
      { heads: 12, headDim: 1 },
    ])
    expect(parametersOf(384)).toBe(2 * 384 * 384)
    expect([1, 3, 99].map((headDim) => divergenceAt([3, 2, 1], headDim))).toEqual([3, 1, 1])
    expect(divergenceAt([], 1)).toBeNaN()
  })

  it('published heads fill the width they are said to fill', () => {
    for (const [heads, headDim] of published.vaswani.slice(0, 5)) expect(heads * headDim).toBe(512)
    for (const [heads, headDim] of published.large) expect(heads * headDim).toBe(1024)
    for (const id of publishedIds) {
      for (const row of published[id]) {
        expect(row.length - 1).toBe(english.claims.tables[id].columns.length)
      }
    }
  })
})

interface Golden {
  text: string
  layers: number
  heads: number
  tokens: number
  headRanks: { layer: number; head: number; scores: number; bulk: number; weights: number }[]
  spectra: { layer: number; head: number; scores: number[]; weights: number[] }[]
  lengths: {
    layer: number
    head: number
    ranks: [length: number, scores: number, weights: number][]
  }
  fits: {
    name: string
    length: number
    norm: number
    pattern: number[]
    divergences: number[]
  }[]
}
const golden = JSON.parse(
  readFileSync(new URL('../../../../../tests/golden/rank/rank.json', import.meta.url), 'utf8'),
) as Golden

describe('against NumPy', () => {
  let hw: Awaited<ReturnType<typeof createRuntime>>
  let all: HeadMatrices

  beforeAll(async () => {
    hw = await createRuntime({ build: 'simd', worker: false })
    const folder = new URL('../../../../models/minilm-l6/', import.meta.url)
    const model = await hw.loadModel(folder, { dtype: 'float32' })
    const { ids, typeIds } = await model.tokenizer.encode(golden.text)
    const { numLayers: layers, numHeads: heads, headDim } = model.config
    all = await matricesOf(model, { ids, typeIds, layers, heads, headDim })
  }, 120_000)
  afterAll(() => {
    hw.dispose()
  })

  it('is the text that the page offers, three times as long as d_k', () => {
    expect(golden.text).toBe(longText)
    expect(all.size).toBe(golden.tokens)
    expect(all.size).toBeGreaterThan(64)
  })

  it('singular values and ranks of scores and weights', async () => {
    for (const { layer, head, scores, weights } of golden.spectra) {
      const spectrum = await spectrumOf(hw, all, { layer, head })
      for (const [got, expected] of [
        [spectrum.scores, scores],
        [spectrum.weights, weights],
      ] as const) {
        const largest = expected[0] ?? 0
        expected.forEach((value, place) => {
          expect(Math.abs((got[place] ?? NaN) - value)).toBeLessThan(2e-5 * largest)
        })
      }
      const known = golden.headRanks.find((each) => each.layer === layer && each.head === head)
      const measured = rankOf({ layer, head }, spectrum)
      expect(measured.scores).toBe(known?.scores)
      expect(measured.bulk).toBe(known?.bulk)
      expect(Math.abs(measured.weights - (known?.weights ?? NaN))).toBeLessThanOrEqual(2)
    }
  })

  it('of all heads in turn, going on behind what is known', async () => {
    const small: HeadMatrices = {
      size: 2,
      layers: 1,
      heads: 3,
      headDim: 1,
      scores: [Float32Array.of(1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0)],
      weights: [Float32Array.of(1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 1, 0, 0, 1)],
    }
    const seen: number[] = []
    const { signal } = new AbortController()
    const known = [{ layer: 0, head: 0, scores: 9, bulk: 9, weights: 9 }]
    const ranks = await ranksOf(hw, small, known, signal, (part) => seen.push(part.length))
    expect(seen).toEqual([2, 3])
    expect(ranks).toEqual([
      known[0],
      { layer: 0, head: 1, scores: 2, bulk: 2, weights: 1 },
      { layer: 0, head: 2, scores: 0, bulk: 0, weights: 2 },
    ])
  })

  it('d_k bounds the scores of every head, and the weights of none', () => {
    for (const { scores, weights } of golden.headRanks) {
      expect(scores).toBeLessThanOrEqual(32)
      expect(weights).toBeGreaterThan(32)
    }
  })

  it('ranks of the first tokens', async () => {
    const { layer, head, ranks } = golden.lengths
    const measured = await lengthRanks(hw, all, { layer, head })
    expect(measured.map(({ length }) => length)).toEqual(ranks.map(([length]) => length))
    for (const [place, [, scores, weights]] of ranks.entries()) {
      expect(measured[place]?.scores).toBe(scores)
      expect(Math.abs((measured[place]?.weights ?? NaN) - weights)).toBeLessThanOrEqual(2)
    }
  })

  it.each(golden.fits)('$name: as near as another search comes', async (known) => {
    const { length, norm, divergences } = known
    const pattern = Float32Array.from(known.pattern)
    const { dims } = await fitOf(hw, { pattern, length, norm, seed: 1 })
    expect(dims.map(({ headDim }) => headDim)).toEqual(divergences.map((_, place) => place + 1))
    dims.forEach(({ divergence, norm: reached }, place) => {
      const expected = divergences[place] ?? NaN
      // Neither search is sure to find the least; ours may be the better one.
      expect(divergence).toBeLessThanOrEqual(1.02 * expected + 1e-5)
      expect(divergence).toBeGreaterThanOrEqual(0.85 * expected - 1e-4)
      expect(reached).toBeLessThanOrEqual(norm * 1.000001)
    })
  })

  it('more norm helps, and what is known is shown on the way', async () => {
    const seen: number[] = []
    const { signal } = new AbortController()
    const pattern = patternOf(choice('shift', 6))
    const fits = await normFits(
      hw,
      { pattern, length: 6, seed: 1 },
      [1, 4, 16],
      signal,
      (known) => {
        seen.push(known.length)
      },
    )
    expect(seen).toEqual([1, 2, 3])
    const two = fits.map(({ divergences }) => divergences[1] ?? NaN)
    expect(two.toSorted((a, b) => b - a)).toEqual(two)
    expect(two[2]).toBeLessThan(0.01)
  })
})

const fit: Fit = {
  length: 2,
  dims: [
    { headDim: 1, divergence: 0.5, largestError: 0.25, norm: 2 },
    { headDim: 2, divergence: 0.125, largestError: 0.0625, norm: 2 },
  ],
  weights: Float32Array.of(1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5),
  queries: Float32Array.of(1, 0, 2, 0, 3, 4, 5, 6),
  keys: Float32Array.of(-1, 0, -2, 0, -3, -4, -5, -6),
}

describe('figures', () => {
  it('vectors of one d_k, in tables and in the plane', () => {
    expect([...vectorsOf(fit, 2).keys]).toEqual([-3, -4, -5, -6])
    expect(vectorsTable([], fit, 1)).toEqual({
      header: [],
      columns: ['token', 'query_1', 'key_1'],
      rows: [
        [0, 1, -1],
        [1, 2, -2],
      ],
    })
    // |k_1|^2 = 25, |k_2|^2 = 9; a third one of 1.
    expect(planeShare(Float32Array.of(5, 0, 0, 0, 3, 1), 2, 3)).toBeCloseTo(706 / 707, 9)
    expect(planeShare(new Float32Array(4), 2, 2)).toBe(1)
    const scene = circleScene(
      {
        ...vectorsOf(fit, 2),
        length: 2,
        names: { queries: 'q', keys: 'k' },
        title: 't',
        hovered: null,
      },
      300,
      'dark',
    )
    const dots = scene.marks.filter((mark) => mark.kind === 'rect')
    expect(dots).toHaveLength(2)
    for (const { x, y } of dots) {
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(300)
      expect(y).toBeGreaterThan(0)
      expect(y).toBeLessThan(scene.height)
    }
    // The second query lies farther out than the first, in the same direction.
    expect((dots[1]?.x ?? 0) > (dots[0]?.x ?? 0) && (dots[1]?.y ?? 0) < (dots[0]?.y ?? 0)).toBe(
      true,
    )
  })

  it('charts hold what was computed', () => {
    const spectrum = { scores: Float32Array.of(4, 2, 0), weights: Float32Array.of(1, 1, 0.5) }
    const values = spectrumChart(spectrum, 2, '3.1', english)
    expect(values.series[0]?.points.map(({ y }) => y)).toEqual([1, 0.5, 0])
    expect(values.rules).toHaveLength(1)
    expect(spectrumChart(spectrum, 32, '3.1', english).rules).toEqual([])
    expect([1e-3, 1, 100, 0.2].map((value) => values.y.print(value))).toEqual([
      '10⁻³',
      '1',
      '10²',
      '0.2',
    ])
    const lengths = lengthChart([{ length: 4, scores: 3, weights: 4 }], 2, '3.1', english)
    expect(lengths.series.map(({ points }) => points[0]?.y)).toEqual([3, 4])
    expect(
      fitChart(fit, 'p', 4, english).series.map(({ points }) => points.map(({ y }) => y)),
    ).toEqual([
      [0.5, 0.125],
      [0.25, 0.0625],
    ])
    expect(shownHeadDims(2, 12)).toEqual([1, 2, 11])
    expect(shownHeadDims(5, 3)).toEqual([1, 2, 5])
    const norms = normChart([{ norm: 4, divergences: [3, 2, 1] }], 3, 3, 'p', english)
    expect(norms.series.map(({ name, points }) => [name, points[0]?.y])).toEqual([
      ['d_k = 1', 3],
      ['d_k = 2', 2],
      ['d_k = 3', 1],
    ])
    const split = splitChart(fit, 4, 'p', english)
    expect(split.series[0]?.points).toEqual([
      { x: 1, y: 0.125 },
      { x: 2, y: 0.125 },
      { x: 4, y: 0.5 },
    ])
    expect(split.rules?.[0]?.value).toBe(2)
  })

  it('tables hold it unrounded', () => {
    const ranks: HeadRank[] = [{ layer: 0, head: 1, scores: 32, bulk: 7, weights: 95 }]
    expect(ranksTable([], ranks).rows).toEqual([[0, 1, 32, 7, 95]])
    const maps = mapsTable([], Float32Array.of(1, 0, 0.5, 0.5), Float32Array.of(0.9, 0.1), 2)
    expect(maps.rows).toEqual([
      [0, 0, 1, Math.fround(0.9)],
      [0, 1, 0, Math.fround(0.1)],
      [1, 0, 0.5, NaN],
      [1, 1, 0.5, NaN],
    ])
  })
})

describe('what can be cited', () => {
  const ranks: HeadRank[] = [
    { layer: 0, head: 0, scores: 31, bulk: 5, weights: 60 },
    { layer: 0, head: 1, scores: 32, bulk: 5, weights: 64 },
    { layer: 0, head: 2, scores: 32, bulk: 5, weights: 64 },
  ]
  const measured = { model: 'm', text: 't', pair: '', tokens: 64, headDim: 32, heads: 3 }

  it('ranks: median and range, how many heads, and what a short text bounds', () => {
    const { sentence, rows, options } = ranksExperiment(ranks, measured)
    expect(rows).toHaveLength(3)
    expect(options).toMatchObject({ tokens: 64, d_k: 32, measured: 3 })
    expect(sentence('en')).toContain(
      'all 3 heads of m (d_k = 32) have a numerical rank of 32 (31–32)',
    )
    expect(sentence('en')).toContain('lies in 5 singular values')
    expect(sentence('en')).toContain('does not show')
    expect(sentence('en')).not.toContain('length alone')
    expect(sentence('ko')).toContain('32 (31–32)')
    const part = ranksExperiment(ranks.slice(1), { ...measured, tokens: 12 })
    expect(part.sentence('en')).toContain('2 of the 3 heads')
    expect(part.sentence('en')).toContain('length alone bounds')
    expect(part.sentence('ko')).toContain('헤드 3개 중 2개')
  })

  it('fits: the pattern, the norm, the seed, the course', () => {
    const fitted = {
      pattern: 'shift',
      weights: Float32Array.of(0, 1, 1, 0),
      length: 2,
      norm: 4,
      seed: 7,
    } as const
    const { sentence, data, seeds, rows } = fitExperiment(fit, fitted)
    expect(data.content).toBe('[0,1,1,0]')
    expect(Object.values(seeds)).toEqual([7])
    expect(rows[1]).toEqual([2, 0.125, 0.0625, 2])
    expect(sentence('en')).toContain('for d_k = 1, 2 was 0.500, 0.125 nats')
    expect(sentence('ko')).toContain('d_k = 1, 2에서')
  })
})

describe('the catalogues', () => {
  const facts = {
    head: '3.1',
    tokens: '95',
    headDim: '32',
    scores: '31',
    weights: '94',
    bulk: '7',
    norm: '16',
    divergence: '0.250',
    largestError: '0.125',
  }
  const numbersIn = (inlines: readonly Inline[]): string[] =>
    (plain(inlines).match(/\d+(\.\d+)?/g) ?? []).toSorted()

  it('say the same numbers', () => {
    const says = (words: typeof english): readonly (readonly Inline[])[] => [
      words.answer(facts),
      words.answerShort('12', '32'),
      words.tries.fitEvidence(facts),
      words.tries.randomEvidence(facts, '11'),
      words.tries.longEvidence(facts),
      words.split.about('384', '294,912', '12'),
    ]
    expect(says(korean).map(numbersIn)).toEqual(says(english).map(numbersIn))
    expect(korean.theorem.limits).toHaveLength(english.theorem.limits.length)
  })

  it('point at the same parts of the figures', () => {
    const partsOf = (inlines: readonly Inline[]): string[] =>
      inlines.flatMap((each) =>
        typeof each === 'object' && each.kind === 'part' ? [each.part] : [],
      )
    for (const text of ['bound', 'softmax', 'honesty'] as const) {
      expect(partsOf(korean[text]())).toEqual(partsOf(english[text]()))
    }
    expect(defaultRank.length).toBe(12)
  })
})
