// Labels for byte-level tokens: no label shows part of a character. Needs no WebAssembly.
import { invalidArgument } from '../errors.js'
import { describe } from '../validate/describe.js'

/** Consecutive tokens under one label. */
export interface TokenGroup {
  /** The range [first, end) of tokens. */
  tokens: [first: number, end: number]
  /** What they say together; null for bytes that never become characters. */
  text: string | null
  /** Where the text lies in the whole, in UTF-16 units; absent without text. */
  utf16?: [start: number, end: number]
  /** Where the text lies in the whole, in code points; absent without text. */
  codePoints?: [start: number, end: number]
  /** The bytes in hexadecimal, where there is no text. */
  bytes?: string
}

/** A stretch of whole tokens, `text` null where their bytes are no characters. */
interface Stretch {
  first: number
  end: number
  text: string | null
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function join(tokens: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(tokens.reduce((sum, token) => sum + token.length, 0))
  let offset = 0
  for (const token of tokens) {
    bytes.set(token, offset)
    offset += token.length
  }
  return bytes
}

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

function bytesOf(token: unknown, index: number): Uint8Array {
  if (token instanceof Uint8Array) return token
  const isByte = (value: unknown) => Number.isInteger(value) && value === ((value as number) & 0xff)
  if (Array.isArray(token) && token.every(isByte)) return Uint8Array.from(token as number[])
  throw invalidArgument(`tokens[${index}]`, 'a Uint8Array, or an array of bytes', describe(token))
}

/** How many bytes the character takes that starts with this byte; 0 when none starts so. */
function characterLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead < 0xe0) return 2
  if (lead >= 0xe0 && lead < 0xf0) return 3
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0
}

/** For each byte whether a whole character covers it. */
function coveredBytes(bytes: Uint8Array): boolean[] {
  const covered = Array<boolean>(bytes.length).fill(false)
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes[at] ?? 0)
    const whole = length > 0 && decode(bytes.subarray(at, at + length)) !== null
    const taken = whole && at + length <= bytes.length ? length : 0
    covered.fill(true, at, at + taken)
    at += Math.max(taken, 1)
  }
  return covered
}

/** Cuts the tokens into stretches of characters and stretches with bytes that are none. */
function stretches(tokens: readonly Uint8Array[]): Stretch[] {
  const bytes = join(tokens)
  const covered = coveredBytes(bytes)
  // A token with a stray byte has no text, and neither has a token that shares a character with it.
  const ends: number[] = []
  tokens.reduce((offset, token, index) => (ends[index] = offset + token.length), 0)
  const startOf = (index: number) => (index === 0 ? 0 : (ends[index - 1] ?? 0))
  const bad = tokens.map((_, index) => covered.slice(startOf(index), ends[index]).includes(false))
  const splits = (offset: number) => offset < bytes.length && ((bytes[offset] ?? 0) & 0xc0) === 0x80
  for (let changed = true; changed;) {
    changed = false
    for (let index = 1; index < tokens.length; index++) {
      const shared = splits(startOf(index)) && bad[index - 1] !== bad[index]
      if (shared) changed = bad[index - 1] = bad[index] = true
    }
  }
  const found: Stretch[] = []
  bad.forEach((isBad, index) => {
    const last = found.at(-1)
    if (last && (last.text === null) === isBad) last.end = index + 1
    else found.push({ first: index, end: index + 1, text: isBad ? null : '' })
  })
  for (const stretch of found) {
    if (stretch.text !== null) stretch.text = decode(join(tokens.slice(stretch.first, stretch.end)))
  }
  return found
}

/** Cuts a stretch of characters wherever a token ends where a glyph ends. */
function cutAtGlyphs(tokens: readonly Uint8Array[], { first, end, text }: Stretch): Stretch[] {
  if (text === null) return [{ first, end, text }]
  const glyphEnds = new Map<number, number>()
  const encoder = new TextEncoder()
  let bytes = 0
  for (const { segment, index } of segmenter.segment(text)) {
    bytes += encoder.encode(segment).length
    glyphEnds.set(bytes, index + segment.length)
  }
  const cuts: Stretch[] = []
  let [offset, start, from] = [0, first, 0]
  for (let index = first; index < end; index++) {
    offset += tokens[index]?.length ?? 0
    const to = glyphEnds.get(offset)
    if (to === undefined || (to === from && index + 1 < end)) continue
    cuts.push({ first: start, end: index + 1, text: text.slice(from, to) })
    start = index + 1
    from = to
  }
  return cuts
}

/**
 * Groups byte tokens into labels: the list is cut wherever a token ends where a glyph (an extended
 * grapheme cluster) ends, and nowhere else. Bytes that never become a character are one group
 * without text.
 *
 * @example
 * ```js
 * import { groupTokens } from 'headwise'
 *
 * const bytes = new TextEncoder().encode('é!') // as three tokens of one byte each
 * const groups = groupTokens(Array.from(bytes, (byte) => [byte]))
 * console.log(...groups.map(({ text }) => text)) // é !
 * ```
 *
 * @param tokens the bytes of each token, in order
 */
export function groupTokens(tokens: readonly (Uint8Array | readonly number[])[]): TokenGroup[] {
  if (!Array.isArray(tokens)) {
    throw invalidArgument('tokens', 'an array of Uint8Array', describe(tokens))
  }
  const arrays = Array.from(tokens as readonly unknown[], bytesOf)
  let [utf16, codePoints] = [0, 0]
  return stretches(arrays)
    .flatMap((stretch) => cutAtGlyphs(arrays, stretch))
    .map(({ first, end, text }): TokenGroup => {
      if (text === null) {
        const bytes = Array.from(join(arrays.slice(first, end)), (byte) =>
          byte.toString(16).padStart(2, '0'),
        )
        return { tokens: [first, end], text, bytes: bytes.join('') }
      }
      const group: TokenGroup = {
        tokens: [first, end],
        text,
        utf16: [utf16, utf16 + text.length],
        codePoints: [codePoints, codePoints + Array.from(text).length],
      }
      utf16 += text.length
      codePoints = group.codePoints?.[1] ?? codePoints
      return group
    })
}
