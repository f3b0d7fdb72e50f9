// What the analyses of heads are given, in the form in which it crosses to the Worker and to C++;
// halves and orders by seed.
import type { CoreferenceExample, RoleDirection } from '../types/head-roles.js'
import type { TokenSpan } from '../types/tokens.js'
import type { TreebankSentence } from '../types/treebank.js'

/** In the order in which C++ numbers them. */
export const roleDirections: readonly RoleDirection[] = ['dependent-to-head', 'head-to-dependent']

/** Sentences as columns: words one sentence after the other. */
export interface SentenceColumns {
  texts: string[]
  /** [sentences + 1]: where the words of each begin. */
  offsets: Int32Array
  /** Index in the sentence; -1 = not to be judged. */
  heads: Int32Array
  relationIds: Int32Array
  /** Start and end of each. */
  spans: Int32Array
  /** By id, in the order in which they come. */
  relations: string[]
}

export function columnsOf(sentences: readonly TreebankSentence[]): SentenceColumns {
  const offsets = new Int32Array(sentences.length + 1)
  sentences.forEach(({ words }, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + words.length
  })
  const count = offsets[sentences.length] ?? 0
  const heads = new Int32Array(count).fill(-1)
  const relationIds = new Int32Array(count)
  const spans = new Int32Array(2 * count)
  const ids = new Map<string, number>()
  let at = 0
  for (const { words } of sentences) {
    for (const { head, relation, span } of words) {
      if (head >= 0 && relation !== '') {
        heads[at] = head
        if (!ids.has(relation)) ids.set(relation, ids.size)
        relationIds[at] = ids.get(relation) ?? 0
      }
      spans.set(span, 2 * at++)
    }
  }
  const texts = sentences.map(({ text }) => text)
  return { texts, offsets, heads, relationIds, spans, relations: [...ids.keys()] }
}

/** An example with its spans as the other side wants them. */
export function plainExample(example: CoreferenceExample): CoreferenceExample {
  const { text, mention, antecedent, other, nouns } = example
  return { text, mention, antecedent, other, ...(nouns && { nouns }) }
}

function overlap([start, end]: TokenSpan, [otherStart, otherEnd]: TokenSpan): number {
  return Math.min(end, otherEnd) - Math.max(start, otherStart)
}

export function overlaps(a: TokenSpan, b: TokenSpan): boolean {
  return overlap(a, b) > 0
}

/**
 * The word that each token belongs to: the one it overlaps most, of equal ones the first; -1 without
 * any. `wordSpans` holds the words' starts and ends, which rise.
 */
export function wordsOfTokens(
  tokenSpans: readonly (TokenSpan | null)[],
  wordSpans: Int32Array,
): Int32Array {
  const words = new Int32Array(tokenSpans.length).fill(-1)
  const spanOf = (word: number): TokenSpan => [
    wordSpans[2 * word] ?? Infinity,
    wordSpans[2 * word + 1] ?? Infinity,
  ]
  let first = 0
  tokenSpans.forEach((span, token) => {
    if (span === null) return
    while (spanOf(first)[1] <= span[0]) first++
    let most = 0
    for (let word = first; spanOf(word)[0] < span[1]; word++) {
      const shared = overlap(spanOf(word), span)
      if (shared <= most) continue
      most = shared
      words[token] = word
    }
  })
  return words
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). Not for secrets. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The items in an order by chance (Fisher and Yates). */
export function shuffled(items: readonly number[], random: () => number): number[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    const item = order[i] ?? 0
    order[i] = order[other] ?? 0
    order[other] = item
  }
  return order
}

/** Of `count` items 1 = selection, 2 = report, 0 = not among those used: by turns, shuffled. */
export function halvesOf(used: readonly number[], count: number, seed: number): Uint8Array {
  const halves = new Uint8Array(count)
  shuffled(used, randomNumbers(seed)).forEach((item, place) => {
    halves[item] = 1 + (place % 2)
  })
  return halves
}
