// Something that takes the kernels a while, computed for what is on screen: a newer question cancels
// the older one, and a lost Worker is brought back by the reading, which asks again. Long work shows
// what there is of it so far, and the reader may be content with that.
import { Framed } from './framed.svelte'
import { recover } from './reading.svelte'
import { isLost, messageOf } from './session.svelte'

/** Milliseconds between two parts of an answer that are shown. */
export const betweenParts = 80

interface Answer<T> {
  key: string
  value: T
}

function valueOf<T>({ shown }: Framed<Answer<T>>, key: string): T | null {
  return shown?.key === key ? shown.value : null
}

export class Computed<T> {
  readonly #known = new Framed<Answer<T>>()
  readonly #part = new Framed<Answer<T>>(betweenParts)
  #failure = $state.raw<{ key: string; message: string } | null>(null)
  #halted = $state<string | null>(null)
  #running: { key: string; abort: AbortController } | null = null

  /** The answer to a question; null while it is computed. */
  of(key: string): T | null {
    return valueOf(this.#known, key)
  }

  /** The answer, or what was shown of it so far. */
  partOf(key: string): T | null {
    return this.of(key) ?? valueOf(this.#part, key)
  }

  /** The last answer, whatever it was to: to stay on screen until the next one is there. */
  get latest(): T | null {
    return this.#known.shown?.value ?? null
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

  /** The reader is content with what there is of an answer: it is not asked for again. */
  halt(key: string): void {
    if (this.#running?.key === key) this.stop()
    this.#halted = key
  }

  isHalted(key: string): boolean {
    return this.#halted === key
  }

  /** The reader wants the rest as well. */
  resume(): void {
    this.#halted = null
  }

  /** Asks, unless that is what is known or on its way; `show` shows what there is so far. */
  async ask(
    key: string,
    compute: (signal: AbortSignal, show: (part: T) => void) => Promise<T>,
  ): Promise<void> {
    // Halted first: an effect that asks while the work goes on is to run again when it is resumed.
    if (this.#halted === key || this.#running?.key === key) return
    // Back at the answer that is there: what is on its way must not take its place.
    if (this.#known.newest?.key === key) {
      this.stop()
      return
    }
    this.#running?.abort.abort()
    const abort = new AbortController()
    const mine = { key, abort }
    this.#running = mine
    this.#failure = null
    const show = (value: T): void => {
      if (!abort.signal.aborted) this.#part.show({ key, value })
    }
    try {
      const value = await compute(abort.signal, show)
      if (!abort.signal.aborted) this.#known.show({ key, value })
    } catch (reason) {
      if (abort.signal.aborted) return
      if (isLost(reason)) recover()
      else this.#failure = { key, message: messageOf(reason) }
    } finally {
      if (this.#running === mine) this.#running = null
    }
  }
}
