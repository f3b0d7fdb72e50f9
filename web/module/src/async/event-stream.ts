// The events of one call as an async generator: whoever leaves the loop ends the call.

export class EventStream<T> {
  readonly #abort = new AbortController()
  readonly #waiting: T[] = []
  #wake: () => void = () => undefined
  #ended = false

  constructor(private readonly given: AbortSignal | undefined) {}

  /** The caller's signal means the call; whoever has one for many calls gets it back as it was. */
  readonly #follow = () => this.#abort.abort(this.given?.reason)

  /** The call's own: it means the caller's too. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  push(event: T): void {
    this.#waiting.push(event)
    this.#wake()
  }

  /** Starts the call when the first event is asked for. */
  async *read(start: () => Promise<unknown>): AsyncGenerator<T, void, undefined> {
    if (this.given?.aborted === true) this.#follow()
    this.given?.addEventListener('abort', this.#follow)
    const end = start().finally(() => {
      this.#ended = true
      this.#wake()
    })
    end.catch(() => undefined)
    try {
      for (;;) {
        while (this.#waiting.length > 0 && !this.signal.aborted) yield this.#waiting.shift() as T
        if (this.#ended) break
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
      await end
      // Everything had been computed when the abort came; the reader has not had all of it.
      if (this.#waiting.length > 0) throw this.signal.reason
    } finally {
      this.given?.removeEventListener('abort', this.#follow)
      this.#abort.abort()
    }
  }
}
