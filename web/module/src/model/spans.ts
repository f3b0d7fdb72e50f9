// Where tokens stand in the text as typed. They are matched byte by byte with the words that they were
// made of: byte-level tokens are bytes, and others may cut a letter whose normal form is several.
import type { TokenSpan } from '../types/tokens.js'
import type { Aligned } from './align.js'
import type { LibraryTokenizer } from './tokenizer-library.js'

/** A token of a text with its place, in UTF-16 units; null where it is not of the text. */
export interface Piece {
  token: string
  span: TokenSpan | null
}

/** Bytes of UTF-8, each with the stretch of the source that it came from. */
interface AlignedBytes {
  bytes: Uint8Array
  starts: number[]
  ends: number[]
}

/** The words of a section, one behind the other. */
interface Words extends AlignedBytes {
  /** Where each of them ends. */
  wordEnds: Set<number>
}

const encoder = new TextEncoder()

function bytesOfText({ text, starts, ends }: Aligned): AlignedBytes {
  const aligned: AlignedBytes = { bytes: encoder.encode(text), starts: [], ends: [] }
  let unit = 0
  for (const character of text) {
    for (let i = utf8Length(character); i > 0; i--) {
      aligned.starts.push(starts[unit] ?? 0)
      aligned.ends.push(ends[unit + character.length - 1] ?? 0)
    }
    unit += character.length
  }
  return aligned
}

