import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { HeadImportance, PairLoss, PruningCurve, PruningCurves, Tensor } from 'headwise'
import { lossAt, pruningChart } from './charts'
import { meanVectors, movedWeight, neighbours, pairedDifference } from './compare'
import { ablation as en } from './en'
import { changeExperiment, importanceExperiment, pruningExperiment } from './evidence'
import { interventionsOf, noiseLevel } from './measure'
import { filePairs, parsePairs } from './pairs'
import { importanceRows, pruningRows } from './tables'

const floats = (...values: number[]): Float32Array => Float32Array.from(values)

describe('the difference of two losses', () => {
  it('is the mean over pairs, with an interval around it, the same for the same seed', () => {
    const before = floats(1, 2, 3, 4, 5, 6)
    const after = before.map((value, place) => value + (place % 2 === 0 ? 0.4 : 0.6))
    const { mean, low, high } = pairedDifference(before, after, 7)
    expect(mean).toBeCloseTo(0.5)
    expect(low).toBeGreaterThanOrEqual(0.39)
    expect(low).toBeLessThan(0.5)
    expect(high).toBeGreaterThan(0.5)
    expect(pairedDifference(before, after, 7)).toEqual({ mean, low, high })
  })

  it('has no width where every pair changes alike, nor where nothing changes', () => {
    const before = floats(1, 2, 3)
    expect(pairedDifference(before, before, 0)).toEqual({ mean: 0, low: 0, high: 0 })
  })

  it('has about the width that theory gives', () => {
    // Differences of 0 and 1 in equal shares: standard error 0.5 / sqrt(n).
    const n = 400
    const before = new Float32Array(n)
    const after = before.map((_, place) => place % 2)
    const { low, high } = pairedDifference(before, after, 1, 4000)
    expect(high - low).toBeCloseTo((2 * 1.96 * 0.5) / Math.sqrt(n), 2)
  })
})

describe('attention that moved', () => {
  it('is the share of a row that lies elsewhere', () => {
    const same = floats(0.5, 0.5, 1, 0)
    expect(movedWeight(same, same, 2)).toBe(0)
    expect(movedWeight(same, floats(0.5, 0.5, 0, 1), 2)).toBeCloseTo(0.5)
    expect(movedWeight(floats(1, 0, 1, 0), floats(0, 1, 0, 1), 2)).toBe(1)
  })
})

describe('sentence vectors', () => {
  it('are means over the tokens that are there, of length 1', () => {
    // Two texts of two tokens; the second one's second token is padding.
    const output = floats(3, 0, 3, 8, 0, 2, 9, 9)
    const [first, second] = meanVectors(output, Uint8Array.of(1, 1, 1, 0), [2, 2, 2])
    expect([...(first ?? [])]).toEqual([...floats(0.6, 0.8)])
    expect([...(second ?? [])]).toEqual([0, 1])
  })

  it('are neighbours by falling cosine', () => {
    const all = neighbours(floats(1, 0), [floats(0, 1), floats(1, 0), floats(0.6, 0.8)])
    expect(all.map(({ index }) => index)).toEqual([1, 2, 0])
    expect(all[1]?.cosine).toBeCloseTo(0.6)
  })
})

describe('interventions', () => {
  it('name each head where it is changed', () => {
    const heads = [
      { layer: 0, head: 1 },
      { layer: 5, head: 11 },
    ]
    expect(interventionsOf({ heads, how: 'zero', seed: 0 }, null)).toEqual([
      { name: 'blocks.0.attn.hook_z', head: 1, set: 'zero' },
      { name: 'blocks.5.attn.hook_z', head: 11, set: 'zero' },
    ])
    const [noise] = interventionsOf({ heads, how: 'noise', seed: 4 }, null)
    expect(noise?.set).toEqual({ noise: noiseLevel, seed: 4 })
    const [, shuffled] = interventionsOf({ heads, how: 'shuffle', seed: 4 }, null)
    expect(shuffled?.set).toEqual({ shuffle: 4 })
  })

  it('put a head’s own mean in its place', () => {
    const means = { data: floats(0, 1, 2, 3, 4, 5, 6, 7), dims: [2, 2, 2] } as unknown as Tensor
    const heads = [{ layer: 1, head: 0 }]
    const [change] = interventionsOf({ heads, how: 'mean', seed: 0 }, means)
    expect(change?.set).toEqual({ mean: { data: floats(4, 5), dims: [2] } })
  })
})

describe('pairs of sentences', () => {
  const eight = Array.from({ length: 8 }, (_, place) => `a${place}\tb${place}`).join('\n')

  it('are read one a line, with a tab between them', () => {
    const pairs = parsePairs(`# comment\n${eight}\r\n\n`)
    expect(pairs).toHaveLength(8)
    expect(pairs[0]).toEqual(['a0', 'b0'])
  })

  it('are refused with the line, and where there are too few', () => {
    expect(() => parsePairs(`${eight}\nalone\n`)).toThrow(/line 9: expected two sentences/)
    expect(() => parsePairs(`${eight}\na\tb\tc\n`)).toThrow(/received 3 columns/)
    expect(() => filePairs('a.tsv', 'a\tb\n')).toThrow(/8 or more; received 1/)
  })

  it('of the lab are two hundred', () => {
    const file = fileURLToPath(new URL('../../data/pairs.tsv', import.meta.url))
    expect(parsePairs(readFileSync(file, 'utf8'))).toHaveLength(200)
  })
})

