// Calls answered in a Worker: numbered messages, aborts, and what happens when the Worker is lost.
import { hasWebWorkers } from '../environment.js'
import { disposedError, HeadwiseError, invalidArgument } from '../errors.js'
import type { EngineOptions } from '../core/create-engine.js'
import { spawn, type WorkerLink } from '../spawn-worker.js'
import type { RuntimeInfo, RuntimeOptions } from '../types/runtime.js'
import { pack } from './buffers.js'
import { clockOf, type CallClock } from './call-clock.js'
import { withSignal, type CallSettings, type Connection, type OnOpen } from './connection.js'
import { TokenizingWatch } from './tokenizing-watch.js'
import {
  unpackError,
  type FromWorker,
  type HandleReference,
  type Mirrors,
  type OperationName,
  type Operations,
} from './protocol.js'

interface PendingCall {
  resolve(value: unknown): void
  reject(error: unknown): void
  onEvent: (name: string, detail: unknown) => void
  /** The caller has an answer already. */
  abandoned: boolean
  clock: CallClock | undefined
}

/** A Worker that never said it was ready. */
export class WorkerNotStarted extends Error {}

function workerLost(reason: string): HeadwiseError {
  return new HeadwiseError({
    code: 'WORKER_LOST',
    argument: 'worker',
    expected: 'the Worker that this call or handle belongs to, alive',
    received: `a Worker that is gone (${reason}); make handles and models anew`,
  })
}

export class WorkerConnection implements Connection {
  generation = 0
  info: RuntimeInfo | undefined
  onLengths: (lengths: Mirrors['lengths']) => void = () => undefined
  #link: WorkerLink | undefined
  #opening: Promise<void> | undefined
  #pending = new Map<number, PendingCall>()
  #nextId = 0
  #closed = false
  #lostBecause = ''
  #tokenizing = new TokenizingWatch(() => this.#lost('a pattern of tokenizer.json did not end'))

  private constructor(
    private readonly worker: string | URL | Worker | undefined,
    private readonly options: EngineOptions,
    private readonly warn: (message: string) => void,
    private readonly onTiming: RuntimeOptions['onTiming'],
  ) {}

  /** @throws WorkerNotStarted when there can be no Worker here */
  static async open(
    worker: string | URL | Worker | undefined,
    options: EngineOptions,
    warn: (message: string) => void,
    onTiming?: RuntimeOptions['onTiming'],
    onOpen?: OnOpen,
  ): Promise<WorkerConnection> {
    const connection = new WorkerConnection(worker, options, warn, onTiming)
    await connection.#open(onOpen)
    return connection
  }

