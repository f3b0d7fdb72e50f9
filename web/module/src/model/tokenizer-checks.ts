// What of a tokenizer.json the library would take as it is, and then be wrong in silence or never come
// to an end.
import { corruptFile } from '../errors.js'
import { describe } from '../validate/describe.js'

type Json = Record<string, unknown>

export function checkTokenizer(json: object): void {
  const { model, pre_tokenizer: preTokenizer } = json as Json
  checkPieces(preTokenizer)
  const { vocab, unk_id: unknown } = Object(model) as Json
  if (Array.isArray(vocab)) checkScores(vocab as unknown[], unknown)
  else checkIds(vocab)
}

function refuse(expected: string, received: unknown): Error {
  return corruptFile('tokenizer.json', expected, describe(received))
}

function checkPieces(preTokenizer: unknown): void {
  const open = [preTokenizer]
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { type, length, pretokenizers } = Object(step) as Json
    if (Array.isArray(pretokenizers)) open.push(...(pretokenizers as unknown[]))
    const isLength = Number.isSafeInteger(length) && (length as number) > 0
    if (type === 'FixedLength' && !isLength) throw refuse('pieces of a length above 0', length)
  }
}

function checkIds(vocab: unknown): void {
  if (typeof vocab !== 'object' || vocab === null) throw refuse('a vocabulary', vocab)
  for (const id of Object.values(vocab) as unknown[]) {
    if (!isIndex(id, 2 ** 31)) throw refuse('ids that are whole numbers', id)
  }
}

/** Of Unigram: pieces with their scores; the id of a piece is its place. */
function checkScores(vocab: readonly unknown[], unknown: unknown): void {
  for (const entry of vocab) {
    const [piece, score] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (typeof piece === 'string' && Number.isFinite(score)) continue
    throw refuse('pieces with scores', entry)
  }
  if (unknown !== undefined && unknown !== null && !isIndex(unknown, vocab.length)) {
    throw refuse('unk_id in the vocabulary', unknown)
  }
}

function isIndex(value: unknown, end: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < end
}
