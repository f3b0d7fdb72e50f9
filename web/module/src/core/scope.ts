// Memory and C++ objects of one call, freed together whatever happens.
import type { BoundObject, ReusedObject } from '../bindings.js'
import { HeadwiseError } from '../errors.js'
import type { BooleanTensorLike, TensorLike } from '../types/tensor.js'
import { checkBooleanTensor, checkTensor } from '../validate/tensor.js'
import type { Engine } from './engine.js'
import { noTensor, type StoredTensor } from './record.js'

type Heap = Float32Array | Int32Array | Uint8Array

export class Scope {
  readonly #blocks: number[] = []
  readonly #objects: BoundObject[] = []
  readonly #borrowed: (() => void)[] = []

  constructor(readonly engine: Engine) {}

  /** Takes `bytes` of WebAssembly memory until the scope ends. */
  allocate(bytes: number, purpose: string): number {
    const address = this.engine.bindings.allocate(bytes)
    if (address === 0) {
      throw new HeadwiseError({
        code: 'OUT_OF_MEMORY',
        argument: purpose,
        expected: 'memory the module may take',
        received: `${bytes} bytes`,
      })
    }
    this.#blocks.push(address)
    return address
  }

  /**
   * A float tensor copied in; none stays none. It is read once and judged once more: with getters it
   * may have shown the check of the arguments something else, and C++ trusts the dims.
   */
  floats(tensor: TensorLike | undefined, purpose: string): StoredTensor {
    if (tensor === undefined) return noTensor
    const { data, dims } = tensor
    checkTensor({ data, dims }, purpose)
    return { address: this.floatArray(data, purpose), dims }
  }

  /** A boolean tensor copied in, likewise; none stays none. */
  booleans(tensor: BooleanTensorLike | undefined, purpose: string): StoredTensor {
    if (tensor === undefined) return noTensor
    const { data, dims } = tensor
    checkBooleanTensor({ data, dims }, purpose)
    const address = this.allocate(data.length, purpose)
    this.#copy(this.engine.bindings.HEAPU8, data, address)
    return { address, dims }
  }

  /** A list of factors copied in, as a tensor of rank 1; none stays none. */
  floatList(list: Float32Array | readonly number[] | undefined, purpose: string): StoredTensor {
    if (list === undefined) return noTensor
    return { address: this.floatArray(list, purpose), dims: [list.length] }
  }

  /** A list of integers copied in, as a tensor of rank 1; none stays none. */
  integerList(list: Int32Array | readonly number[] | undefined, purpose: string): StoredTensor {
    if (list === undefined) return noTensor
    const address = this.allocate(list.length * Int32Array.BYTES_PER_ELEMENT, purpose)
    this.#copy(this.engine.bindings.HEAP32, list, address)
    return { address, dims: [list.length] }
  }

  /** Bytes of any kind copied in; the address. */
  bytes(data: ArrayBufferView, purpose: string): number {
    const address = this.allocate(data.byteLength, purpose)
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    this.#copy(this.engine.bindings.HEAPU8, bytes, address)
    return address
  }

  /** Deletes the object when the scope ends, unless it is kept. */
  own<T extends BoundObject>(object: T): T {
    this.#objects.push(object)
    return object
  }

  /** An object of those that are idle, or a new one; idle again when the scope ends. */
  borrow<T extends ReusedObject>(idle: T[], make: new () => T): T {
    const object = idle.pop() ?? new make()
    this.#borrowed.push(() => {
      object.release()
      idle.push(object)
    })
    return object
  }

  /** Frees everything. Objects go first: they may point into the blocks. */
  end(): void {
    if (!this.engine.alive) return // all its memory has gone already
    for (const giveBack of this.#borrowed.splice(0)) giveBack()
    for (const object of this.#objects.splice(0)) object.delete()
    for (const address of this.#blocks.splice(0)) this.engine.bindings.release(address)
  }

  #copy(heap: Heap, numbers: ArrayLike<number>, address: number): void {
    const { copyTimer } = this.engine
    const since = copyTimer && performance.now()
    heap.set(numbers, address / heap.BYTES_PER_ELEMENT)
    if (since !== undefined) copyTimer?.count(since)
  }

  private floatArray(data: Float32Array | readonly number[], purpose: string): number {
    const address = this.allocate(data.length * Float32Array.BYTES_PER_ELEMENT, purpose)
    this.#copy(this.engine.bindings.HEAPF32, data, address)
    return address
  }
}
