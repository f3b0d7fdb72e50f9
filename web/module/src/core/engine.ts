// One instance of the WebAssembly module: its memory, and tensors in and out of it.
import type { Bindings, Dims, Status, TensorValue } from '../bindings.js'
import { disposedError, HeadwiseError, type ErrorCode } from '../errors.js'
import type { ThreadPool } from '../threads/pool.js'
import type { Build, RuntimeInfo } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import { version } from '../version.js'

/** The value that stands for "no tensor". */
export const noTensor: TensorValue = { address: 0, rank: 0, dims: [0, 0, 0, 0, 0, 0, 0, 0] }

export class Engine {
  #bindings: Bindings | undefined
  readonly #threads: number

  constructor(
    bindings: Bindings,
    readonly build: Build,
    private readonly pool?: ThreadPool,
  ) {
    this.#bindings = bindings
    this.#threads = bindings.threadCount()
  }

  get bindings(): Bindings {
    if (this.#bindings === undefined) throw disposedError('runtime')
    return this.#bindings
  }

  get alive(): boolean {
    return this.#bindings !== undefined
  }

  /** Ends the threads and lets go of the module, and with it of all its memory. */
  dispose(): void {
    this.#bindings = undefined
    this.pool?.end()
  }

  info(): RuntimeInfo {
    const use = this.#bindings?.memory()
    return {
      build: this.build,
      threads: this.#threads,
      version,
      memory: {
        used: use?.used ?? 0,
        peak: use?.peak ?? 0,
        reserved: this.#bindings?.HEAPU8.byteLength ?? 0,
      },
    }
  }

  /** Allocations held now; zero once every handle is disposed. */
  blocks(): number {
    return this.#bindings?.memory().blocks ?? 0
  }

  /** A copy of a tensor in WebAssembly memory. */
  read(value: TensorValue): Tensor {
    const dims = value.dims.slice(0, value.rank)
    const start = value.address / Float32Array.BYTES_PER_ELEMENT
    const size = dims.reduce((product, dim) => product * dim, 1)
    return { type: 'float32', data: this.bindings.HEAPF32.slice(start, start + size), dims }
  }

  /** The same, for a result that was not asked for. */
  readOptional(value: TensorValue): Tensor | undefined {
    return value.rank === 0 ? undefined : this.read(value)
  }
}

/** Throws what a status says, unless it is success. */
export function check(status: Status): void {
  if (status.code !== '') {
    throw new HeadwiseError({ ...status, code: status.code as ErrorCode })
  }
}

export function tensorValue(address: number, dims: readonly number[]): TensorValue {
  const padded = Array.from({ length: 8 }, (_, axis) => dims[axis] ?? 0) as Dims
  return { address, rank: dims.length, dims: padded }
}
