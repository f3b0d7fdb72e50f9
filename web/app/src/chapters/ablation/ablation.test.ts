import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  attentionNames,
  type HeadImportance,
  type LossSample,
  type ModelLoss,
  type PruningCurve,
  type PruningCurves,
  type Tensor,
} from 'headwise'
import { lossAt, matchAt, pruningChart } from './charts'
import { meanVectors, movedWeight, neighbours, pairedDifference } from './compare'
import { ablation as en } from './en'
import { changeExperiment, importanceExperiment, pruningExperiment } from './evidence'
import { groupsOf } from './groups'
import { interventionsOf, noiseLevels } from './measure'
import { headName, rowName, rowOf } from './names'
import { fileSamples, parseSamples } from './samples'
import { importanceRows, pruningRows } from './tables'

const floats = (...values: number[]): Float32Array => Float32Array.from(values)
const even = (count: number): Float32Array => new Float32Array(count).fill(1)

describe('the difference of two losses', () => {
  it('is the mean over pairs, with an interval around it, the same for the same seed', () => {
    const before = floats(1, 2, 3, 4, 5, 6)
    const after = before.map((value, place) => value + (place % 2 === 0 ? 0.4 : 0.6))
    const { mean, low, high } = pairedDifference(before, after, even(6), 7)
    expect(mean).toBeCloseTo(0.5)
    expect(low).toBeGreaterThanOrEqual(0.39)
    expect(low).toBeLessThan(0.5)
    expect(high).toBeGreaterThan(0.5)
    expect(pairedDifference(before, after, even(6), 7)).toEqual({ mean, low, high })
  })

  it('has no width where every pair changes alike, nor where nothing changes', () => {
    const before = floats(1, 2, 3)
    expect(pairedDifference(before, before, even(3), 0)).toEqual({ mean: 0, low: 0, high: 0 })
  })

  it('weighs samples by their tokens', () => {
    const { mean } = pairedDifference(floats(1, 1), floats(2, 5), floats(3, 1), 0)
    expect(mean).toBeCloseTo((3 * 1 + 1 * 4) / 4)
  })

  it('has about the width that theory gives', () => {
    // Differences of 0 and 1 in equal shares: standard error 0.5 / sqrt(n).
    const n = 400
    const before = new Float32Array(n)
    const after = before.map((_, place) => place % 2)
    const { low, high } = pairedDifference(before, after, even(n), 1, 4000)
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
    const off = { heads, seed: 4, noise: noiseLevels['minilm-l6'] }
    const layers = attentionNames({ kind: 'encoder', numLayers: 6, decoderLayers: 0 })
    expect(interventionsOf({ ...off, how: 'zero' }, null, layers)).toEqual([
      { name: 'blocks.0.attn.hook_z', head: 1, set: 'zero' },
      { name: 'blocks.5.attn.hook_z', head: 11, set: 'zero' },
    ])
    const [noise] = interventionsOf({ ...off, how: 'noise' }, null, layers)
    expect(noise?.set).toEqual({ noise: 0.25, seed: 4 })
    const [, shuffled] = interventionsOf({ ...off, how: 'shuffle' }, null, layers)
    expect(shuffled?.set).toEqual({ shuffle: 4 })
  })

  it('put a head’s own mean in its place', () => {
    const means = { data: floats(0, 1, 2, 3, 4, 5, 6, 7), dims: [2, 2, 2] } as unknown as Tensor
    const heads = [{ layer: 1, head: 0 }]
    const off = { heads, how: 'mean', seed: 0, noise: 1 } as const
    const [change] = interventionsOf(off, means, ['encoder.0.attn', 'decoder.0.cross_attn'])
    expect(change?.name).toBe('decoder.0.cross_attn.hook_z')
    expect(change?.set).toEqual({ mean: { data: floats(4, 5), dims: [2] } })
  })
})

