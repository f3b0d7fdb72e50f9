// Word alignments out of cross-attention: which word of the source a word of the output is joined to.
// Pieces become words as Clark et al. 2019 do it: the weight on a word is the sum over its pieces, the
// weight from a word the mean over its pieces. Pure, and without imports: tests and scripts use it too.

/** Weights of one map, rows are queries. */
export interface Weights {
  /** [rows, columns] */
  values: Float32Array
  rows: number
  columns: number
}

/** The pieces of a text as words. */
export interface Words {
  /** By piece: which word it belongs to. */
  of: readonly number[]
  labels: readonly string[]
  /** Words that nothing is joined to: `</s>` and the like. */
  special: ReadonlySet<number>
}

/** What a piece begins with that begins a word: SentencePiece's mark. */
const wordMark = '▁'

/**
 * Words from pieces as the vocabulary writes them, `▁chat`, `s`, `.`: a piece with the mark begins a
 * word, a piece of punctuation is a word of its own, any other goes on with the word before.
 */
export function wordsOf(pieces: readonly string[], isSpecial: (piece: string) => boolean): Words {
  const of: number[] = []
  const labels: string[] = []
  const special = new Set<number>()
  let open = false
  for (const piece of pieces) {
    const text = piece.replaceAll(wordMark, '')
    const alone = isSpecial(piece) || isPunctuation(text)
    // A mark of its own, as French has it before a question mark, begins what comes next.
    const filled = labels.at(-1) === '' && !isSpecial(piece)
    const goesOn = (open && !alone) || filled
    if (goesOn && !piece.startsWith(wordMark)) labels.push((labels.pop() ?? '') + text)
    else labels.push(text)
    if (isSpecial(piece)) special.add(labels.length - 1)
    of.push(labels.length - 1)
    // Behind an apostrophe a word begins without the mark: `l'` and `homme`.
    open = !alone && !/['’]$/.test(text)
  }
  return { of, labels, special }
}

export function isPunctuation(text: string): boolean {
  return text !== '' && /^[\p{P}\p{S}]+$/u.test(text)
}

/** Mean over the maps of several heads; the first one gives the shape. */
export function meanOf(maps: readonly Weights[]): Weights {
  const [first] = maps
  if (!first) throw new Error('meanOf: expected at least one map; received none')
  const values = new Float32Array(first.values.length)
  for (const map of maps) {
    for (const [place, value] of map.values.entries()) {
      values[place] = (values[place] ?? 0) + value / maps.length
    }
  }
  return { ...first, values }
}

/** Weights between words: summed over the pieces of a key, averaged over those of a query. */
export function mergePieces(map: Weights, queries: Words, keys: Words): Weights {
  const [rows, columns] = [queries.labels.length, keys.labels.length]
  const values = new Float32Array(rows * columns)
  const pieces = new Float32Array(rows)
  for (const word of queries.of) pieces[word] = (pieces[word] ?? 0) + 1
  for (const [row, query] of queries.of.entries()) {
    for (const [column, key] of keys.of.entries()) {
      const weight = map.values[row * map.columns + column] ?? 0
      const place = query * columns + key
      values[place] = (values[place] ?? 0) + weight / (pieces[query] ?? 1)
    }
  }
  return { values, rows, columns }
}

/** A word of the output and the word of the source that it is joined to. */
export interface Join {
  row: number
  column: number
  /** Of the word's whole weight, special tokens included. */
  weight: number
}

/**
 * Every word joined to the word with the most weight, the first of equals; special tokens join
 * nothing. `map` is what `mergePieces` gives.
 */
export function align(map: Weights, queries: Words, keys: Words): Join[] {
  const joins: Join[] = []
  for (let row = 0; row < map.rows; row++) {
    if (queries.special.has(row)) continue
    let best: Join | null = null
    for (let column = 0; column < map.columns; column++) {
      if (keys.special.has(column)) continue
      const weight = map.values[row * map.columns + column] ?? 0
      if (best === null || weight > best.weight) best = { row, column, weight }
    }
    if (best) joins.push(best)
  }
  return joins
}

/** How many of the heads join a word to each word of the source: [rows, columns] counts. */
export function votesOf(
  alignments: readonly (readonly Join[])[],
  columns: number,
): Map<number, Float32Array> {
  const votes = new Map<number, Float32Array>()
  for (const { row, column } of alignments.flat()) {
    const ofRow = votes.get(row) ?? new Float32Array(columns)
    votes.set(row, ofRow)
    ofRow[column] = (ofRow[column] ?? 0) + 1
  }
  return votes
}

/** Share of the rows that two alignments join alike; NaN where they share none. */
export function agreement(one: readonly Join[], other: readonly Join[]): number {
  const columns = new Map(other.map(({ row, column }) => [row, column]))
  const shared = one.filter(({ row }) => columns.has(row))
  return shared.filter(({ row, column }) => columns.get(row) === column).length / shared.length
}

/** How many pairs of joins cross each other: words that stand in another order in the two texts. */
export function crossings(joins: readonly Join[]): number {
  let crossed = 0
  for (const [place, one] of joins.entries()) {
    for (const other of joins.slice(place + 1)) {
      if ((one.row - other.row) * (one.column - other.column) < 0) crossed++
    }
  }
  return crossed
}
