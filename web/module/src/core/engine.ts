// One instance of the WebAssembly module: its memory, its record, and tensors out of it.
import type { AttentionOperation, Bindings, ForwardOperation } from '../bindings.js'
import { disposedError, HeadwiseError, type ErrorCode } from '../errors.js'
import type { ThreadPool } from '../threads/pool.js'
import type { Build, RuntimeInfo, RuntimeOptions, TimedCall } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import { version } from '../version.js'
import { CallRecord, sizeOf, type StoredTensor } from './record.js'
import { CopyTimer, WorkTimer } from './work-timer.js'

/** All that holds on to the module, to be let go at once. */
interface Module {
  bindings: Bindings
  record: CallRecord
  /** Operations between two calls: to make one costs more than a small call. */
  idle: { attention: AttentionOperation[]; forward: ForwardOperation[] }
}

/** What an engine is told of `onTiming`: itself, or in a Worker that somebody listens elsewhere. */
export type EngineTiming = Pick<RuntimeOptions, 'onTiming'> & { timed?: boolean }

export class Engine {
  #module: Module | undefined
  readonly #threads: number
  /** There with `onTiming` only. */
  readonly copyTimer: CopyTimer | undefined

  constructor(
    bindings: Bindings,
    readonly build: Build,
    /** Where the runtime's warnings go. */
    readonly warn: (message: string) => void,
    private readonly timing: EngineTiming,
    private readonly pool?: ThreadPool,
  ) {
    if (timing.timed === true || timing.onTiming !== undefined) this.copyTimer = new CopyTimer()
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

  /** Throws `DISPOSED` after `dispose()`: before anything else is judged. */
  checkAlive(): void {
    if (!this.alive) throw disposedError('runtime')
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

  /** Does all the work of a call and, with `onTiming`, tells what it has cost. */
  timed<T>(call: TimedCall, work: () => T): T {
    const { onTiming } = this.timing
    if (onTiming === undefined || this.copyTimer === undefined) return work()
    const timer = new WorkTimer(this.copyTimer)
    const startTime = performance.now()
    const result = timer.measure(work)
    const { compute, copies } = timer
    onTiming({ call, startTime, duration: compute + copies, compute, copies, waiting: 0 })
    return result
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

  /** A copy of a tensor in WebAssembly memory, into `data` if that is given. */
  read(stored: StoredTensor, data?: Tensor['data']): Tensor {
    const { address, dims } = stored
    const start = address / Float32Array.BYTES_PER_ELEMENT
    const since = this.copyTimer && performance.now()
    const source = this.bindings.HEAPF32.subarray(start, start + sizeOf(stored))
    if (data === undefined) data = source.slice()
    else data.set(source)
    if (since !== undefined) this.copyTimer?.count(since)
    return { type: 'float32', data, dims }
  }

  /** Copies of the tensors that a call has written; undefined for one that was not asked for. */
  results(count: number): (Tensor | undefined)[] {
    return this.record.tensors(count).map((tensor) => tensor && this.read(tensor))
  }
}
