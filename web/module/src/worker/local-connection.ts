// Calls answered on this thread, by the same Host as in a Worker: where no Worker is wanted or none
// can be started.
import type { EngineOptions } from '../core/create-engine.js'
import { disposedError } from '../errors.js'
import type { RuntimeInfo, RuntimeOptions } from '../types/runtime.js'
import { pack } from './buffers.js'
import { withSignal, type CallSettings, type Connection, type OnOpen } from './connection.js'
import { clockOf } from './call-clock.js'
import { Host } from './host.js'
import type { Mirrors, OperationName, Operations } from './protocol.js'

export class LocalConnection implements Connection {
  readonly generation = 0
  onLengths: (lengths: Mirrors['lengths']) => void = () => undefined
  #host: Host
  #closed = false

  private constructor(
    warn: (message: string) => void,
    private readonly onTiming: RuntimeOptions['onTiming'],
  ) {
    this.#host = new Host(warn)
  }

  static async open(
    options: EngineOptions,
    warn: (message: string) => void,
    onTiming?: RuntimeOptions['onTiming'],
    onOpen?: OnOpen,
  ): Promise<LocalConnection> {
    const connection = new LocalConnection(warn, onTiming)
    const start = connection.#host.call('start', [options], {
      signal: new AbortController().signal,
      emit: () => undefined,
    })
    onOpen?.(connection)
    await start
    return connection
  }

  get info(): RuntimeInfo | undefined {
    return this.#host.info
  }

  call<Op extends OperationName>(
    op: Op,
    args: Parameters<Operations[Op]>,
    { signal, transfer = false, onEvent = () => undefined }: CallSettings = {},
  ): Promise<ReturnType<Operations[Op]>> {
    if (this.#closed) return Promise.reject(disposedError('runtime'))
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    // Copied at once, as for a Worker: the caller may change the arrays before the work begins.
    const clock = clockOf(op, this.onTiming)
    const packed = pack(args, transfer).value as unknown[]
    clock?.packed()
    const timer = clock && this.#host.timerOf(op)
    const context = { signal: signal ?? new AbortController().signal, emit: onEvent, timer }
    const work = this.#host.call(op, packed, context).finally(() => {
      this.onLengths(this.#host.mirrors().lengths)
    })
    const answer =
      clock === undefined
        ? work
        : work.then((value) => {
            if (signal?.aborted !== true) clock.stop(timer)
            return value
          })
    return withSignal(answer, signal) as Promise<ReturnType<Operations[Op]>>
  }

  get closed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
    this.#host.close()
  }
}