  async call<Op extends OperationName>(
    op: Op,
    args: Parameters<Operations[Op]>,
    settings: CallSettings = {},
  ): Promise<ReturnType<Operations[Op]>> {
    const { signal, transfer = false, generation } = settings
    if (this.#closed) throw disposedError('runtime')
    if (signal?.aborted === true) throw signal.reason
    this.#checkGeneration(generation)
    // Copied before anything is waited for: the caller may change the arrays afterwards.
    const clock = clockOf(op, this.onTiming)
    const packed = pack(args, transfer)
    clock?.packed()
    const { inDoubt } = this.#tokenizing
    if (inDoubt !== undefined) await withSignal(inDoubt, signal)
    if (this.#link === undefined) await withSignal(this.#reopen(), signal)
    this.#checkGeneration(generation)
    const answer = this.#send(op, packed.value as unknown[], packed.buffers, settings, clock)
    return (await answer) as ReturnType<Operations[Op]>
  }

  get closed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
    this.#drop(disposedError('runtime'))
  }

  #checkGeneration(generation: number | undefined): void {
    if (generation !== undefined && (generation !== this.generation || this.#link === undefined)) {
      throw workerLost(this.#lostBecause)
    }
  }

  #send(
    op: OperationName,
    args: unknown[],
    buffers: (ArrayBuffer | MessagePort)[],
    { signal, onEvent = () => undefined }: CallSettings,
    clock?: CallClock,
  ): Promise<unknown> {
    const link = this.#link
    if (link === undefined) return Promise.reject(workerLost(this.#lostBecause))
    const id = this.#nextId++
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onEvent, abandoned: false, clock })
    })
    try {
      link.post({ type: 'call', id, op, args }, buffers)
    } catch (error) {
      // Nothing that can be sent to a Worker: a symbol, say.
      this.#pending.delete(id)
      return Promise.reject(invalidArgument(op, 'values that can be sent', String(error)))
    }
    link.hold(true)
    if (signal) {
      const abort = () => this.#abort(id)
      signal.addEventListener('abort', abort, { once: true })
      // One signal may be that of many calls: each leaves it as it was.
      const forget = () => signal.removeEventListener('abort', abort)
      answer.then(forget, forget)
    }
    return withSignal(answer, signal)
  }

  /** The caller has its answer, the signal's reason; the Worker is told to stop. */
  #abort(id: number): void {
    const call = this.#pending.get(id)
    if (call === undefined) return
    call.abandoned = true
    this.#link?.post({ type: 'abort', id }, [])
    this.#tokenizing.doubt()
  }

  /** Starts the Worker, and the runtime in it. */
  #open(onOpen?: OnOpen): Promise<void> {
    const started = new Promise<void>((ready, failed) => {
      try {
        this.#link = spawn(this.worker, {
          message: (message) => (message.type === 'ready' ? ready() : this.#hear(message)),
          lost: (reason) => {
            failed(new WorkerNotStarted(reason))
            this.#lost(reason)
          },
        })
      } catch (error) {
        failed(new WorkerNotStarted(String(error), { cause: error }))
      }
    })
    return started.then(async () => {
      const { value, buffers } = pack([this.options], false)
      const start = this.#send('start', value as unknown[], buffers, {})
      onOpen?.(this)
      await start
    })
  }

  /** A new Worker in the place of a lost one. */
  #reopen(): Promise<void> {
    if (hasWebWorkers() && this.worker instanceof Worker) {
      return Promise.reject(workerLost(this.#lostBecause))
    }
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  #hear(message: FromWorker): void {
    if (message.type === 'warning') this.warn(message.message)
    if (message.type === 'tokenizing') {
      this.#tokenizing.set(message.isRunning)
      if ([...this.#pending.values()].some(({ abandoned }) => abandoned)) this.#tokenizing.doubt()
    }
    if (!('id' in message)) return
    const call = this.#pending.get(message.id)
    if (message.type === 'event') {
      this.#tell(message, call)
      return
    }
    this.info = message.mirrors.info ?? this.info
    this.onLengths(message.mirrors.lengths)
    this.#pending.delete(message.id)
    if (this.#pending.size === 0) this.#link?.hold(false)
    if (message.type === 'error') call?.reject(unpackError(message.error))
    else if (call?.abandoned === true) this.#discard(message.value)
    else if (call !== undefined) this.#finish(call, message)
  }

  /** What the caller's own `onTiming` throws is the end of the call, as with any of its functions. */
  #finish(call: PendingCall, { value, work }: Extract<FromWorker, { type: 'value' }>): void {
    try {
      call.clock?.stop(work)
      call.resolve(value)
    } catch (error) {
      call.reject(error)
    }
  }

  /** What the caller's own function throws ends the call that it listens to. */
  #tell({ id, name, detail }: Extract<FromWorker, { type: 'event' }>, call?: PendingCall): void {
    if (call === undefined || call.abandoned) return
    try {
      call.onEvent(name, detail)
    } catch (error) {
      this.#abort(id)
      call.reject(error)
    }
  }

  /** An object that was made before the Worker heard that nobody wants it any more. */
  #discard(value: unknown): void {
    const { handle } = (value ?? {}) as Partial<HandleReference>
    if (handle !== undefined) this.#send('dispose', [{ handle }], [], {}).catch(() => undefined)
  }

  #lost(reason: string): void {
    if (this.#link === undefined) return
    this.#lostBecause = reason
    this.generation++
    this.#drop(workerLost(reason))
  }

  #drop(error: HeadwiseError): void {
    this.#link?.terminate()
    this.#link = undefined
    this.#tokenizing.set(false)
    const calls = [...this.#pending.values()]
    this.#pending.clear()
    for (const call of calls) call.reject(error)
  }
}
