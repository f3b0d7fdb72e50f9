// Pairs of sentences that mean the same: the lab's own, or the reader's file. A line is a pair, with a
// tab between the two. Pure but for the fetch.
import { HeadwiseError, type SentencePair } from 'headwise'
import pairsUrl from '../../data/pairs.tsv?url'

export interface PairSet {
  id: 'own' | 'file'
  name: string
  /** The file as read, to be hashed. */
  content: string
  pairs: readonly SentencePair[]
}

/** So many at least: they are cut into halves, and each half needs others to be told from. */
export const leastPairs = 8

/** @throws HeadwiseError `CORRUPT_FILE` with the line */
export function parsePairs(content: string): SentencePair[] {
  const wrong = (argument: string, expected: string, received: string): HeadwiseError =>
    new HeadwiseError({ code: 'CORRUPT_FILE', argument, expected, received })
  const pairs = content.split(/\r?\n/).flatMap((line, place): SentencePair[] => {
    if (line.trim() === '' || line.startsWith('#')) return []
    const [first = '', second = '', ...more] = line.split('\t').map((text) => text.trim())
    if (first === '' || second === '' || more.length > 0) {
      const cells = String(line.split('\t').length)
      throw wrong(
        `line ${String(place + 1)}`,
        'two sentences with a tab between them',
        `${cells} columns`,
      )
    }
    return [[first, second]]
  })
  if (pairs.length < leastPairs) {
    throw wrong('pairs', `${String(leastPairs)} or more`, String(pairs.length))
  }
  return pairs
}

export async function ownPairs(): Promise<PairSet> {
  const response = await fetch(pairsUrl)
  if (!response.ok) {
    throw new Error(`${pairsUrl}: expected the pairs; received status ${String(response.status)}`)
  }
  const content = await response.text()
  return { id: 'own', name: 'headwise pairs', content, pairs: parsePairs(content) }
}

export const filePairs = (name: string, content: string): PairSet => ({
  id: 'file',
  name,
  content,
  pairs: parsePairs(content),
})
