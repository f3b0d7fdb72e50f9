// Something that takes the kernels a while, computed for what is on screen: a newer question cancels
// the older one, and a lost Worker is brought back by the reading, which asks again.
import { recover } from './reading.svelte'
import { isLost, messageOf } from './session.svelte'

export class Computed<T> {
  #known = $state.raw<{ key: string; value: T } | null>(null)
  #failure = $state.raw<{ key: string; message: string } | null>(null)
  #running: { key: string; abort: AbortController } | null = null

  /** The answer to a question; null while it is computed. */
  of(key: string): T | null {
    return this.#known?.key === key ? this.#known.value : null
  }

  /** The last answer, whatever it was to: to stay on screen until the next one is there. */
  get latest(): T | null {
    return this.#known?.value ?? null
  }

  /** Why a question has no answer; null when nothing is wrong. */
  failureOf(key: string): string | null {
    return this.#failure?.key === key ? this.#failure.message : null
  }

  /** Nobody waits any more. */
  stop(): void {
    this.#running?.abort.abort()
    this.#running = null
  }

  /** Asks, unless that is what is known or on its way. */
  async ask(key: string, compute: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.#known?.key === key || this.#running?.key === key) return
    this.#running?.abort.abort()
    const abort = new AbortController()
    const mine = { key, abort }
    this.#running = mine
    this.#failure = null
    try {
      const value = await compute(abort.signal)
      if (!abort.signal.aborted) this.#known = { key, value }
    } catch (reason) {
      if (abort.signal.aborted) return
      if (isLost(reason)) recover()
      else this.#failure = { key, message: messageOf(reason) }
    } finally {
      if (this.#running === mine) this.#running = null
    }
  }
}
