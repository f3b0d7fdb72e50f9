// Calls answered on this thread, by the same Host as in a Worker: where no Worker is wanted or none
// can be started.
import type { RuntimeInfo, RuntimeOptions } from '../types/runtime.js'
import { pack } from './buffers.js'
import { withSignal, type CallSettings, type Connection } from './connection.js'
import { Host } from './host.js'
import type { Mirrors, OperationName, Operations } from './protocol.js'

export class LocalConnection implements Connection {
  readonly generation = 0
  onLengths: (lengths: Mirrors['lengths']) => void = () => undefined
  #host: Host

  private constructor(warn: (message: string) => void) {
    this.#host = new Host(warn)
  }

  static async open(
    options: RuntimeOptions,
    warn: (message: string) => void,
  ): Promise<LocalConnection> {
    const connection = new LocalConnection(warn)
    await connection.#host.call('start', [options], {
      signal: new AbortController().signal,
      emit: () => undefined,
    })
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
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    // Copied at once, as for a Worker: the caller may change the arrays before the work begins.
    const packed = pack(args, transfer).value as unknown[]
    const context = { signal: signal ?? new AbortController().signal, emit: onEvent }
    const answer = this.#host.call(op, packed, context).finally(() => {
      this.onLengths(this.#host.mirrors().lengths)
    })
    return withSignal(answer, signal) as Promise<ReturnType<Operations[Op]>>
  }

  close(): void {
    this.#host.close()
  }
}
