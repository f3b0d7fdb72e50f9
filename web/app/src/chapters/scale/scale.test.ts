// Chapter 4 against NumPy in float64: random numbers, what the kernels make of them, what is summed up.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRuntime, type Runtime } from 'headwise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jacobianNorm } from '../../figures/measures'
import { plain } from '../../i18n/inline'
import { histogram, scoresChart, sweepChart } from './charts'
import { scale as english } from './en'
import { factsOf } from './facts'
import { scale as korean } from './ko'
import {
  headAt,
  keyCount,
  queryCount,
  sampleOf,
  sweepHeadDims,
  sweepPowers,
  type Measured,
  type RowMeans,
} from './measure'

const folder = new URL('../../../../../tests/golden/scale/', import.meta.url)
const golden = (name: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(name, folder)), 'utf8'))

type Summary = Omit<Measured, 'scores' | 'weights'> & { row: number[] }
interface RandomCase {
  seed: number
  firstQuery: number[]
  firstKey: number[]
  headDims: { headDim: number; without: Summary; with: Summary }[]
}
interface HeadCase {
  size: number
  headDim: number
  query: number[]
  key: number[]
  variance: number
  powers: ({ power: number } & RowMeans)[]
  row: { query: number; power: number; trained: number[]; changed: number[] }
}
const randomCases = golden('random.json') as RandomCase[]
const headCase = golden('head.json') as HeadCase

let hw: Runtime
beforeAll(async () => {
  hw = await createRuntime()
}, 60_000)
afterAll(() => {
  hw.dispose()
})

/** Numbers of float32 arithmetic, where sums are as large as `size`. */
function near(value: number, expected: number, size = 1): void {
  expect(Math.abs(value - expected)).toBeLessThan(2e-5 * Math.max(size, Math.abs(expected)))
}

function nearMeans(value: RowMeans, expected: RowMeans): void {
  for (const name of ['entropy', 'gradient', 'medianGradient', 'largest'] as const) {
    near(value[name], expected[name])
  }
}

describe('random queries and keys', () => {
  it.each(randomCases)('seed $seed: the numbers are those that were agreed on', (each) => {
    const sample = sampleOf(each.seed)
    for (const place of [0, 1, 2, 3]) {
      expect(sample.query[place]).toBeCloseTo(each.firstQuery[place] ?? NaN, 6)
      expect(sample.key[place]).toBeCloseTo(each.firstKey[place] ?? NaN, 6)
    }
  })

  it.each(randomCases)('seed $seed: scores, rows and what they sum up to', async (each) => {
    const all = await sweepHeadDims(hw, each.seed)
    expect(all.map(({ headDim }) => headDim)).toEqual(each.headDims.map(({ headDim }) => headDim))
    for (const [place, expected] of each.headDims.entries()) {
      const found = all[place]
      if (!found) throw new Error('expected as many head dimensions')
      for (const kind of ['without', 'with'] as const) {
        const [is, should] = [found[kind], expected[kind]]
        near(is.mean, should.mean, Math.sqrt(should.variance))
        near(is.variance, should.variance)
        nearMeans(is, should)
        for (const [key, weight] of should.row.entries()) near(is.weights[key] ?? NaN, weight)
      }
    }
  })

  it('variance follows d_k without the scale, and stays near 1 with it', async () => {
    const all = await sweepHeadDims(hw, 3)
    for (const { headDim, without, with: scaled } of all) {
      expect(without.variance / headDim).toBeCloseTo(scaled.variance, 4)
      expect(scaled.variance).toBeGreaterThan(0.5)
      expect(scaled.variance).toBeLessThan(1.6)
    }
  })
})

describe('a head of the model, its scale changed', () => {
  const { size, headDim } = headCase
  const one = { size, headDim, heads: 1, layer: 5 }
  const head = {
    projections: {
      ...one,
      query: Float32Array.from(headCase.query),
      key: Float32Array.from(headCase.key),
      value: new Float32Array(size * headDim),
    },
    head: 0,
  }

  it('entropy, gradient and variance', async () => {
    const { powers, variance } = await sweepPowers(hw, head)
    near(variance, headCase.variance)
    for (const expected of headCase.powers) {
      const found = powers.find(({ power }) => power === expected.power)
      if (!found) throw new Error(`expected the power ${String(expected.power)}`)
      nearMeans(found, expected)
    }
  })

  it('a row, as trained and changed', async () => {
    const { query, power, trained, changed } = headCase.row
    const found = await headAt(hw, { ...head, query, power })
    for (const [key, weight] of trained.entries()) near(found.trained[key] ?? NaN, weight)
    for (const [key, weight] of changed.entries()) near(found.changed[key] ?? NaN, weight)
    const expected = headCase.powers.find((each) => each.power === power)
    if (expected) nearMeans(found.means, expected)
  })
})

describe('the Jacobian of softmax', () => {
  it('has the norm of the whole matrix; 0 where one key has all', () => {
    const row = Float32Array.of(0.5, 0.25, 0.125, 0.125)
    let squares = 0
    for (const [i, a] of row.entries()) {
      for (const [j, b] of row.entries()) squares += ((i === j ? a : 0) - a * b) ** 2
    }
    expect(jacobianNorm(row)).toBeCloseTo(Math.sqrt(squares), 12)
    expect(jacobianNorm(Float32Array.of(0, 1, 0))).toBe(0)
  })
})

describe('figures', () => {
  it('the histogram counts every score once', () => {
    const scores = Float32Array.of(-3, -0.2, 0, 0.05, 2.9, 3)
    const shares = histogram(scores, 3.0003)
    expect(shares).toHaveLength(41)
    expect(shares.reduce((sum, { y }) => sum + y, 0)).toBeCloseTo(1, 12)
    expect(shares[20]?.y).toBeCloseTo(2 / 6, 12)
    expect(shares.at(-1)?.y).toBeCloseTo(2 / 6, 12)
  })

  it('hold what was measured', async () => {
    const all = await sweepHeadDims(hw, 1)
    const chosen = all[6]
    if (!chosen) throw new Error('expected the head dimension 64')
    const { series } = scoresChart(chosen, english)
    for (const { points } of series) {
      expect(points.reduce((sum, { y }) => sum + y, 0)).toBeCloseTo(1, 2)
    }
    const variances = sweepChart(all, 'variance', korean).series[0]?.points.map(({ y }) => y)
    expect(variances).toEqual(all.map(({ without }) => without.variance))
  })
})

describe('the two catalogues', () => {
  it('refer to the same parts of the figure and give the same numbers', async () => {
    const [first] = await sweepHeadDims(hw, 1)
    if (!first) throw new Error('expected a head dimension')
    const facts = factsOf(first)
    const said = (words: typeof english) => [
      words.answer(facts),
      words.grows(),
      words.saturates(),
      words.model.honesty(),
    ]
    const parts = (words: typeof english) =>
      said(words).map((inlines) =>
        inlines
          .flatMap((each) => (typeof each !== 'string' && each.kind === 'part' ? [each.part] : []))
          .sort(),
      )
    expect(parts(korean)).toEqual(parts(english))
    for (const words of [english, korean]) {
      const answer = plain(words.answer(facts))
      for (const number of Object.values(facts)) expect(answer).toContain(number)
    }
  })

  it('name as many queries and keys as there are', () => {
    const numbers = [String(queryCount), String(keyCount)] as const
    for (const words of [english, korean]) {
      for (const number of numbers) expect(words.controls.note(...numbers)).toContain(number)
    }
  })
})
