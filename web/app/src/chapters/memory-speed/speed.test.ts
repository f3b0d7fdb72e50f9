import { describe, expect, it } from 'vitest'
import { plain, type Inline } from '../../i18n/inline'
import { depthChart, growthChart, matrixMemory, roofChart, roofPoints, tilesMemory } from './charts'
import { speed as english } from './en'
import { speed as korean } from './ko'
import type { RoofResult } from './measure/results'
import { bytesText, differenceText, milliseconds } from './words'

describe('the charts', () => {
  it('the roof rises with the bytes and ends at the limit', () => {
    expect(roofPoints(50, 25, 0.5, 64)).toEqual([
      { x: 0.5, y: 12.5 },
      { x: 2, y: 50 },
      { x: 64, y: 50 },
    ])
  })

  it('points stand at FLOP per byte and GFLOP per second', () => {
    const time = { median: 2, low: 2, high: 2, samples: 3 }
    const result: RoofResult = {
      build: 'simd',
      limits: { multiplyThenAdd: 40, memory: 20 },
      points: [{ id: 'mha', length: 9, kvHeads: 8, flops: 2e7, bytes: 4e7, time }],
    }
    const { series } = roofChart(result, english.roof.chart)
    expect(series.find(({ id }) => id === 'decode')?.points).toEqual([{ x: 0.5, y: 10 }])
  })

  it('without threads there is no line for them', () => {
    const time = { median: 2, low: 2, high: 2, samples: 3 }
    const line = { length: 16, recurrent: time, attention: time, parallel: null }
    const chart = depthChart({ build: 'simd', threads: 1, lines: [line] }, english.depth.chart)
    expect(chart.series.map(({ id }) => id)).toEqual(['recurrent_ms', 'attention_ms'])
  })

  it('memory by tiles doubles with the text, with the matrix it goes fourfold', () => {
    expect(tilesMemory(8192) / tilesMemory(4096)).toBe(2)
    expect(matrixMemory(1 << 20) / matrixMemory(1 << 19)).toBeCloseTo(4, 2)
    // Dots only once something was measured.
    expect(growthChart(null, english.growth.chart).series).toHaveLength(2)
  })
})

describe('numbers in words', () => {
  it('differences have a power of ten', () => {
    expect(differenceText(1.234e-7)).toBe('1.2 · 10⁻⁷')
    expect(differenceText(0)).toBe('0')
    expect(differenceText(NaN)).toBe('…')
  })

  it('times and bytes have some three digits', () => {
    expect([0.01234, 1.234, 12.34, 1234].map(milliseconds)).toEqual([
      ...['0.012 ms', '1.23 ms', '12.3 ms', '1234 ms'],
    ])
    expect([12_288, 294_912, 1.5e6, 4.2e9].map(bytesText)).toEqual([
      ...['12,288 B', '294.9 KB', '1.5 MB', '4.2 GB'],
    ])
  })
})

describe('the two catalogues', () => {
  const facts = {
    ...{ head: '3.1', tokens: '12', scores: '144', tiles: '9', largest: '4 × 4' },
    difference: '1',
  }
  const depth = {
    ...{ length: '8', recurrent: '1', attention: '2', threads: '2', parallel: '3', more: '4' },
  }
  const roof = {
    ...{ limit: '1', memory: '2', corner: '3', intensity: '0.5', speed: '4', read: '5' },
    prefill: '6',
  }
  const paragraphs = (words: typeof english): Inline[][] => [
    words.answer(facts),
    words.tilesText(),
    words.whyText(),
    words.loops.verdict(['1.5'], '2'),
    words.depth.verdict(depth),
    words.roof.verdict(roof),
    words.growth.verdict('1', '2', '3'),
    words.device.limits('1', '2', '3'),
  ]

  it('refer to the same parts of the figures, in the same paragraphs', () => {
    const partsOf = (words: typeof english) =>
      paragraphs(words).map((inlines) =>
        inlines.flatMap((each) =>
          typeof each !== 'string' && each.kind === 'part' ? [each.part] : [],
        ),
      )
    expect(partsOf(korean)).toEqual(partsOf(english))
  })

  it('say the same numbers', () => {
    const numbersOf = (words: typeof english) =>
      paragraphs(words).map((inlines) => (plain(inlines).match(/\d+(\.\d+)?/g) ?? []).toSorted())
    expect(numbersOf(korean)).toEqual(numbersOf(english))
  })
})
