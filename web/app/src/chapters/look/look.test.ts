import { describe, expect, it } from 'vitest'
import { plain } from '../../i18n/inline'
import { tokensOf } from '../../figures/tokens'
import { profileOf, type HeadWeights } from '../../figures/measures'
import { look as english } from './en'
import {
  contributionsOf,
  gridTable,
  headTable,
  leastOnPrevious,
  rowFacts,
  tableMeasures,
} from './facts'
import { look as korean } from './ko'

const tokens = tokensOf({
  tokens: ['[CLS]', 'cat', 'it', '[SEP]'],
  spans: [null, [0, 3], [4, 6], null],
  typeIds: [0, 0, 0, 0],
})
const map: HeadWeights = {
  layer: 3,
  head: 1,
  size: 4,
  weights: Float32Array.of(1, 0, 0, 0, 0.9, 0.1, 0, 0, 0.2, 0.5, 0.25, 0.05, 0, 0, 1, 0),
}

describe('what chapter 1 says of a reading', () => {
  it('names the words with the largest weights, and what rests', () => {
    const facts = rowFacts(map, tokens, 2, 1)
    expect(facts).toEqual({
      words: 2,
      head: '3.1',
      query: 'it',
      key: 'cat',
      keyShare: '50%',
      second: 'it',
      secondShare: '25%',
      specialShare: '25%',
    })
    expect(plain(english.answer(facts))).toContain('50% of the weight of it lies on cat')
    expect(plain(korean.answer(facts))).toContain('it의 가중치 가운데 50%\u2060가 cat에')
  })

  it('contribution is the weight times the length of v W_O of its key', () => {
    const { values, largest } = contributionsOf(map, Float32Array.of(0.1, 2, 1, 0))
    expect(values[9]).toBeCloseTo(1, 6)
    expect(values[8]).toBeCloseTo(0.02, 6)
    expect(largest).toBeCloseTo(1, 6)
  })

  it('finds the least weight on the token before', () => {
    expect(leastOnPrevious(map)).toBeCloseTo(0.5, 6)
  })

  it('exports every pair and every head', () => {
    const pairs = headTable([], map, tokens, map.weights, null)
    expect(pairs.rows).toHaveLength(16)
    expect(pairs.rows[9]).toEqual([2, 'it', 1, 'cat', 0.5, 0.5, NaN])
    const heads = gridTable([], [map], { query: 2, key: 1 }, (each) => profileOf(each, [0, 3]))
    expect(heads.rows[0]?.slice(0, 3)).toEqual([3, 1, 0.5])
    expect(heads.columns).toHaveLength(2 + tableMeasures.length)
  })
})

describe('the two catalogues', () => {
  it('refer to the same parts of the figure, in the same paragraphs', () => {
    const facts = rowFacts(map, tokens, 2, 1)
    const partsOf = (words: typeof english) =>
      [words.budget(12, 6), words.reading(), words.answer(facts), words.honesty()].map((inlines) =>
        inlines.flatMap((each) =>
          typeof each !== 'string' && each.kind === 'part' ? [each.part] : [],
        ),
      )
    expect(partsOf(korean)).toEqual(partsOf(english))
  })
})
