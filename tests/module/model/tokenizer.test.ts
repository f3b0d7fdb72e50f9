// Tokens with their places in the text as typed.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

import { CoreTokenizer } from '../../../web/module/dist/model/tokenizer.js'
import { tokenizer as smallTokenizer } from '../support/small-bert.js'

const shipped = fileURLToPath(
  new URL('../../../web/models/minilm-l6/tokenizer.json', import.meta.url),
)

describe('a tokenizer of some dozen words', () => {
  let tokenizer: CoreTokenizer
  beforeAll(async () => {
    tokenizer = await CoreTokenizer.create(smallTokenizer)
  })

  test('truncation and padding of the file are left out', () => {
    expect(tokenizer.encode('the cat sat the cat sat the cat').ids).toEqual([
      2, 5, 6, 7, 5, 6, 7, 5, 6, 3,
    ])
  })

  test('an empty text is the special tokens alone', () => {
    expect(tokenizer.encode('')).toEqual({
      ids: [2, 3],
      tokens: ['[CLS]', '[SEP]'],
      typeIds: [0, 0],
      spans: [null, null],
    })
  })

  test('pieces of words have their own places', () => {
    const text = ' The  CATS!'
    const { tokens, spans } = tokenizer.encode(text)
    expect(tokens).toEqual(['[CLS]', 'the', 'cat', '##s', '[UNK]', '[SEP]'])
    expect(spans).toEqual([null, [1, 4], [6, 9], [9, 10], [10, 11], null])
  })

  test('an unknown word is one token over all of it', () => {
    const { tokens, spans } = tokenizer.encode('🙂 café cat')
    expect(tokens).toEqual(['[CLS]', '[UNK]', '[UNK]', 'cat', '[SEP]'])
    expect(spans).toEqual([null, [0, 2], [3, 7], [8, 11], null])
  })

  test('special tokens may be typed', () => {
    const { ids, spans } = tokenizer.encode('[CLS] the [MASK]')
    expect(ids).toEqual([2, 2, 5, 4, 3])
    expect(spans).toEqual([null, [0, 5], [6, 9], [10, 16], null])
  })

  test('in a pair each span is in its own text', () => {
    expect(tokenizer.encode('the cat', 'cats')).toEqual({
      ids: [2, 5, 6, 3, 6, 8, 3],
      tokens: ['[CLS]', 'the', 'cat', '[SEP]', 'cat', '##s', '[SEP]'],
      typeIds: [0, 0, 0, 0, 1, 1, 1],
      spans: [null, [0, 3], [4, 7], null, [0, 3], [3, 4], null],
    })
  })

  test('accents and combining marks belong to the letter before them', () => {
    // i with diaeresis in one code point, and in two.
    for (const letter of ['ï', 'i\u0308']) {
      const { tokens, spans } = tokenizer.encode(`${letter} e`)
      expect(tokens).toEqual(['[CLS]', 'i', 'e', '[SEP]'])
      expect(spans[2]).toEqual([letter.length + 1, letter.length + 2])
    }
  })

  test('what is no text is refused', () => {
    expect(() => tokenizer.encode(7 as never)).toThrow('text')
    expect(() => tokenizer.encode('the', 7 as never)).toThrow('pair')
  })
})

test('a file that is no tokenizer is an error', async () => {
  await expect(CoreTokenizer.create({ model: { type: 'Nonsense' } })).rejects.toMatchObject({
    code: 'CORRUPT_FILE',
    argument: 'tokenizer.json',
  })
})

describe.skipIf(!existsSync(shipped))('the tokenizer of the shipped model', () => {
  let tokenizer: CoreTokenizer
  beforeAll(async () => {
    tokenizer = await CoreTokenizer.create(JSON.parse(readFileSync(shipped, 'utf8')) as object)
  })

  test('the default sentence', () => {
    const text = 'The cat sat on the mat because it was tired'
    const { tokens, spans } = tokenizer.encode(text)
    expect(tokens.join(' ')).toBe('[CLS] the cat sat on the mat because it was tired [SEP]')
    const texts = spans.map((span) => (span === null ? null : text.slice(...span).toLowerCase()))
    expect(texts.slice(1, -1)).toEqual(tokens.slice(1, -1))
  })

  test('Hangul falls into letters that share the place of their syllable', () => {
    const { tokens, spans } = tokenizer.encode('안녕')
    expect(tokens.length).toBe(8)
    expect(spans).toEqual([null, [0, 1], [0, 1], [0, 1], [1, 2], [1, 2], [1, 2], null])
  })

  test('any text: every token of it has a place, in order, and the places hold no blanks', () => {
    const texts = fc.string({
      unit: fc.oneof(fc.constant(' '), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
      maxLength: 40,
    })
    fc.assert(
      fc.property(texts, (text) => {
        const { tokens, spans } = tokenizer.encode(text)
        const own = spans.slice(1, -1)
        expect(tokens.length).toBe(spans.length)
        let from = 0
        for (const span of own) {
          expect(span).not.toBeNull()
          const [start, end] = span ?? [0, 0]
          expect(end).toBeGreaterThan(start)
          expect(start).toBeGreaterThanOrEqual(from)
          from = start
        }
      }),
      { numRuns: 2000 },
    )
  })
})
