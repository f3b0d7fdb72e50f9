// What a run is given, as rows of ids of one length.
import { invalidArgument } from '../errors.js'
import type { RunInput } from '../types/model.js'
import type { ModelConfig } from '../types/model-config.js'
import type { Encoding } from '../types/tokens.js'
import type { TensorLike } from '../types/tensor.js'
import { describe } from '../validate/describe.js'
import { checkIntegers } from '../validate/numbers.js'
import { checkOptions } from '../validate/options.js'
import { checkTensor } from '../validate/tensor.js'
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

/** What of a model tells which texts it takes. */
interface TextModel {
  readonly tokenizer: CoreTokenizer
  readonly config: ModelConfig
}

/** The tokens of a text that the model can take; of one that is too long the argument is named. */
export function encodeText(
  { tokenizer, config }: TextModel,
  text: string,
  argument: string,
  pair?: string,
): Encoding {
  const encoding = tokenizer.encode(text, pair)
  const { length } = encoding.ids
  const most = config.maxPositions || Infinity
  if (length <= most) return encoding
  throw invalidArgument(argument, `at most ${most} tokens`, String(length))
}

/** Tells text from ids, and one sequence from several. */
export function encodeInput(input: RunInput, model: TextModel): Encoding[] {
  const { tokenizer } = model
  if (typeof input === 'string') return [encodeText(model, input, 'input')]
  if (input instanceof Int32Array) return [encodingOfIds(input, undefined, tokenizer)]
  if (Array.isArray(input)) {
    const list = input as readonly (string | number)[]
    if (typeof list[0] === 'number') {
      return [encodingOfIds(list as readonly number[], undefined, tokenizer)]
    }
    checkStrings(list, 'input')
    const [first, second] = list as readonly string[]
    if (list.length === 2 && first !== undefined) return [encodeText(model, first, 'input', second)]
    return encodeTexts(model, list as readonly string[], 'input')
  }
  const { texts, ids, typeIds } = Object(input) as InputFields
  // What `tokenizer.encode` returned passes whole.
  checkNames(input, texts === undefined ? ['ids', 'typeIds', 'tokens', 'spans'] : ['texts'])
  if (texts !== undefined) {
    checkStrings(texts, 'input.texts')
    return encodeTexts(model, texts, 'input.texts')
  }
  if (ids !== undefined) return [encodingOfIds(ids, typeIds, tokenizer)]
  throw invalidArgument('input', 'a text, texts, ids, { texts } or { ids }', describe(input))
}

/** What `{ texts }` or `{ ids }` may hold besides would be ignored in silence. */
function checkNames(input: unknown, known: readonly string[]): void {
  if (typeof input === 'object' && input !== null) checkOptions(input, 'input', known)
}

function encodeTexts(model: TextModel, texts: readonly string[], argument: string): Encoding[] {
  if (texts.length === 0) throw invalidArgument('input', 'at least one text', 'none')
  return texts.map((text, i) => encodeText(model, text, `${argument}[${i}]`))
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

/** Images for a model of images, which alone takes them and takes nothing else. */
export function imageBatch(input: RunInput, { image }: ModelConfig): Batch | undefined {
  const given = typeof input === 'object' && (input as object | null) !== null && 'image' in input
  if (image === undefined && !given) return undefined
  const { size = 0, patch = 1, channels = 0, classTokens = 0 } = image ?? {}
  const dims = `[${channels}, ${size}, ${size}]`
  if (!given || image === undefined) {
    const wants = image ? `{ image }, pixels ${dims}` : 'text or ids: the model sees no images'
    throw invalidArgument('input', wants, given ? '{ image }' : describe(input))
  }
  checkOptions(input, 'input', ['image'])
  checkTensor(input.image, 'input.image')
  const { data, dims: own } = input.image
  const batch = own.length === 4 ? (own[0] ?? 0) : 1
  if (batch < 1 || own.slice(-3).join() !== [channels, size, size].join() || own.length > 4) {
    throw invalidArgument('input.image', `${dims} or a batch of such`, `[${own.join(', ')}]`)
  }
  const length = classTokens + (size / patch) ** 2
  const none = new Int32Array()
  return {
    encodings: [],
    batch,
    length,
    ids: none,
    typeIds: none,
    keyMask: new Uint8Array(batch * length).fill(1),
    image: { data, dims: [batch, channels, size, size] },
  }
}