/** Half of a pair, too, becomes three bytes: those of a replacement character. */
function utf8Length(character: string): number {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

function startsWith(whole: Uint8Array, part: Uint8Array, at: number): boolean {
  for (let i = 0; i < part.length; i++) if (part[i] !== whole[at + i]) return false
  return true
}

/** Longer than blanks between words are. */
const farthest = 1 << 16

/** Where `part` begins in `whole` at `from` or not far behind; -1 for nowhere. */
function find(whole: Uint8Array, part: Uint8Array, from: number): number {
  const last = Math.min(whole.length - part.length, from + farthest)
  for (let at = from; at <= last; at++) {
    if (startsWith(whole, part, at)) return at
  }
  return -1
}

/** Words and tokens of a tokenizer as the bytes that they stand for. */
export class TokenBytes {
  readonly #byteOf: Map<string, number> | undefined

  constructor(
    private readonly model: LibraryTokenizer['model'],
    /** The letter of each byte, where tokens are written so. */
    letters: Record<number, string> | undefined,
    /** What stands for a blank in words; a pre-tokenizer may put one before a text. */
    readonly blank: string,
  ) {
    const entries = letters && Object.entries(letters)
    this.#byteOf = entries && new Map(entries.map(([byte, letter]) => [letter, Number(byte)]))
  }

  /** Of a word as the pre-tokenizer gives it. */
  ofWord(word: string): Uint8Array {
    const byteOf = this.#byteOf
    if (byteOf === undefined) return encoder.encode(word)
    return Uint8Array.from(word, (letter) => byteOf.get(letter) ?? 0)
  }

  /** Undefined for a token that stands for whatever is unknown. */
  ofToken(token: string, isFirst: boolean): Uint8Array | undefined {
    const { unk_token: unknown, config, end_of_word_suffix, continuing_subword_suffix } = this.model
    if (token === unknown) return undefined
    const byte = config.byte_fallback === true && /^<0x([\dA-F]{2})>$/.exec(token)?.[1]
    if (byte) return Uint8Array.of(parseInt(byte, 16))
    const prefix = isFirst ? '' : (config.continuing_subword_prefix ?? '')
    const suffix = end_of_word_suffix ?? continuing_subword_suffix ?? ''
    const start = token.startsWith(prefix) ? prefix.length : 0
    const end = token.length - (token.endsWith(suffix) ? suffix.length : 0)
    return this.ofWord(token.slice(start, end))
  }

  /** Whether an unknown word is one token, as WordPiece has it; in others a letter is. */
  get unknownIsWord(): boolean {
    return this.model.config.type === 'WordPiece'
  }
}

/** Finds every word in its section, in order. */
export function alignWords(words: readonly string[], section: Aligned, table: TokenBytes): Words {
  const source = bytesOfText({ ...section, text: section.text.replaceAll(' ', table.blank) })
  const blank = encoder.encode(table.blank)
  const parts = words.map((word) => table.ofWord(word))
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const all: Words = { bytes: new Uint8Array(total), starts: [], ends: [], wordEnds: new Set() }
  let from = 0
  for (const part of parts) {
    all.bytes.set(part, all.starts.length)
    const isPut = !startsWith(source.bytes, part, from) && startsWith(part, blank, 0)
    const own = isPut ? part.subarray(blank.length) : part
    const isNext = startsWith(source.bytes, isPut ? own : part, from)
    const at = isNext ? from - (part.length - own.length) : find(source.bytes, part, from)
    const here = source.starts[from] ?? source.ends.at(-1) ?? 0
    for (let i = 0; i < part.length; i++) {
      // What was put before the text, and a word that is nowhere, has a place but no length.
      const isOwn = at + i >= from && (isNext || at >= 0)
      all.starts.push((isOwn ? source.starts[at + i] : undefined) ?? here)
      all.ends.push((isOwn ? source.ends[at + i] : undefined) ?? here)
    }
    if (isNext || at >= 0) from = at + part.length
    all.wordEnds.add(all.starts.length)
  }
  return all
}

/** Bytes of `Words`. */
interface Range {
  from: number
  to: number
}

/** The tokens with their places. One that does not fit has none rather than a wrong one. */
export function placeTokens(tokens: readonly string[], words: Words, table: TokenBytes): Piece[] {
  let next = 0
  const ranges = tokens.map((token, index): Range => {
    const from = next
    const bytes = table.ofToken(token, from === 0 || words.wordEnds.has(from))
    if (bytes === undefined) next = endOfUnknown(tokens[index + 1], words, from, table)
    else if (startsWith(words.bytes, bytes, from)) next += bytes.length
    return { from, to: next }
  })
  const owned = ranges.map((range) => ownedBy(range, words))
  // From the end: what holds only a part of a letter goes with the token that holds the rest.
  for (let index = owned.length - 2; index >= 0; index--) {
    const { from, to } = ranges[index] ?? { from: 0, to: 0 }
    const isPart = to > from && words.starts[to - 1] !== words.ends[to - 1]
    if (owned[index] === null && isPart) owned[index] = owned[index + 1] ?? null
  }
  return tokens.map((token, index) => ({ token, span: owned[index] ?? null }))
}

/** What is unknown ends with its word, or where the next token that is known begins. */
function endOfUnknown(
  next: string | undefined,
  { bytes, wordEnds }: Words,
  from: number,
  table: TokenBytes,
): number {
  let end = from + 1
  if (table.unknownIsWord) while (end < bytes.length && !wordEnds.has(end)) end++
  else while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++
  const known = next === undefined ? undefined : table.ofToken(next, wordEnds.has(end))
  if (table.unknownIsWord) return end
  if (next === undefined) return bytes.length
  const found = known === undefined ? end : find(bytes, known, end)
  return found < 0 ? end : found
}

/** The stretch of the source of all letters that end in this range. */
function ownedBy({ from, to }: Range, { starts, ends, wordEnds }: Words): TokenSpan | null {
  let [start, end] = [-1, -1]
  for (let at = from; at < to;) {
    let next = at + 1
    const isSame = () => starts[next] === starts[at] && ends[next] === ends[at]
    while (next < starts.length && !wordEnds.has(next) && isSame()) next++
    if (next <= to && starts[at] !== ends[at]) {
      if (start < 0) start = starts[at] ?? -1
      end = ends[at] ?? -1
    }
    at = next
  }
  return start < 0 ? null : [start, end]
}

/** Spans that overlap in part, of a character that became parts of several words, become one. */
export function withoutOverlap(pieces: Piece[]): Piece[] {
  let group: { start: number; end: number; members: Piece[] } | undefined
  for (const piece of pieces) {
    if (piece.span === null) continue
    const [start, end] = piece.span
    if (group !== undefined && start < group.end) {
      group.start = Math.min(group.start, start)
      group.end = Math.max(group.end, end)
      group.members.push(piece)
      for (const member of group.members) member.span = [group.start, group.end]
    } else group = { start, end, members: [piece] }
  }
  return pieces
}
