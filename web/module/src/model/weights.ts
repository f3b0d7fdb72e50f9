// From the tensors of safetensors files, as they arrive, to the parameters of a transformer: our
// names, int8 matrices joined with their scales and outliers, other float types widened.
import { HeadwiseError } from '../errors.js'
import type { Place } from './architectures/names.js'
import type { StoredTensor } from './safetensors.js'

/** Single weights beside an int8 matrix, added to it: a row and a column for each value. */
export interface Outliers {
  positions: Int32Array
  values: Float32Array
}

/** Where parameters go. */
export interface ParameterSink {
  setFloats(name: string, values: Float32Array, dims: number[]): void
  setInt8(
    name: string,
    values: Int8Array,
    scales: Float32Array,
    dims: number[],
    outliers?: Outliers,
  ): void
  /** Some rows of an embedding table. */
  setRows(name: string, rowIds: Int32Array, values: Float32Array, dims: number[]): void
  setRowsInt8(
    name: string,
    rowIds: Int32Array,
    values: Int8Array,
    scales: Float32Array,
    dims: number[],
  ): void
  /** What a parameter was set to. */
  parameter(name: string): { data: Float32Array }
}

/** What belongs to an int8 matrix and follows it; the scales come last. */
const companionName = /^(.*)_(outlier_positions|outliers|scale)$/
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
      throw unsupported(name, 'F32, F16, BF16, or I8 with scales', dtype)
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

type Companions = Partial<Record<'outlier_positions' | 'outliers', StoredTensor>>

function unsupported(argument: string, expected: string, received: string): HeadwiseError {
  return new HeadwiseError({ code: 'UNSUPPORTED', argument, expected, received })
}

function corrupt(argument: string, expected: string, received: string): HeadwiseError {
  return new HeadwiseError({ code: 'CORRUPT_FILE', argument, expected, received })
}

/** The numbers of a tensor that is to have these dims. */
function numbersOf(tensor: StoredTensor, dtype: 'F32' | 'I32', dims: readonly number[]) {
  const [expected, received] = [dims, tensor.dims].map((list) => `[${list.join(', ')}]`)
  if (tensor.dtype !== dtype || expected !== received) {
    throw corrupt(tensor.name, `${dtype} ${expected}`, `${tensor.dtype} ${received}`)
  }
  return tensor.bytes.buffer
}

function outliersOf({ outliers, outlier_positions: positions }: Companions): Outliers | undefined {
  if (outliers === undefined && positions === undefined) return undefined
  if (outliers === undefined || positions === undefined) {
    const name = (outliers ?? positions)?.name ?? ''
    throw corrupt(name, 'outliers and their positions', 'one without the other')
  }
  const [count = 0] = outliers.dims
  return {
    positions: new Int32Array(numbersOf(positions, 'I32', [count, 2])),
    values: new Float32Array(numbersOf(outliers, 'F32', [count])),
  }
}

/** Takes the tensors of one file, or of several that belong together. */
export class WeightLoader {
  /** The parameters that have been set. */
  readonly #known = new Set<string>()
  /** An int8 matrix that waits for its scales. */
  #matrix: { name: string; tensor: StoredTensor; companions: Companions } | undefined
  /** The row ids that hold for the table that follows them. */
  #rowIds: { table: string; ids: Int32Array } | undefined

  constructor(
    private readonly sink: ParameterSink,
    private readonly placeOf: (name: string) => Place | undefined,
  ) {}

  add(tensor: StoredTensor): void {
    const { name, dims, dtype } = tensor
    if (name.endsWith(rowIdsSuffix)) {
      const table = this.placeOf(name.slice(0, -rowIdsSuffix.length) + 'weight')?.parameter
      const [count = 0] = dims
      const ids = () => new Int32Array(numbersOf(tensor, 'I32', [count]))
      if (table !== undefined) this.#rowIds = { table, ids: ids() }
      return
    }
    if (this.#addCompanion(tensor)) return
    const place = this.placeOf(name)
    if (place === undefined) return
    const { parameter, layout } = place
    if (dtype !== 'I8') this.#setFloats(place, floats(tensor), dims)
    else if (layout === undefined) this.#matrix = { name: parameter, tensor, companions: {} }
    else throw unsupported(name, 'F32, F16 or BF16 for what is stored in another layout', dtype)
  }

  #setFloats({ parameter, layout }: Place, values: Float32Array, dims: number[]): void {
    const rowIds = this.#rowIdsOf(parameter)
    const part = { parameter, values, dims, ...(rowIds && { rowIds }) }
    for (const { parameter: name, ...made } of layout?.(part) ?? [part]) {
      if (made.rowIds !== undefined) {
        this.sink.setRows(name, made.rowIds, made.values, made.dims)
      } else if (this.#known.has(name)) this.#expectSame(name, made.values)
      else {
        this.sink.setFloats(name, made.values, made.dims)
        this.#known.add(name)
      }
    }
  }

  /** Checkpoints store a shared table under several names: each has to say the same. */
  #expectSame(parameter: string, values: Float32Array): void {
    const { data } = this.sink.parameter(parameter)
    const isSame = data.length === values.length && data.every((x, i) => Object.is(x, values[i]))
    if (!isSame) throw corrupt(parameter, 'one value', 'two tensors that differ')
  }

  /** Whether the tensor belongs to an int8 matrix; its scales complete it. */
  #addCompanion(tensor: StoredTensor): boolean {
    const [, matrix, kind] = companionName.exec(tensor.name) ?? []
    if (matrix === undefined || this.placeOf(matrix) === undefined) return false
    if (this.#matrix?.tensor.name !== matrix) {
      throw corrupt(tensor.name, `to follow the int8 matrix ${matrix}`, 'another place')
    }
    if (kind === 'scale') this.#setInt8(tensor)
    else this.#matrix.companions[kind as keyof Companions] = tensor
    return true
  }

  #setInt8(scale: StoredTensor): void {
    if (this.#matrix === undefined) return
    const { name, tensor, companions } = this.#matrix
    this.#matrix = undefined
    if (this.#known.has(name)) throw corrupt(name, 'one matrix', 'a second one')
    this.#known.add(name)
    const { bytes, dims } = tensor
    const values = new Int8Array(bytes.buffer)
    const scales = new Float32Array(numbersOf(scale, 'F32', dims.slice(0, 1)))
    const rowIds = this.#rowIdsOf(name)
    if (rowIds === undefined) this.sink.setInt8(name, values, scales, dims, outliersOf(companions))
    else this.sink.setRowsInt8(name, rowIds, values, scales, dims)
  }

  #rowIdsOf(name: string): Int32Array | undefined {
    return this.#rowIds?.table === name ? this.#rowIds.ids : undefined
  }
}
