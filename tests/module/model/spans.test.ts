// A hundred texts through every kind of tokenizer: the tokens are the library's, and each stands where
// it was typed.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Encoding, TokenSpan } from 'headwise'
import { beforeAll, describe, expect, test } from 'vitest'

import { loadLibrary } from '../../../web/module/dist/model/tokenizer-library.js'
import { CoreTokenizer } from '../../../web/module/dist/model/tokenizer.js'
import { tokenizer as smallTokenizer } from '../support/small-bert.js'

/** Pieces of text that have led tokenizers astray. */
const pieces = [
  'the cat sat',
  ' The  CATS!',
  'café naïve Ångström',
  'cafe\u0301 nai\u0308ve A\u030angstro\u0308m',
  'e\u0301\u0301\u0302 \u0301a',
  '🙂',
  'the 🙂 cat🙂🙂',
  '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽',
  '안녕하세요 하나',
  '\u1112\u1161\u11ab\u1100\u1173\u11af', // 한글 in letters
  '中文字 日本語 の ﾃﾞｰﾀ ガ',
  'ﬁne ﬀ ½ Ⅷ ﷺ ﷺthe',
  'İstanbul ẞtraße ΟΔΥΣΣΕΥΣ ὈΔΥΣΣΕΎΣ',
  'tab\tnew\nline\r\n  and \u00a0 \u2003 \u3000 blanks   ',
  'zero\u0000one\u0007bell\u200bzwsp\u200djoin\ufeffbom\u00adsoft',
  '\ud83d lone \ude00 halves \ud800',
  'שלום עולם مرحبا بالعالم',
  'हिन्दी में नमस्ते தமிழ் ไทย',
  `${'the'.repeat(60)} ${'x'.repeat(130)}`,
  'a'.repeat(300),
  "don't I'll we've o'clock 12345 3.14 1,000",
  '[CLS] the [MASK] <s> </s> <mask> <|endoftext|> <unk>',
  ' <mask> the<mask>  cat ',
  '▁the ▁▁ cat▁ <0x41> ##s Ġcat',
  '#$%&()*+,-./:;<=>?@[\\]^_`{|}~',
  '',
  ' ',
  '\n\n\n',
]

/** With the pieces alone, in pairs, and cut in the middle. */
const texts = [
  ...pieces,
  ...pieces.map((piece, i) => `${piece} ${pieces[(i * 7 + 3) % pieces.length] ?? ''}`),
  ...pieces.map((piece, i) => `${pieces[(i * 5 + 2) % pieces.length] ?? ''}${piece}`),
  ...pieces.map((piece) => piece.slice(1, -1).toUpperCase()),
]

