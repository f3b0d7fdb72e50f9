// Reads a safetensors file while it arrives: tensors come out one by one, in the order of the file,
// as soon as their last byte is there. Nothing that the header says is believed before it fits.
import { corruptFile, HeadwiseError } from '../errors.js'
import { describe } from '../validate/describe.js'
import { beginning, joined } from './bytes.js'
import { parseJson } from './json.js'

/** A tensor as stored. Its bytes are aligned for the type. */
export interface StoredTensor {
  name: string
  dtype: string
  dims: number[]
  bytes: Uint8Array<ArrayBuffer>
}

interface Entry {
  name: string
  dtype: string
  dims: number[]
  start: number
  end: number
}

/** Bytes of one number of each type that this reader tells apart. */
const bytesOf = new Map([
  ['F64', 8],
  ['I64', 8],
  ['F32', 4],
  ['I32', 4],
  ['F16', 2],
  ['BF16', 2],
  ['I16', 2],
  ['I8', 1],
  ['U8', 1],
  ['BOOL', 1],
])

const lengthBytes = 8
const longestHeader = 100_000_000
const mostDims = 8

/** What is shown of a name that the file made up. */
function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name
}

/** The entries of the header, in the order of the data. */
function parseHeader(file: string, bytes: Uint8Array, dataBytes: number | undefined): Entry[] {
  const header = parseJson(`${file}: header`, bytes)
  const entries = Object.entries(header)
    .filter(([name]) => name !== '__metadata__')
    .map(([name, entry]) => parseEntry(file, name, entry))
    .sort((a, b) => a.start - b.start || a.end - b.end)
  let expectedStart = 0
  for (const { name, start, end } of entries) {
    if (start !== expectedStart) {
      throw corruptFile(file, `${shown(name)} to start at byte ${expectedStart}`, String(start))
    }
    expectedStart = end
  }
  if (dataBytes !== undefined && dataBytes !== expectedStart) {
    throw corruptFile(file, `${expectedStart} bytes of tensors`, `${dataBytes} bytes`)
  }
  return entries
}

function parseEntry(file: string, name: string, entry: unknown): Entry {
  const { dtype, shape, data_offsets: offsets } = Object(entry) as Record<string, unknown>
  const refuse = (expected: string, received: unknown) =>
    corruptFile(file, `${shown(name)} with ${expected}`, describe(received))
  const width = typeof dtype === 'string' ? bytesOf.get(dtype) : undefined
  if (width === undefined) throw refuse('a known dtype', dtype)
  if (!isSizes(shape) || shape.length > mostDims) throw refuse('a shape of whole numbers', shape)
  if (!isSizes(offsets) || offsets.length !== 2) throw refuse('two data_offsets', offsets)
  const [start = 0, end = 0] = offsets
  const size = shape.reduce((product, dim) => product * dim, width)
  if (!Number.isSafeInteger(size) || size !== end - start) {
    throw refuse(`${size} bytes for [${shape.join(', ')}]`, end - start)
  }
  return { name, dtype: dtype as string, dims: shape, start, end }
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0)
}

/** Feed it the chunks of a file in order; it gives the tensors that each chunk completes. */
export class SafetensorsReader {
  /** What of the header has arrived, then null. */
  #head: Uint8Array[] | null = []
  #headBytes = 0
  #headEnd: number | undefined
  #entries: Entry[] = []
  #next = 0
  #bytes: Uint8Array<ArrayBuffer> | null = null
  #filled = 0

  constructor(
    private readonly file: string,
    /** Of the whole file, where that is known. */
    private readonly size?: number,
  ) {}

  *push(chunk: Uint8Array): Generator<StoredTensor> {
    let rest = this.#head === null ? chunk : this.#readHead(this.#head, chunk)
    for (;;) {
      const entry = this.#entries[this.#next]
      if (entry === undefined) {
        if (this.#head === null && rest.length > 0) {
          throw corruptFile(this.file, 'no bytes behind the last tensor', `${rest.length} bytes`)
        }
        return
      }
      this.#bytes ??= this.#room(entry)
      const taken = rest.subarray(0, this.#bytes.length - this.#filled)
      this.#bytes.set(taken, this.#filled)
      this.#filled += taken.length
      rest = rest.subarray(taken.length)
      if (this.#filled < this.#bytes.length) return
      const { name, dtype, dims } = entry
      const bytes = this.#bytes
      this.#bytes = null
      this.#filled = 0
      this.#next++
      yield { name, dtype, dims, bytes }
    }
  }

  /** To be called behind the last chunk. */
  end(): void {
    if (this.#head !== null) {
      const received = this.#headBytes === 0 ? 'an empty file' : `${this.#headBytes} bytes`
      throw corruptFile(this.file, 'a whole header', received)
    }
    const missing = this.#entries[this.#next]
    if (missing === undefined) return
    throw corruptFile(this.file, shown(missing.name), 'the end of the file before it')
  }

  #room({ name, start, end }: Entry): Uint8Array<ArrayBuffer> {
    try {
      return new Uint8Array(end - start)
    } catch (cause) {
      throw new HeadwiseError(
        {
          code: 'OUT_OF_MEMORY',
          argument: this.file,
          expected: `memory for ${shown(name)}`,
          received: `${end - start} bytes`,
        },
        { cause },
      )
    }
  }

  /** Collects the header; gives what of the chunk lies behind it. */
  #readHead(before: Uint8Array[], chunk: Uint8Array): Uint8Array {
    before.push(chunk)
    this.#headBytes += chunk.length
    const none = chunk.subarray(chunk.length)
    if (this.#headBytes < lengthBytes) return none
    this.#headEnd ??= this.#endOfHead(joined(before))
    const end = this.#headEnd
    if (this.#headBytes < end) return none
    const head = joined(before)
    const dataBytes = this.size === undefined ? undefined : this.size - end
    this.#entries = parseHeader(this.file, head.subarray(lengthBytes, end), dataBytes)
    this.#head = null
    return head.subarray(end)
  }
  #endOfHead(start: Uint8Array<ArrayBuffer>): number {
    const length = Number(new DataView(start.buffer).getBigUint64(0, true))
    const end = lengthBytes + length
    if (length <= longestHeader && (this.size === undefined || end <= this.size)) return end
    const received = `${beginning(start)}: a header of ${length} bytes`
    const whole = this.size === undefined ? '' : ` in a file of ${this.size}`
    throw corruptFile(this.file, 'a safetensors file', received + whole)
  }
}