const loss = (value: number, ...losses: number[]): PairLoss => ({
  loss: value,
  accuracy: 0.9,
  low: value - 0.1,
  high: value + 0.1,
  losses: floats(...losses),
})
const tensor = (...values: number[]): Tensor =>
  ({ data: floats(...values), dims: [2, 2], type: 'float32' }) as Tensor
const curve = (...losses: number[]): PruningCurve => ({
  order: Int32Array.of(3, 1, 2, 0),
  pruned: Int32Array.of(0, 2, 4),
  loss: floats(...losses),
  accuracy: floats(1, 1, 1),
  changeLow: floats(0, 0, 0),
  changeHigh: floats(0, 0, 0),
})
const layers = {
  loss: floats(1, 2),
  accuracy: floats(1, 0.5),
  changeLow: floats(0, 0),
  changeHigh: floats(1, 1),
}
const curves: PruningCurves = {
  seed: 2,
  resamples: 1000,
  ablation: 'zero',
  half: Uint8Array.of(1, 2),
  base: loss(0.5, 0.4, 0.6),
  importance: curve(0.5, 0.625, 4),
  random: [curve(0.5, 1, 4), curve(0.5, 3, 4)],
  layers,
  keepOne: { ...layers, head: Int32Array.of(1, 0) },
}

describe('pruning curves', () => {
  it('are drawn with the spread of the random orders', () => {
    const { series, rules } = pruningChart(curves, en.pruning)
    const at = (id: string) => series.find((each) => each.id === id)?.points.map(({ y }) => y)
    expect(at('importance')).toEqual([0.5, 0.625, 4])
    expect(at('random_mean')).toEqual([0.5, 2, 4])
    expect(at('random_low')).toEqual([0.5, 1, 4])
    expect(at('random_high')).toEqual([0.5, 3, 4])
    expect(at('greedy')).toBeUndefined()
    expect(rules?.[0]?.value).toBe(0.5)
  })

  it('have gaps while they are partial', () => {
    const partial = { ...curves, random: [curve(0.5, 1, NaN), curve(0.5, NaN, NaN)] }
    const mean = pruningChart(partial, en.pruning).series.find(({ id }) => id === 'random_mean')
    expect(mean?.points.map(({ y }) => y)).toEqual([0.5, NaN, NaN])
  })

  it('are asked for the nearest number of heads that was measured', () => {
    expect(lossAt(curves.importance, 3)).toEqual({ gone: 2, loss: 0.625 })
  })

  it('are a line for each point and each layer in files', () => {
    const rows = pruningRows({ ...curves, greedy: curve(1, 2, 3) })
    expect(rows).toHaveLength(3 + 2 * 3 + 3 + 2 + 2)
    expect(rows.at(-1)).toEqual(['all but one of layer 1', '', 2, 0, 1, 0.5, 0])
  })
})

describe('evidence', () => {
  const set = filePairs('mine.tsv', Array.from({ length: 8 }, (_, n) => `a${n}\tb${n}`).join('\n'))

  it('of heads that are off says by how much the loss changed, and what it does not show', () => {
    const [base, now] = [loss(0.5, 0.4, 0.6), loss(0.8, 0.6, 1)]
    const changed = { base, now, difference: { mean: 0.3, low: 0.2, high: 0.4 } }
    const off = [{ layer: 3, head: 1 }]
    const experiment = changeExperiment(set, changed, off, 'mean', 5)
    expect(experiment.rows).toHaveLength(2)
    expect(experiment.options).toMatchObject({ heads: '3.1', ablation: 'mean' })
    const english = experiment.sentence('en')
    expect(english).toContain('n = 8')
    expect(english).toContain('from 0.500 to 0.800 (+0.300, 95 % interval +0.200 … +0.400')
    expect(english).toContain('It does not show')
    expect(experiment.sentence('ko')).toMatch(/3\.1.*평균으로 바꾸면.*0\.500에서 0\.800/)
  })

  it('of one head at a time counts intervals that leave 0 out', () => {
    const ranks = {
      seed: 0,
      resamples: 1000,
      ablation: 'zero',
      half: Uint8Array.of(1, 2),
      base: loss(0.5, 0.5),
      change: tensor(0.1, -0.1, 0, NaN),
      low: tensor(0.05, -0.2, -0.1, NaN),
      high: tensor(0.2, -0.05, 0.1, NaN),
      selection: tensor(0, 0, 0, 0),
      order: new Int32Array(),
    } satisfies HeadImportance
    expect(importanceRows(ranks)[1]?.slice(0, 2)).toEqual([0, 1])
    const experiment = importanceExperiment(set, ranks, 'zero', false)
    expect(experiment.options).toMatchObject({ complete: false, reported: 1 })
    expect(experiment.sentence('en')).toContain('for 2 of 4 heads')
    expect(experiment.sentence('ko')).toContain('헤드 4개 가운데 2개')
  })

  it('of pruning stands beside the random orders', () => {
    const sentence = pruningExperiment(set, curves, true).sentence('en')
    expect(sentence).toContain('Without 2 of the 4 heads')
    expect(sentence).toContain(
      'was 0.625, against 0.500 with all heads and 1.000 … 3.000 in 2 random',
    )
  })
})
