// Calls across the protocol, from the calling side: what both kinds of connection share.
import type { RuntimeInfo } from '../types/runtime.js'
import type { Mirrors, OperationName, Operations } from './protocol.js'

export interface CallSettings {
  signal?: AbortSignal | undefined
  transfer?: boolean | undefined
  onEvent?: (name: string, detail: unknown) => void
  /** The connection's `generation` when the handle that is used was made. */
  generation?: number
}

/** Where calls go: a Worker, or this thread. */
export interface Connection {
  readonly info: RuntimeInfo | undefined
  /** Grows each time a lost Worker is replaced; handles of an earlier one are lost. */
  readonly generation: number
  /** Whether `close` was called. */
  readonly closed: boolean
  call<Op extends OperationName>(
    op: Op,
    args: Parameters<Operations[Op]>,
    settings?: CallSettings,
  ): Promise<ReturnType<Operations[Op]>>
  /** Told of the lengths of caches with every reply. */
  onLengths: (lengths: Mirrors['lengths']) => void
  close(): void
}

/** Told of a connection as soon as calls can be made: while the runtime behind it still starts. */
export type OnOpen = (connection: Connection) => void

/** Rejects with the signal's reason as soon as it is aborted, else as `promise` does. */
export function withSignal<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
