// Text out of tokens that may be parts of characters, and stop texts that may begin anywhere.
import { describe, expect, test } from 'vitest'

import { TextPieces } from '../../../web/module/dist/generate/text-pieces.js'

/** A tokenizer whose ids are bytes. */
const decodeBytes = (ids: number[]) => new TextDecoder().decode(Uint8Array.from(ids))

function piecesOf(text: string, stops: string[] = [], context: number[] = []): string[] {
  const pieces = new TextPieces(decodeBytes, stops, context)
  const result: string[] = []
  for (const byte of new TextEncoder().encode(text)) {
    const { text: piece, stopped } = pieces.push(byte)
    result.push(piece)
    if (stopped) return [...result, '(stopped)']
  }
  return [...result, pieces.end()]
}

describe('TextPieces', () => {
  test.each(['plain', 'naïve café', '안녕 세상', '👩‍👩‍👧 🇰🇷 e\u0301', 'a\ufffdb'])(
    'the pieces of %s make it, each a whole character',
    (text) => {
      const pieces = piecesOf(text)
      expect(pieces.join('')).toBe(text)
      if (!text.includes('\ufffd')) expect(pieces.join('|')).not.toContain('\ufffd')
    },
  )

  test('an unfinished character comes at the end', () => {
    const pieces = new TextPieces(decodeBytes, [])
    const [first = 0] = new TextEncoder().encode('안')
    expect(pieces.push(97).text).toBe('a')
    expect(pieces.push(first).text).toBe('')
    expect(pieces.end()).toBe('\ufffd')
  })

  test('a stop text is not told, nor held longer than it may begin', () => {
    expect(piecesOf('one. two', ['. t'])).toEqual(['o', 'n', 'e', '', '', '', '(stopped)'])
    expect(piecesOf('one. no', ['. t'])).toEqual(['o', 'n', 'e', '', '', '. n', 'o', ''])
    expect(piecesOf('aab', ['ab'])).toEqual(['', 'a', '', '(stopped)'])
    expect(piecesOf('ends with a', ['ab']).join('')).toBe('ends with a')
    expect(piecesOf('first', ['st', 'rs'])).toEqual(['f', 'i', '', '', '(stopped)'])
  })

  test('a token is told as it stands behind its context', () => {
    // As SentencePiece's decoders do it: the blank before the first word is not written.
    const words = ['▁the', '▁cat', '▁sat']
    const decode = (ids: number[]) =>
      ids
        .map((id) => words[id] ?? '')
        .join('')
        .replaceAll('▁', ' ')
        .replace(/^ /, '')
    const pieces = new TextPieces(decode, [], [0])
    expect([pieces.push(1).text, pieces.push(2).text]).toEqual([' cat', ' sat'])
    expect(new TextPieces(decode, []).push(1).text).toBe('cat')
  })
})
