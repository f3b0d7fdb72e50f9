// From the tensors of safetensors files, as they arrive, to the parameters of a transformer: our
// names, int8 matrices joined with their scales, other float types widened.
import { HeadwiseError } from '../errors.js'
import type { StoredTensor } from './safetensors.js'

/** Where parameters go. */
export interface ParameterSink {
  setFloats(name: string, values: Float32Array, dims: number[]): void
  setInt8(name: string, values: Int8Array, scales: Float32Array, dims: number[]): void
  /** Some rows of an embedding table. */
  setRows(name: string, rowIds: Int32Array, values: Float32Array, dims: number[]): void
  setRowsInt8(
    name: string,
    rowIds: Int32Array,
    values: Int8Array,
    scales: Float32Array,
    dims: number[],
  ): void
}

const scaleSuffix = '_scale'
const rowIdsSuffix = 'row_ids'

function floats({ name, dtype, bytes }: StoredTensor): Float32Array {
  switch (dtype) {
    case 'F32':
      return new Float32Array(bytes.buffer)
    case 'BF16':
      return widenBfloat16(new Uint16Array(bytes.buffer))
    case 'F16':
      return Float32Array.from(new Uint16Array(bytes.buffer), widenFloat16)
    default:
      throw new HeadwiseError({
        code: 'UNSUPPORTED',
        argument: name,
        expected: 'F32, F16, BF16, or I8 with scales',
        received: dtype,
      })
  }
}

/** A bfloat16 is the upper half of a float32. */
function widenBfloat16(halves: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(halves, (bits) => bits << 16).buffer)
}

function widenFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  if (exponent === 0) return sign * fraction * 2 ** -24
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** Takes the tensors of one file. */
export class WeightLoader {
  /** An int8 matrix that waits for its scales, which follow it. */
  #matrix: { name: string; tensor: StoredTensor } | undefined
  /** The row ids that hold for the table that follows them. */
  #rowIds: { table: string; ids: Int32Array } | undefined

  constructor(
    private readonly sink: ParameterSink,
    private readonly parameter: (name: string) => string | undefined,
  ) {}

  add(tensor: StoredTensor): void {
    const { name, dims, dtype } = tensor
    if (name.endsWith(rowIdsSuffix)) {
      const table = this.parameter(name.slice(0, -rowIdsSuffix.length) + 'weight')
      if (table !== undefined) this.#rowIds = { table, ids: new Int32Array(tensor.bytes.buffer) }
      return
    }
    if (this.#matrix !== undefined && name === this.#matrix.tensor.name + scaleSuffix) {
      const { name: own, tensor: matrix } = this.#matrix
      this.#matrix = undefined
      this.#setInt8(own, matrix, floats(tensor))
      return
    }
    const own = this.parameter(name)
    if (own === undefined) return
    if (dtype === 'I8') {
      this.#matrix = { name: own, tensor }
      return
    }
    const rowIds = this.#rowIdsOf(own)
    if (rowIds === undefined) this.sink.setFloats(own, floats(tensor), dims)
    else this.sink.setRows(own, rowIds, floats(tensor), dims)
  }

  #setInt8(name: string, { bytes, dims }: StoredTensor, scales: Float32Array): void {
    const values = new Int8Array(bytes.buffer)
    const rowIds = this.#rowIdsOf(name)
    if (rowIds === undefined) this.sink.setInt8(name, values, scales, dims)
    else this.sink.setRowsInt8(name, rowIds, values, scales, dims)
  }

  #rowIdsOf(name: string): Int32Array | undefined {
    return this.#rowIds?.table === name ? this.#rowIds.ids : undefined
  }
}
