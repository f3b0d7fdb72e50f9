import { describe, expect, it } from 'vitest'
import { markedTokensOf } from './markedTokens'
import { groupTokens, hasHangul, tokensOf } from './tokens'

describe('tokens', () => {
  const text = '고 unbelievable'
  const tokens = tokensOf({
    tokens: ['[CLS]', '\u1100', '##\u1169', 'un', '##believable', '[UNK]', '[SEP]'],
    spans: [null, [0, 1], [0, 1], [2, 4], [4, 14], [15, 16], null],
    typeIds: [0, 0, 0, 0, 0, 0, 0],
  })

  it('knows special and unknown tokens', () => {
    expect(tokens.map((token) => token.special)).toEqual([
      true,
      ...Array.from({ length: 5 }, () => false),
      true,
    ])
    expect(tokens[5]?.unknown).toBe(true)
  })

  it('shows conjoining jamo as letters that stand alone', () => {
    expect(tokens[1]?.label).toBe('ㄱ')
    expect(tokens[2]?.label).toBe('##ㅗ')
    expect(tokensOf({ tokens: ['\u11C2'], spans: [[0, 1]], typeIds: [0] })[0]?.label).toBe('ㅎ')
  })

  it('groups the jamo of a syllable under it, and the pieces of a word', () => {
    const groups = groupTokens(tokens, [text, ''])
    expect(groups.map((group) => [group.kind, group.tokens.length])).toEqual([
      ['single', 1],
      ['syllable', 2],
      ['word', 2],
      ['single', 1],
      ['single', 1],
    ])
    expect(groups[1]?.source).toBe('고')
    expect(groups.map((group) => group.first)).toEqual([0, 1, 3, 5, 6])
  })

  it('leaves out the marks of words, and joins what has none', () => {
    const pieces = markedTokensOf({
      tokens: ['▁The', '▁ha', 'rb', 'our', ',', '▁', '1', '</s>'],
      spans: [[0, 3], [4, 6], [6, 8], [8, 11], [11, 12], [13, 13], [13, 14], null],
      typeIds: [0, 0, 0, 0, 0, 0, 0, 0],
    })
    expect(pieces.map(({ label }) => label)).toEqual([
      ...['The', 'ha', 'rb', 'our', ',', '▁', '1', '</s>'],
    ])
    const groups = groupTokens(pieces, ['The harbour, 1', ''])
    expect(groups.map(({ tokens: members }) => members.length)).toEqual([1, 3, 1, 1, 1, 1])
    const bytes = markedTokensOf({
      tokens: ['<s>', 'The', 'Ġca', 'fÃ©', 'Ġ'],
      spans: [null, [0, 3], [4, 6], [6, 8], [8, 9]],
      typeIds: [0, 0, 0, 0, 0],
    })
    expect(bytes.map(({ label }) => label)).toEqual(['<s>', 'The', 'ca', 'fé', '␣'])
    expect(groupTokens(bytes, ['The café ', '']).map(({ first }) => first)).toEqual([0, 1, 2, 4])
  })

  it('does not join tokens of different texts', () => {
    const pair = tokensOf({
      tokens: ['a', '##b'],
      spans: [
        [0, 1],
        [1, 2],
      ],
      typeIds: [0, 1],
    })
    expect(groupTokens(pair, ['a', 'xb'])).toHaveLength(2)
  })

  it('recognises Korean as syllables and as jamo', () => {
    expect(hasHangul('abc 한')).toBe(true)
    expect(hasHangul('ㅋㅋ')).toBe(true)
    expect(hasHangul('abc é 中')).toBe(false)
  })
})
