import { describe, expect, it } from 'vitest'
import {
  byWeight,
  columnOf,
  distance,
  entropy,
  largestKey,
  measureHead,
  profileOf,
  rowOf,
  softmaxTerms,
  weightOnOffset,
  type HeadWeights,
} from './measures'

/** Three tokens; row 0 looks at itself, row 1 half back and half ahead, row 2 everywhere alike. */
const map: HeadWeights = {
  layer: 2,
  head: 7,
  size: 3,
  weights: Float32Array.of(1, 0, 0, 0.5, 0, 0.5, 1 / 3, 1 / 3, 1 / 3),
}
const question = { query: 1, key: 2 }
const profile = profileOf(map, [0])

describe('measures', () => {
  it('reads rows and columns', () => {
    expect([...rowOf(map, 1)]).toEqual([0.5, 0, 0.5])
    expect([...columnOf(map, 0)].map((x) => x.toFixed(3))).toEqual(['1.000', '0.500', '0.333'])
  })

  it('entropy is 0 for one key and ln n for n alike, in nats', () => {
    expect(entropy(rowOf(map, 0))).toBe(0)
    expect(entropy(rowOf(map, 1))).toBeCloseTo(Math.log(2), 6)
    expect(entropy(rowOf(map, 2))).toBeCloseTo(Math.log(3), 6)
    expect(measureHead('entropy', map, question, profile)).toBeCloseTo(
      (Math.log(2) + Math.log(3)) / 3,
      6,
    )
  })

  it('distance counts tokens between query and key', () => {
    expect(distance(rowOf(map, 0), 0)).toBe(0)
    expect(distance(rowOf(map, 1), 1)).toBe(1)
    expect(distance(rowOf(map, 2), 2)).toBeCloseTo(1, 6)
    expect(measureHead('distance', map, question, profile)).toBeCloseTo(2 / 3, 6)
  })

  it('means over an offset leave out the rows that have no such neighbour', () => {
    expect(weightOnOffset(map, -1)).toBeCloseTo((0.5 + 1 / 3) / 2, 6)
    expect(weightOnOffset(map, 1)).toBeCloseTo((0 + 0.5) / 2, 6)
    expect(weightOnOffset({ ...map, size: 1, weights: Float32Array.of(1) }, -1)).toBe(0)
  })

  it('sums the special tokens, and reads the pair', () => {
    expect(measureHead('special', map, question, profile)).toBeCloseTo((1 + 0.5 + 1 / 3) / 3, 6)
    expect(measureHead('target', map, question, null)).toBe(0.5)
  })

  it('says nothing of a whole map before it is measured', () => {
    expect(measureHead('entropy', map, question, null)).toBeNaN()
  })

  it('finds the largest word, and a special token only where there is nothing else', () => {
    expect(largestKey(Float32Array.of(0.7, 0.1, 0.2), [0])).toBe(2)
    expect(largestKey(Float32Array.of(0.3, 0.7), [0, 1])).toBe(0)
  })

  it('orders keys by weight', () => {
    expect(byWeight(Float32Array.of(0.2, 0.5, 0.3))).toEqual([1, 2, 0])
  })

  it('softmax terms give back the weight, for large scores too', () => {
    for (const shift of [0, 1000, -1000]) {
      const terms = softmaxTerms(Float32Array.of(1 + shift, 3 + shift, 2 + shift), 2)
      const expected = Math.exp(2) / (Math.exp(1) + Math.exp(3) + Math.exp(2))
      expect(terms.weight).toBeCloseTo(expected, 6)
      expect(terms.largestKey).toBe(1)
      expect(Math.exp(terms.score - terms.largest) / terms.sum).toBe(terms.weight)
    }
  })
})
