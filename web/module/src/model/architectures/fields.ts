// config.json, or a file of its kind, field by field. What is missing, absurd or not supported is an error with the name of
// the field; null is what Hugging Face writes for a field that is left out.
import { HeadwiseError, type ErrorCode } from '../../errors.js'
import { describe } from '../../validate/describe.js'

/** Far beyond any model: a file that says more is broken, and products of such sizes stay exact. */
const largestSize = 2 ** 24

/** The activations that every architecture may name, in our words. */
export const activations = {
  gelu: 'gelu',
  gelu_new: 'gelu-tanh',
  gelu_pytorch_tanh: 'gelu-tanh',
  gelu_fast: 'gelu-tanh',
  relu: 'relu',
  silu: 'silu',
  swish: 'silu',
} as const

export class Fields {
  readonly #json: Record<string, unknown>
  readonly #file: string
  readonly #path: string

  /** `path` stands before the names of fields that are inside another. */
  constructor(json: object, { file = 'config.json', path = '' } = {}) {
    this.#json = json as Record<string, unknown>
    this.#file = file
    this.#path = path
  }

  /** As it came. */
  get(name: string): unknown {
    return Object.hasOwn(this.#json, name) ? (this.#json[name] ?? undefined) : undefined
  }

  /** A whole number of at least 1; without a fallback it must be there. */
  size(name: string, fallback?: number, most = largestSize): number {
    const value = this.get(name) ?? fallback
    if (!Number.isSafeInteger(value) || (value as number) < 1) {
      throw this.fault('CORRUPT_FILE', name, 'a whole number of at least 1', value)
    }
    if ((value as number) > most) throw this.fault('UNSUPPORTED', name, `at most ${most}`, value)
    return value as number
  }

  /** Blocks of a stack. */
  layers(name: string, fallback?: number): number {
    return this.size(name, fallback, 1024)
  }

  /** A number above 0. */
  positive(name: string, fallback?: number): number {
    const value = this.get(name) ?? fallback
    if (typeof value === 'number' && value > 0 && value < Infinity) return value
    throw this.fault('CORRUPT_FILE', name, 'a number above 0', value)
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.get(name) ?? fallback
    if (typeof value === 'boolean') return value
    throw this.fault('CORRUPT_FILE', name, 'true or false', value)
  }

  /** A word that is one of the table's, as the table has it. */
  word<Own>(name: string, table: Record<string, Own>, fallback?: string): Own {
    const value = this.get(name) ?? fallback
    if (typeof value === 'string' && Object.hasOwn(table, value)) return table[value] as Own
    throw this.unsupported(name, Object.keys(table), value)
  }

  /** Refuses what is set to anything but this; left out is accepted. */
  expect(name: string, ...accepted: readonly unknown[]): void {
    const value = this.get(name)
    if (value !== undefined && !accepted.includes(value)) {
      throw this.unsupported(name, accepted.length > 0 ? accepted : [null], value)
    }
  }

  /** One id, a list of them, or none. */
  ids(name: string, fallback: readonly number[] = []): number[] {
    const value = this.get(name) ?? fallback
    const list: unknown[] = Array.isArray(value) ? value : [value]
    if (list.every((id) => Number.isSafeInteger(id) && (id as number) >= 0)) return list as number[]
    throw this.fault('CORRUPT_FILE', name, 'ids of tokens', value)
  }

  /** One text, a list of them, or none. */
  texts(name: string): string[] {
    const value = this.get(name) ?? []
    const list: unknown[] = Array.isArray(value) ? value : [value]
    if (list.every((text) => typeof text === 'string' && text !== '')) return list as string[]
    throw this.fault('CORRUPT_FILE', name, 'texts', value)
  }

  /** The fields of a field; undefined where it is left out. */
  inside(name: string): Fields | undefined {
    const value = this.get(name)
    if (value === undefined) return undefined
    if (typeof value === 'object') {
      return new Fields(value as object, { file: this.#file, path: `${this.#path}${name}.` })
    }
    throw this.fault('CORRUPT_FILE', name, 'an object', value)
  }

  /** Whether the class that the checkpoint was saved from has one of these endings. */
  isSavedFrom(...endings: readonly string[]): boolean {
    const list = this.get('architectures')
    const name: unknown = Array.isArray(list) ? list[0] : undefined
    return typeof name === 'string' && endings.some((ending) => name.endsWith(ending))
  }

  unsupported(name: string, accepted: readonly unknown[], value: unknown): HeadwiseError {
    const words = accepted.map((word) => JSON.stringify(word)).join(' or ')
    return this.fault('UNSUPPORTED', name, words, value)
  }

  fault(code: ErrorCode, name: string, expected: string, value: unknown): HeadwiseError {
    const argument = `${this.#file}: ${this.#path}${name}`
    const received = value === undefined ? 'nothing' : describe(value)
    return new HeadwiseError({ code, argument, expected, received })
  }
}

/** Sizes of heads: their width where the file says it, else the share of each in that of the model. */
export function headSizes(fields: Fields, names: { model: string; heads: string; head?: string }) {
  const { model, heads, head = 'head_dim' } = names
  const dModel = fields.size(model)
  const numHeads = fields.size(heads)
  const headDim = fields.get(head) === undefined ? dModel / numHeads : fields.size(head)
  if (!Number.isInteger(headDim)) {
    throw fields.fault('CORRUPT_FILE', heads, `a divisor of ${dModel}`, numHeads)
  }
  return { dModel, dEmbedding: dModel, numHeads, headDim, attentionScale: headDim ** -0.5 }
}

/** Decoders are saved with their head but from a few classes. */
export function languageHead(fields: Fields): 'lm' | 'none' {
  const isUnsaid = fields.get('architectures') === undefined
  return isUnsaid || fields.isSavedFrom('CausalLM', 'LMHeadModel', 'HeadsModel') ? 'lm' : 'none'
}
