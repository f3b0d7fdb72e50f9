// The record through which calls cross to C++ and back (cpp/bindings/record.hpp): numbers, one after
// another, at an address that both sides know.
import type { Bindings } from '../bindings.js'

/** A tensor in WebAssembly memory; one without dims is not given. */
export interface StoredTensor {
  address: number
  dims: readonly number[]
}

/** How many values it has. */
export function sizeOf({ dims }: StoredTensor): number {
  return dims.reduce((size, dim) => size * dim, 1)
}

/** The value that stands for "no tensor". */
export const noTensor: StoredTensor = { address: 0, dims: [] }

/** As many numbers as C++ has room for. */
const size = 256

export class CallRecord {
  readonly #start: number
  // Numbers are gathered here first: taking memory for tensors may replace the views of memory.
  readonly #numbers = new Float64Array(size)
  #length = 0

  constructor(private readonly bindings: Bindings) {
    this.#start = bindings.recordAddress() / Float64Array.BYTES_PER_ELEMENT
  }

  /** Begins a call's arguments. */
  begin(): this {
    this.#length = 0
    return this
  }

  number(value: number): this {
    this.#numbers[this.#length++] = value
    return this
  }

  flag(value: boolean | undefined): this {
    return this.number(value === true ? 1 : 0)
  }

  optional(value: number | undefined): this {
    return this.flag(value !== undefined).number(value ?? 0)
  }

  tensor({ address, dims }: StoredTensor): this {
    this.number(address).number(dims.length)
    for (const dim of dims) this.number(dim)
    return this
  }

  /** Puts the arguments where the call, which must come next, reads them. */
  send(): void {
    const { HEAPF64 } = this.bindings
    for (let i = 0; i < this.#length; i++) HEAPF64[this.#start + i] = this.#numbers[i] ?? 0
  }

  /** The tensors that a call has written, as many as it does; undefined for one that is not there. */
  tensors(count: number): (StoredTensor | undefined)[] {
    const { HEAPF64 } = this.bindings
    const tensors: (StoredTensor | undefined)[] = []
    let next = this.#start
    while (tensors.length < count) {
      const address = HEAPF64[next] ?? 0
      const rank = HEAPF64[next + 1] ?? 0
      next += 2
      const dims = Array.from(HEAPF64.subarray(next, next + rank))
      tensors.push(rank === 0 ? undefined : { address, dims })
      next += rank
    }
    return tensors
  }
}
