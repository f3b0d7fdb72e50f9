// Where tokens stand in a text as typed. The tokenizer library gives none: its own normalizer,
// pre-tokenizer and model are run here on pieces small enough to keep track of.
import type { TokenSpan } from '../types/model.js'
import type { LibraryTokenizer } from './tokenizer-library.js'

/** A token of a text with its place, in UTF-16 units. */
export interface Piece {
  token: string
  span: TokenSpan
}

/** A normalised text with the source of every UTF-16 unit. */
interface Normalised {
  text: string
  /** Start and end, in the source, of the code point that each unit came from. */
  starts: number[]
  ends: number[]
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Normalises code point by code point, so that each result knows its source. */
function normalise(tokenizer: LibraryTokenizer, text: string, offset: number): Normalised {
  const result: Normalised = { text: '', starts: [], ends: [] }
  let at = offset
  for (const character of text) {
    const normal = tokenizer.normalizer === null ? character : tokenizer.normalizer(character)
    result.text += normal
    for (let i = 0; i < normal.length; i++) {
      result.starts.push(at)
      result.ends.push(at + character.length)
    }
    at += character.length
  }
  // A letter may look different in its context (the Greek sigma at the end of a word), at its place.
  const whole = tokenizer.normalizer === null ? text : tokenizer.normalizer(text)
  if (whole.length === result.text.length) result.text = whole
  return result
}

/** The words that the pre-tokenizer cuts, each with its place in the normalised text. */
function* wordsOf(
  tokenizer: LibraryTokenizer,
  text: string,
): Generator<{ word: string; at: number }> {
  const words = tokenizer.pre_tokenizer === null ? [text] : tokenizer.pre_tokenizer(text)
  let from = 0
  for (const word of words) {
    const at = text.indexOf(word, from)
    if (at < 0) continue
    from = at + word.length
    yield { word, at }
  }
}

/** The tokens of a word. An unknown one stands for the whole word. */
function wordPieces(
  tokenizer: LibraryTokenizer,
  word: string,
  at: number,
  normal: Normalised,
): Piece[] {
  const tokens = tokenizer.model === null ? [word] : tokenizer.model([word])
  const spanOf = (from: number, to: number): TokenSpan => [
    normal.starts[from] ?? 0,
    normal.ends[Math.max(from, to - 1)] ?? 0,
  ]
  let from = at
  return tokens.map((token) => {
    if (tokens.length === 1) return { token, span: spanOf(at, at + word.length) }
    const length = token.replace(/^##/, '').length
    const piece = { token, span: spanOf(from, Math.min(from + length, at + word.length)) }
    from += length
    return piece
  })
}

function sectionPieces(tokenizer: LibraryTokenizer, section: string, offset: number): Piece[] {
  const normal = normalise(tokenizer, section, offset)
  return [...wordsOf(tokenizer, normal.text)].flatMap(({ word, at }) =>
    wordPieces(tokenizer, word, at, normal),
  )
}

/** Every token of `text`, without those that a post-processor puts around it. */
export function piecesOf(tokenizer: LibraryTokenizer, text: string): Piece[] {
  const added = [...tokenizer.get_added_tokens_decoder().values()].map(({ content }) => content)
  if (added.length === 0) return sectionPieces(tokenizer, text, 0)
  const longestFirst = [...added].sort((a, b) => b.length - a.length).map(escapeForRegExp)
  // Capturing, so that the added tokens themselves stay in the list.
  const sections = text.split(new RegExp(`(${longestFirst.join('|')})`))
  let offset = 0
  return sections.flatMap((section) => {
    const start = offset
    offset += section.length
    if (added.includes(section)) return [{ token: section, span: [start, offset] as const }]
    return sectionPieces(tokenizer, section, start)
  })
}