describe('heads of several stacks', () => {
  const words = { encoder: 'enc', decoder: 'dec', cross: 'cross' }
  const rows = attentionNames({ kind: 'encoder-decoder', numLayers: 2, decoderLayers: 1 }).map(
    rowOf,
  )

  it('are named by their stack, its layer and their place', () => {
    expect(rows.map((row) => rowName(row, words))).toEqual(['enc 0', 'enc 1', 'dec 0', 'cross 0'])
    expect(headName({ layer: 3, head: 5 }, rows, words)).toBe('cross 0.5')
    const layers = ['blocks.0.attn', 'blocks.1.attn'].map(rowOf)
    expect(headName({ layer: 1, head: 5 }, layers, words)).toBe('1.5')
    expect(rowName({ group: 'own', layer: 1 }, words)).toBe('1')
  })

  it('are summed up by the kind of their attention', () => {
    const change = { data: floats(1, 3, 0, 0, -1, 0, 5, 2), dims: [4, 2] } as unknown as Tensor
    const moved = (by: number) => ({ ...change, data: change.data.map((value) => value + by) })
    const ranks = { change, low: moved(-1.5), high: moved(1.5) } as HeadImportance
    expect(groupsOf(ranks, rows)).toEqual([
      { group: 'encoder', heads: 4, sure: 1, mean: 1, largest: { index: 1, change: 3 } },
      { group: 'decoder', heads: 2, sure: 0, mean: -0.5, largest: { index: 5, change: 0 } },
      { group: 'cross', heads: 2, sure: 2, mean: 3.5, largest: { index: 6, change: 5 } },
    ])
  })
})

describe('what is measured on', () => {
  const eight = Array.from({ length: 8 }, (_, place) => `a${place}\tb${place}`).join('\n')

  it('are pairs, one a line, with a tab between them', () => {
    const pairs = parseSamples(`# comment\n${eight}\r\n\n`, 'encoder')
    expect(pairs).toHaveLength(8)
    expect(pairs[0]).toEqual(['a0', 'b0'])
  })

  it('are refused with the line, and where there are too few', () => {
    const parse = (content: string): LossSample[] => parseSamples(content, 'encoder')
    expect(() => parse(`${eight}\nalone\n`)).toThrow(/line 9: expected two sentences/)
    expect(() => parse(`${eight}\na\tb\tc\n`)).toThrow(/received 3 columns/)
    expect(() => fileSamples('a.tsv', 'a\tb\n', 'encoder')).toThrow(/8 or more; received 1/)
  })

  it('may have several answers for a translator', () => {
    const samples = parseSamples(`${eight}\na\tb\tc\td`, 'encoder-decoder')
    expect(samples.at(-1)).toEqual(['a', 'b', 'c', 'd'])
    expect(() => parseSamples(`${eight}\na\tb\t\td`, 'encoder-decoder')).toThrow(/line 9/)
  })

  it('are lines, or paragraphs, for a language model; long ones by sentences', () => {
    const lines = Array.from({ length: 8 }, (_, place) => `line ${place}`)
    expect(parseSamples(`# by nobody\n${lines.join('\n')}\n`, 'decoder')).toEqual(lines)
    const wrapped = lines.map((line) => `${line}\nand more`).join('\n\n')
    expect(parseSamples(wrapped, 'decoder')[0]).toBe('line 0 and more')
    const long = Array.from({ length: 9 }, () => `The ${'word '.repeat(11)}ended.`).join(' ')
    expect(parseSamples(long, 'decoder')).toHaveLength(9)
    expect(() => parseSamples('one\ntwo', 'decoder')).toThrow(/passages: expected 8 or more/)
  })

  it.each([
    ['pairs.tsv', 'encoder', 200],
    ['translations.tsv', 'encoder-decoder', 200],
    ['passages.txt', 'decoder', 60],
  ] as const)('of the lab: %s', (name, kind, count) => {
    const file = fileURLToPath(new URL(`../../data/${name}`, import.meta.url))
    const samples = parseSamples(readFileSync(file, 'utf8'), kind)
    expect(samples).toHaveLength(count)
    expect(new Set(samples.map(String)).size).toBe(count)
  })
})

