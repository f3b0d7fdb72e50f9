// One instance of the WebAssembly module: its memory, its record, and tensors out of it.
import type { AttentionOperation, Bindings, ForwardOperation } from '../bindings.js'
import { disposedError, HeadwiseError, type ErrorCode } from '../errors.js'
import type { ThreadPool } from '../threads/pool.js'
import type { Build, RuntimeInfo } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import { version } from '../version.js'
import { CallRecord, type StoredTensor } from './record.js'

/** All that holds on to the module, to be let go at once. */
interface Module {
  bindings: Bindings
  record: CallRecord
  /** Operations between two calls: to make one costs more than a small call. */
  idle: { attention: AttentionOperation[]; forward: ForwardOperation[] }
}

export class Engine {
  #module: Module | undefined
  readonly #threads: number

  constructor(
    bindings: Bindings,
    readonly build: Build,
    private readonly pool?: ThreadPool,
  ) {
    const idle = { attention: [], forward: [] }
    this.#module = { bindings, record: new CallRecord(bindings), idle }
    this.#threads = bindings.threadCount()
  }

  get #alive(): Module {
    if (this.#module === undefined) throw disposedError('runtime')
    return this.#module
  }

  get bindings(): Bindings {
    return this.#alive.bindings
  }

  get record(): CallRecord {
    return this.#alive.record
  }

  get idle(): Module['idle'] {
    return this.#alive.idle
  }

  get alive(): boolean {
    return this.#module !== undefined
  }

  /** Ends the threads and lets go of the module, and with it of all its memory. */
  dispose(): void {
    this.#module = undefined
    this.pool?.end()
  }

  info(): RuntimeInfo {
    const bindings = this.#module?.bindings
    const use = bindings?.memory()
    return {
      build: this.build,
      threads: this.#threads,
      version,
      memory: {
        used: use?.used ?? 0,
        peak: use?.peak ?? 0,
        reserved: bindings?.HEAPU8.byteLength ?? 0,
      },
    }
  }

  /** Allocations held now; zero once every handle is disposed. */
  blocks(): number {
    return this.#module?.bindings.memory().blocks ?? 0
  }

  /** Throws what the last call says of its failure, unless it succeeded. */
  check(succeeded: boolean): void {
    if (succeeded) return
    const failure = this.bindings.failure()
    throw new HeadwiseError({ ...failure, code: failure.code as ErrorCode })
  }

  /** A copy of a tensor in WebAssembly memory. */
  read({ address, dims }: StoredTensor): Tensor {
    const start = address / Float32Array.BYTES_PER_ELEMENT
    let size = 1
    for (const dim of dims) size *= dim
    const data = this.bindings.HEAPF32.slice(start, start + size)
    return { type: 'float32', data, dims }
  }

  /** Copies of the tensors that a call has written; undefined for one that was not asked for. */
  results(count: number): (Tensor | undefined)[] {
    return this.record.tensors(count).map((tensor) => tensor && this.read(tensor))
  }
}
