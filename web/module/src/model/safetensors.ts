// Reads a safetensors file while it arrives: tensors come out one by one, in the order of the file,
// as soon as their last byte is there.
import { HeadwiseError } from '../errors.js'

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
const bytesOf: Record<string, number> = {
  F64: 8,
  I64: 8,
  F32: 4,
  I32: 4,
  F16: 2,
  BF16: 2,
  I16: 2,
  I8: 1,
  U8: 1,
  BOOL: 1,
}

const lengthBytes = 8
const longestHeader = 100_000_000

function corrupt(file: string, expected: string, received: string): HeadwiseError {
  return new HeadwiseError({ code: 'CORRUPT_FILE', argument: file, expected, received })
}

/** The entries of the header, in the order of the data. */
function parseHeader(file: string, text: string): Entry[] {
  let header: Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>
  try {
    header = JSON.parse(text) as typeof header
  } catch (cause) {
    throw corrupt(file, 'a JSON header', String(cause))
  }
  const entries = Object.entries(header)
    .filter(([name]) => name !== '__metadata__')
    .map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [start, end],
        },
      ]) => {
        const entry = { name, dtype, dims: shape, start, end }
        checkEntry(file, entry)
        return entry
      },
    )
    .sort((a, b) => a.start - b.start)
  let expectedStart = 0
  for (const { name, start, end } of entries) {
    if (start !== expectedStart) {
      throw corrupt(file, `${name} to start at byte ${expectedStart}`, String(start))
    }
    expectedStart = end
  }
  return entries
}

function checkEntry(file: string, { name, dtype, dims, start, end }: Entry): void {
  const width = bytesOf[dtype]
  if (width === undefined) {
    throw corrupt(file, `${name} of a known type`, dtype)
  }
  const size = dims.reduce((product, dim) => product * dim, width)
  if (!Number.isSafeInteger(size) || size !== end - start) {
    throw corrupt(file, `${size} bytes for ${name} [${dims.join(', ')}]`, `${end - start}`)
  }
}

/** Feed it the chunks of a file in order; it gives the tensors that each chunk completes. */
export class SafetensorsReader {
  /** The header while it arrives, then null. */
  #head: Uint8Array | null = new Uint8Array(0)
  #entries: Entry[] = []
  #next = 0
  #bytes: Uint8Array<ArrayBuffer> | null = null
  #filled = 0

  constructor(private readonly file: string) {}

  *push(chunk: Uint8Array): Generator<StoredTensor> {
    let rest = this.#head === null ? chunk : this.#readHead(this.#head, chunk)
    for (;;) {
      const entry = this.#entries[this.#next]
      if (entry === undefined) {
        if (this.#head === null && rest.length > 0) {
          throw corrupt(this.file, 'no bytes behind the last tensor', `${rest.length} bytes`)
        }
        return
      }
      this.#bytes ??= new Uint8Array(entry.end - entry.start)
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
    const missing = this.#entries[this.#next]
    if (this.#head !== null || missing !== undefined) {
      throw corrupt(this.file, missing?.name ?? 'a whole header', 'the end of the file before it')
    }
  }

  /** Collects the header; gives what of the chunk lies behind it. */
  #readHead(before: Uint8Array, chunk: Uint8Array): Uint8Array {
    const head = new Uint8Array(before.length + chunk.length)
    head.set(before)
    head.set(chunk, before.length)
    this.#head = head
    if (head.length < lengthBytes) return head.subarray(head.length)
    const length = Number(new DataView(head.buffer).getBigUint64(0, true))
    if (length > longestHeader) {
      throw corrupt(this.file, 'a safetensors file', `a header of ${length} bytes`)
    }
    const end = lengthBytes + length
    if (head.length < end) return head.subarray(head.length)
    this.#entries = parseHeader(
      this.file,
      new TextDecoder().decode(head.subarray(lengthBytes, end)),
    )
    this.#head = null
    return head.subarray(end)
  }
}
