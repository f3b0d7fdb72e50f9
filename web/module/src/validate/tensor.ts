// A tensor by itself: the right array, whole dims, as many numbers as the dims say. Ranks and how
// tensors fit each other are judged in C++.
import { invalidArgument } from '../errors.js'
import type { BooleanTensorLike, TensorLike } from '../types/tensor.js'
import { describe } from './describe.js'

/** The most axes that cross to C++, which then says how many an argument may have. */
const maximumRank = 8

/** The product of the dims, exact however large: a text says what a number beyond 2^53 cannot. */
function sizeOf(dims: readonly number[]): number | string {
  let size = 1
  for (const dim of dims) size *= dim
  if (Number.isSafeInteger(size)) return size
  return String(dims.reduce((product, dim) => product * BigInt(dim), 1n))
}

function checkDims(dims: unknown, argument: string): asserts dims is readonly number[] {
  if (!Array.isArray(dims)) {
    throw invalidArgument(argument, 'dims, an array of whole numbers', `dims ${describe(dims)}`)
  }
  for (const dim of dims as unknown[]) {
    if (!Number.isSafeInteger(dim) || (dim as number) < 0) {
      throw invalidArgument(argument, 'dims of whole numbers, 0 or more', `dims ${describe(dims)}`)
    }
  }
  if (dims.length === 0 || dims.length > maximumRank) {
    throw invalidArgument(
      argument,
      `dims of 1 to ${maximumRank} axes`,
      `rank ${dims.length}, dims ${describe(dims)}`,
    )
  }
}

type ArrayName = 'Float32Array' | 'Uint8Array'

function tagOf(data: ArrayBufferView): ArrayName {
  return (data as Float32Array)[Symbol.toStringTag] as string as ArrayName
}

/** By its tag rather than `instanceof`, which fails for arrays of another frame. */
function isTypedArray(data: unknown, names: readonly ArrayName[]): data is Float32Array {
  return ArrayBuffer.isView(data) && names.includes(tagOf(data))
}

function checkTensorOf(value: unknown, argument: string, types: readonly ArrayName[]): void {
  const names = types.join(' or ')
  if (typeof value !== 'object' || value === null) {
    throw invalidArgument(argument, `a tensor { data: ${names}, dims }`, describe(value))
  }
  const { data, dims } = value as { data?: unknown; dims?: unknown }
  if (!isTypedArray(data, types)) {
    throw invalidArgument(argument, `data in a ${names}`, `data ${describe(data)}`)
  }
  checkDims(dims, argument)
  const length = data.length
  const size = sizeOf(dims)
  if (length !== size) {
    const expected = `${size} numbers for dims ${describe(dims)}`
    throw invalidArgument(argument, expected, `${length} numbers`)
  }
}

/** `{ data: Float32Array, dims }`, whole and of one size. */
export function checkTensor(value: unknown, argument: string): asserts value is TensorLike {
  checkTensorOf(value, argument, ['Float32Array'])
}

/** `{ data: Uint8Array, dims }`: a boolean tensor. */
export function checkBooleanTensor(
  value: unknown,
  argument: string,
): asserts value is BooleanTensorLike {
  checkTensorOf(value, argument, ['Uint8Array'])
}

/** A mask: boolean or float. */
export function checkMask(
  value: unknown,
  argument: string,
): asserts value is TensorLike | BooleanTensorLike {
  checkTensorOf(value, argument, ['Float32Array', 'Uint8Array'])
}
