// What a run is given, as rows of ids of one length.
import { invalidArgument } from '../errors.js'
import type { Encoding, RunInput } from '../types/model.js'
import { describe } from '../validate/describe.js'
import { checkIntegers } from '../validate/numbers.js'
import { checkOptions } from '../validate/options.js'
import { checkStrings } from '../validate/model.js'
import type { CoreTokenizer } from './tokenizer.js'

/** B sequences, padded to the longest. */
export interface Batch {
  encodings: Encoding[]
  batch: number
  length: number
  /** [B, S] each. */
  ids: Int32Array
  typeIds: Int32Array
  /** 1 = a real token. */
  keyMask: Uint8Array
  /** [B, channels, size, size]; there are then no ids. */
  image?: TensorLike
}

/** The named forms of an input. */
interface InputFields {
  texts?: readonly string[]
  ids?: readonly number[]
  typeIds?: readonly number[]
}

/** Tells text from ids, and one sequence from several. */
export function encodeInput(input: RunInput, tokenizer: CoreTokenizer): Encoding[] {
  if (typeof input === 'string') return [tokenizer.encode(input)]
  if (input instanceof Int32Array) return [encodingOfIds(input, undefined, tokenizer)]
  if (Array.isArray(input)) {
    const list = input as readonly (string | number)[]
    if (typeof list[0] === 'number') {
      return [encodingOfIds(list as readonly number[], undefined, tokenizer)]
    }
    checkStrings(list, 'input')
    const [first, second] = list as readonly string[]
    if (list.length === 2 && first !== undefined) return [tokenizer.encode(first, second)]
    return encodeTexts(list as readonly string[], tokenizer)
  }
  const { texts, ids, typeIds } = Object(input) as InputFields
  // What `tokenizer.encode` returned passes whole.
  checkNames(input, texts === undefined ? ['ids', 'typeIds', 'tokens', 'spans'] : ['texts'])
  if (texts !== undefined) {
    checkStrings(texts, 'input.texts')
    return encodeTexts(texts, tokenizer)
  }
  if (ids !== undefined) return [encodingOfIds(ids, typeIds, tokenizer)]
  throw invalidArgument('input', 'a text, texts, ids, { texts } or { ids }', describe(input))
}

/** What `{ texts }` or `{ ids }` may hold besides would be ignored in silence. */
function checkNames(input: unknown, known: readonly string[]): void {
  if (typeof input === 'object' && input !== null) checkOptions(input, 'input', known)
}

function encodeTexts(texts: readonly string[], tokenizer: CoreTokenizer): Encoding[] {
  if (texts.length === 0) throw invalidArgument('input', 'at least one text', 'none')
  return texts.map((text) => tokenizer.encode(text))
}

function encodingOfIds(
  ids: Int32Array | readonly number[],
  typeIds: readonly number[] | undefined,
  tokenizer: CoreTokenizer,
): Encoding {
  checkIntegers(ids, 'ids')
  checkIntegers(typeIds, 'typeIds')
  const list = Array.from(ids)
  if (typeIds !== undefined && typeIds.length !== list.length) {
    throw invalidArgument('typeIds', `${list.length} of them, as ids`, String(typeIds.length))
  }
  return {
    ids: list,
    tokens: list.map((id) => tokenizer.tokenOf(id)),
    spans: list.map(() => null),
    typeIds: typeIds ?? list.map(() => 0),
  }
}

/** Pads the sequences to one length. */
export function padBatch(encodings: Encoding[], padId: number): Batch {
  const batch = encodings.length
  const length = Math.max(...encodings.map(({ ids }) => ids.length))
  const ids = new Int32Array(batch * length).fill(padId)
  const typeIds = new Int32Array(batch * length)
  const keyMask = new Uint8Array(batch * length)
  encodings.forEach((encoding, row) => {
    ids.set(encoding.ids, row * length)
    typeIds.set(encoding.typeIds, row * length)
    keyMask.fill(1, row * length, row * length + encoding.ids.length)
  })
  return { encodings, batch, length, ids, typeIds, keyMask }
}
