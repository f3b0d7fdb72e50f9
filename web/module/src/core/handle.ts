// What holds WebAssembly memory until it is disposed, and knows when it has been.
import type { BoundObject } from '../bindings.js'
import { disposedError } from '../errors.js'
import type { Disposable } from '../types/runtime.js'
import type { Engine } from './engine.js'

export abstract class Handle<Bound extends BoundObject> implements Disposable {
  #bound: Bound | undefined

  constructor(
    readonly engine: Engine,
    private readonly kind: string,
    bound: Bound,
  ) {
    this.#bound = bound
  }

  /** The C++ object; a `DISPOSED` error after `dispose()`, or after the runtime's. */
  get bound(): Bound {
    this.checkAlive()
    return this.#bound as Bound
  }

  /** Throws as `bound` does: what is disposed is said before anything else is judged. */
  checkAlive(): void {
    if (!this.engine.alive) throw disposedError('runtime')
    if (this.#bound === undefined) throw disposedError(this.kind)
  }

  get disposed(): boolean {
    return this.#bound === undefined
  }

  dispose(): void {
    // With the runtime gone its memory is gone too, and nothing is left to delete.
    if (this.engine.alive) this.#bound?.delete()
    this.#bound = undefined
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}
