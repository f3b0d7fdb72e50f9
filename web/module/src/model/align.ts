// A text on its way through a tokenizer's normalizers, every unit with its source: the text itself is
// the library's, step by step; where its units came from is found out here.
import { corruptFile } from '../errors.js'
import type { LibraryNormalizer } from './tokenizer-library.js'

/** A text whose UTF-16 units know the stretch of the source that they came from. */
export interface Aligned {
  text: string
  /** For each unit; a unit that was put in has a stretch without length. */
  starts: number[]
  ends: number[]
}

/** Beyond what any normalizer makes of a text; what grows on would take all memory. */
const mostGrowth = 32
const smallText = 1024

/** Steps of a `Sequence`, and of those within. */
export function stepsOf<Step extends { config?: { type?: string } }>(
  step: Step | null,
  inner: (step: Step) => readonly (Step | null)[] | undefined,
): Step[] {
  if (step === null) return []
  const steps = inner(step)
  return steps === undefined ? [step] : steps.flatMap((each) => stepsOf(each, inner))
}

/** The text as typed: each unit comes from its code point. */
export function alignedText(text: string, offset: number): Aligned {
  const aligned: Aligned = { text, starts: [], ends: [] }
  for (const character of text) {
    const start = offset
    offset += character.length
    for (let i = 0; i < character.length; i++) {
      aligned.starts.push(start)
      aligned.ends.push(offset)
    }
  }
  return aligned
}

export function slice({ text, starts, ends }: Aligned, from: number, to: number): Aligned {
  return { text: text.slice(from, to), starts: starts.slice(from, to), ends: ends.slice(from, to) }
}

/** Refuses a text that has grown out of all proportion. */
export function checkGrowth(text: string, from: number): void {
  if (text.length <= smallText + mostGrowth * from) return
  const received = `${text.length} characters made of ${from}`
  throw corruptFile('tokenizer.json', 'steps that keep a text near its length', received)
}

/** The text behind all steps. */
export function normalise(steps: readonly LibraryNormalizer[], source: Aligned): Aligned {
  let aligned = source
  for (const step of steps) {
    const text = step(aligned.text)
    checkGrowth(text, source.text.length)
    if (text !== aligned.text) aligned = align(step, aligned, text)
  }
  return aligned
}

/** A syllable of Hangul letters, or a letter; with its marks (those of half-width kana are letters). */
const letters =
  /(?:[\u1100-\u115f\ua960-\ua97f]+[\u1160-\u11a7\ud7b0-\ud7c6]*[\u11a8-\u11ff\ud7cb-\ud7fb]*|\P{M})[\p{M}\uff9e\uff9f]*|\p{M}+/gsu

/** Pieces of the result, each with the units [from, to) that it was made of. */
type Piece = readonly [text: string, from: number, to: number]

function align(step: LibraryNormalizer, before: Aligned, text: string): Aligned {
  const attempts = [clusters, words, replacements, edges]
  for (const attempt of attempts) {
    const pieces = attempt(step, before.text, text)
    if (pieces !== undefined) return placed(pieces, before, text)
  }
  // The whole came from the whole.
  return placed([[text, 0, before.text.length]], before, text)
}

/**
 * Letters with their marks, normalised one by one, where together they are the whole. A letter may
 * look different in its context (the Greek sigma at the end of a word), at its place.
 */
function clusters(step: LibraryNormalizer, before: string, after: string): Piece[] | undefined {
  return matched(step, before, after, letters)
}

/** The same for words with the blanks before them. */
function words(step: LibraryNormalizer, before: string, after: string): Piece[] | undefined {
  return matched(step, before, after, /\s*\S+|\s+/gu)
}

function matched(
  step: LibraryNormalizer,
  before: string,
  after: string,
  units: RegExp,
): Piece[] | undefined {
  const pieces: Piece[] = []
  let length = 0
  for (const { 0: unit, index } of before.matchAll(units)) {
    const text = step(unit)
    length += text.length
    if (length > after.length) return undefined
    pieces.push([text, index, index + unit.length])
  }
  const together = pieces.map(([text]) => text).join('')
  // Of the same length it differs by looks alone, unless the step moves things about.
  const isLowercase = together.length === after.length && /Lowercase|Bert/.test(step.config.type)
  return together === after || isLowercase ? pieces : undefined
}

/** What a pattern found, replaced. */
function replacements(step: LibraryNormalizer, before: string, after: string): Piece[] | undefined {
  const { pattern, config } = step
  const content = config.content ?? ''
  if (!(pattern instanceof RegExp) || content.includes('$')) return undefined
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index } of before.matchAll(pattern)) {
    for (let i = from; i < index; i++) pieces.push([before[i] ?? '', i, i + 1])
    pieces.push([content, index, index + found.length])
    from = index + found.length
  }
  for (let i = from; i < before.length; i++) pieces.push([before[i] ?? '', i, i + 1])
  return pieces.map(([text]) => text).join('') === after ? pieces : undefined
}

/** Something put before the text, or taken from its ends. */
function edges(_step: LibraryNormalizer, before: string, after: string): Piece[] | undefined {
  const units = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i): Piece => [
      before[from + i] ?? '',
      from + i,
      from + i + 1,
    ])
  if (after.endsWith(before)) {
    return [[after.slice(0, after.length - before.length), 0, 0], ...units(0, before.length)]
  }
  const from = before.indexOf(after)
  return from < 0 ? undefined : units(from, from + after.length)
}

function placed(pieces: readonly Piece[], before: Aligned, text: string): Aligned {
  const aligned: Aligned = { text, starts: [], ends: [] }
  for (const [piece, from, to] of pieces) {
    const start = before.starts[from] ?? before.ends[before.ends.length - 1] ?? 0
    const end = to > from ? (before.ends[to - 1] ?? start) : start
    for (let i = 0; i < piece.length; i++) {
      aligned.starts.push(start)
      aligned.ends.push(end)
    }
  }
  return aligned
}