const loss = (value: number, ...losses: number[]): ModelLoss => ({
  kind: 'contrastive',
  loss: value,
  accuracy: 0.9,
  low: value - 0.1,
  high: value + 0.1,
  losses: floats(...losses),
  tokens: even(losses.length),
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
  attentions: ['blocks.0.attn', 'blocks.1.attn'],
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
    expect(matchAt(curves.importance, 2)).toBeNaN()
    expect(matchAt({ ...curves.importance, exactMatch: floats(0.5, 0.25, 0) }, 2)).toBe(0.25)
  })

  it('are a line for each point and each layer in files', () => {
    const rows = pruningRows({ ...curves, greedy: curve(1, 2, 3) })
    expect(rows).toHaveLength(3 + 2 * 3 + 3 + 2 + 2)
    expect(rows.at(-1)).toEqual(['all but one of blocks.1.attn', '', 2, 0, 1, 0.5, NaN, 0])
  })
})

describe('evidence', () => {
  const content = Array.from({ length: 8 }, (_, n) => `a${n}\tb${n}`).join('\n')
  const study = {
    model: 'minilm-l6',
    set: fileSamples('mine.tsv', content, 'encoder'),
    noise: 0.25,
    attentions: curves.attentions,
  } as const

  it('of heads that are off says by how much the loss changed, and what it does not show', () => {
    const [base, now] = [loss(0.5, 0.4, 0.6), loss(0.8, 0.6, 1)]
    const changed = { base, now, difference: { mean: 0.3, low: 0.2, high: 0.4 } }
    const off = [{ layer: 3, head: 1 }]
    const experiment = changeExperiment(study, changed, off, 'mean', 5)
    expect(experiment.rows).toHaveLength(2)
    expect(experiment.options).toMatchObject({ heads: '3.1', ablation: 'mean' })
    const english = experiment.sentence('en')
    expect(english).toContain('n = 8')
    expect(english).toContain('from 0.500 to 0.800 (+0.300, 95 % interval +0.200 … +0.400')
    expect(english).toContain('It does not show')
    expect(experiment.sentence('ko')).toMatch(/3\.1.*평균으로 바꾸면.*0\.800이다.*0\.500이다/)
  })

  it('of a translator names its heads by their hooks, and its own loss', () => {
    const translator = {
      ...study,
      model: 'translate-en-fr',
      attentions: ['encoder.0.attn', 'decoder.0.attn', 'decoder.0.cross_attn'],
    } as const
    const [base, now] = [loss(1, 1), loss(2, 2)]
    const changed = { base, now, difference: { mean: 1, low: 0.5, high: 2 } }
    const experiment = changeExperiment(translator, changed, [{ layer: 2, head: 7 }], 'zero', 0)
    expect(experiment.options).toMatchObject({ heads: 'decoder.0.cross_attn 7' })
    expect(experiment.options).not.toHaveProperty('scale')
    expect(experiment.sentence('en')).toContain('teacher-forced cross-entropy per token')
    expect(experiment.sentence('ko')).toContain('토큰당 교차 엔트로피')
  })

  it('of one head at a time counts intervals that leave 0 out', () => {
    const ranks = {
      seed: 0,
      resamples: 1000,
      ablation: 'zero',
      attentions: curves.attentions,
      half: Uint8Array.of(1, 2),
      base: loss(0.5, 0.5),
      change: tensor(0.1, -0.1, 0, NaN),
      low: tensor(0.05, -0.2, -0.1, NaN),
      high: tensor(0.2, -0.05, 0.1, NaN),
      selection: tensor(0, 0, 0, 0),
      order: new Int32Array(),
    } satisfies HeadImportance
    expect(importanceRows(ranks)[1]?.slice(0, 2)).toEqual(['blocks.0.attn', 1])
    const experiment = importanceExperiment(study, ranks, 'zero', false)
    expect(experiment.options).toMatchObject({ complete: false, reported: 1 })
    expect(experiment.sentence('en')).toContain('for 2 of 4 heads')
    expect(experiment.sentence('ko')).toContain('헤드 4개 가운데 2개')
  })

  it('of pruning stands beside the random orders', () => {
    const sentence = pruningExperiment(study, curves, true).sentence('en')
    expect(sentence).toContain('Without 2 of the 4 heads')
    expect(sentence).toContain(
      'was 0.625, against 0.500 with all heads and 1.000 … 3.000 in 2 random',
    )
  })
})