const fixture = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/tokenizers/${name}.json`, import.meta.url), 'utf8'),
  ) as object

const shipped = fileURLToPath(
  new URL('../../../web/models/minilm-l6/tokenizer.json', import.meta.url),
)

interface Kind {
  name: string
  json: object
  /** What a token says of the text at its place; undefined where it says nothing of it. */
  surface?: (token: string) => string | undefined
  /** What the tokenizer makes of that text before it cuts it. */
  normal?: (text: string) => string
}

const wordPiece = {
  surface: (token: string) =>
    token === '[UNK]' ? undefined : token.toLowerCase().replace(/^##/, ''),
  normal: (text: string) =>
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, ''),
}

const kinds: Kind[] = [
  { name: 'WordPiece of a dozen words', json: smallTokenizer, ...wordPiece },
  ...(existsSync(shipped)
    ? [
        {
          name: 'WordPiece of the shipped model',
          json: JSON.parse(readFileSync(shipped, 'utf8')) as object,
        },
      ]
    : []),
  { name: 'bytes, as GPT-2 has it', json: fixture('byte-level') },
  { name: 'bytes behind a pattern, as Llama 3 has it', json: fixture('split-byte-level') },
  {
    name: 'BPE with bytes to fall back on, as Llama has it',
    json: fixture('byte-fallback'),
    surface: (token) => (/^<0x/.test(token) ? undefined : token.replaceAll('▁', ' ').trim()),
    normal: (text) => text.replaceAll('▁', ' ').trim(),
  },
  {
    name: 'Unigram, as T5 has it',
    json: fixture('unigram'),
    surface: (token) => token.replace(/[▁\s\p{Cf}\p{Cc}]/gu, ''),
    normal: (text) => text.normalize('NFKC').replace(/[▁\s\p{Cf}\p{Cc}]/gu, ''),
  },
]

test('there are a hundred texts', () => {
  expect(texts.length).toBeGreaterThanOrEqual(100)
})

describe.each(kinds)('$name', ({ name, json, surface, normal = (text) => text }) => {
  let tokenizer: CoreTokenizer
  beforeAll(async () => {
    tokenizer = await CoreTokenizer.create(json)
  })

  test('the tokens are those of the library', async () => {
    const { Tokenizer } = await loadLibrary()
    const theirs = new Tokenizer({ ...json, truncation: null, padding: null }, {}) as unknown as {
      encode: (text: string) => Pick<Encoding, 'ids' | 'tokens'>
    }
    for (const text of texts) {
      const { ids, tokens } = theirs.encode(text)
      expect(tokenizer.encode(text), text).toMatchObject({ ids, tokens })
    }
  })

  test('spans are whole characters, in order, and never overlap in part', () => {
    let placed = 0
    for (const text of texts) {
      const spans = tokenizer.encode(text).spans.filter((span) => span !== null)
      let [from, to] = [0, 0]
      for (const [start, end] of spans) {
        expect(end, text).toBeGreaterThan(start)
        expect(isBetweenCharacters(text, start) && isBetweenCharacters(text, end), text).toBe(true)
        // The same place as the token before, or behind it.
        if (start !== from || end !== to) expect(start, text).toBeGreaterThanOrEqual(to)
        ;[from, to] = [start, end]
        placed++
      }
      expect(to).toBeLessThanOrEqual(text.length)
    }
    expect(placed).toBeGreaterThan(1000)
  })

  test('every letter of the text is somebody’s', () => {
    for (const text of texts) {
      const covered = new Set<number>()
      for (const span of tokenizer.encode(text).spans) {
        for (let at = span?.[0] ?? 0; at < (span?.[1] ?? 0); at++) covered.add(at)
      }
      for (const { 0: letter, index } of text.matchAll(/[\p{L}\p{N}]/gu)) {
        expect(covered.has(index), `${letter} in '${text}' of ${name}`).toBe(true)
      }
    }
  })

  test.skipIf(surface === undefined)('a token says what stands at its place', () => {
    for (const text of texts) {
      const { tokens, spans } = tokenizer.encode(text)
      for (const [span, group] of groupsOf(tokens, spans)) {
        const said = group.map((token) => surface?.(token))
        if (said.includes(undefined)) continue
        expect(normal(text.slice(...span)), text).toContain(said.join(''))
      }
    }
  })
})

function isBetweenCharacters(text: string, at: number): boolean {
  const isHigh = /[\ud800-\udbff]/.test(text[at - 1] ?? '')
  return !(isHigh && /[\udc00-\udfff]/.test(text[at] ?? ''))
}

/** Tokens that share a place. */
function groupsOf(
  tokens: readonly string[],
  spans: readonly (TokenSpan | null)[],
): [TokenSpan, string[]][] {
  const groups: [TokenSpan, string[]][] = []
  spans.forEach((span, i) => {
    if (span === null) return
    const last = groups.at(-1)
    if (last?.[0][0] === span[0] && last[0][1] === span[1]) last[1].push(tokens[i] ?? '')
    else groups.push([span, [tokens[i] ?? '']])
  })
  return groups
}

test('bytes: a token in the middle of a letter is shown with the token that ends it', async () => {
  const tokenizer = await CoreTokenizer.create(fixture('byte-level'))
  const { tokens, spans } = tokenizer.encode('a 🙂하나')
  // The blank goes with the first bytes of the emoji; 하's last byte with the first of 나.
  expect(tokens).toEqual(['a', 'ĠðŁ', 'Ļ', 'Ĥ', 'í', 'ķ', 'ĺë', 'Ĥ', 'ĺ'])
  expect(spans).toEqual([
    [0, 1],
    [1, 2],
    [2, 4],
    [2, 4],
    [4, 5],
    [4, 5],
    [4, 5],
    [5, 6],
    [5, 6],
  ])
})

test('what a tokenizer puts before a text has no place in it', async () => {
  const tokenizer = await CoreTokenizer.create(fixture('byte-fallback'))
  const { tokens, spans } = tokenizer.encode('🙂 the')
  expect(tokens.slice(0, 3)).toEqual(['<s>', '▁', '<0xF0>'])
  expect(spans.slice(0, 3)).toEqual([null, null, [0, 2]])
  expect(tokens.at(-1)).toBe('▁the')
  expect(spans.at(-1)).toEqual([2, 6])
})

test('a pair: each in its own text, where the tokenizer takes pairs', async () => {
  const tokenizer = await CoreTokenizer.create(fixture('unigram'))
  const { tokens, spans, typeIds } = tokenizer.encode('the cat', 'sat')
  expect(tokens).toEqual(['<s>', '▁the', '▁cat', '</s>', '</s>', '▁sat', '</s>'])
  expect(spans).toEqual([null, [0, 3], [3, 7], null, null, [0, 3], null])
  expect(typeIds).toEqual([0, 0, 0, 0, 0, 0, 0])
  const single = await CoreTokenizer.create(fixture('byte-level'))
  expect(() => single.encode('the', 'cat')).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED', argument: 'tokenizer.json' }),
  )
})
