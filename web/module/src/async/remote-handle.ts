// The calling side of an object that lives in the Worker.
import { disposedError } from '../errors.js'
import type { Disposable } from '../types/runtime.js'
import type { CallSettings, Connection } from '../worker/connection.js'
import type { HandleReference, OperationName, Operations } from '../worker/protocol.js'

export abstract class RemoteHandle implements Disposable {
  readonly #generation: number
  #disposed = false

  constructor(
    readonly connection: Connection,
    private readonly kind: string,
    readonly handle: number,
  ) {
    this.#generation = connection.generation
  }

  get disposed(): boolean {
    return this.#disposed
  }

  get generation(): number {
    return this.#generation
  }

  /** What stands for this object in a message. */
  reference(): HandleReference {
    if (this.connection.closed) throw disposedError('runtime')
    if (this.#disposed) throw disposedError(this.kind)
    return { handle: this.handle }
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    const settings = { generation: this.#generation }
    // A lost Worker has taken the object with it.
    this.connection.call('dispose', [{ handle: this.handle }], settings).catch(() => undefined)
  }

  [Symbol.dispose](): void {
    this.dispose()
  }

  protected async ask<Op extends OperationName>(
    op: Op,
    args: Parameters<Operations[Op]>,
    settings: CallSettings = {},
  ): Promise<ReturnType<Operations[Op]>> {
    return this.connection.call(op, args, { ...settings, generation: this.#generation })
  }
}
