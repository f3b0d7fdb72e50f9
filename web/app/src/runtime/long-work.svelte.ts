// Work of seconds to minutes: how far it has come, what is known so far, and an end whenever the reader
// wants one. What was known then stays on screen; nothing starts again by itself.
import { recover } from './reading.svelte'
import { isLost, messageOf } from './session.svelte'

/** How the work tells what it does; what the module's analyses take as options. */
export interface Report<T> {
  signal: AbortSignal
  onProgress: (progress: { done: number; total: number }) => void
  onPartial: (partial: T) => void
}

/** What can be seen of work, whatever its answer is. */
export interface WorkState {
  readonly key: string
  readonly value: unknown
  readonly complete: boolean
  readonly share: number | null
  readonly left: number | null
  readonly failure: string | null
  cancel(): void
}

/** Milliseconds after which the speed is told from what is done. */
const settled = 1500

export class LongWork<T> implements WorkState {
  /** What the value is the answer to; empty before the first start. */
  key = $state.raw('')
  /** The answer, or as much of it as there is. */
  value = $state.raw<T | null>(null)
  complete = $state.raw(false)
  /** 0 to 1; null while nothing runs. */
  share = $state.raw<number | null>(null)
  /** Milliseconds that the rest will take at the speed so far; null before that can be told. */
  left = $state.raw<number | null>(null)
  /** How long the whole work took, in milliseconds. */
  time = $state.raw(0)
  failure = $state.raw<string | null>(null)
  #abort: AbortController | null = null

  /** Ends what runs and begins anew. Never rejects: a failure is part of what is shown. */
  async start(key: string, work: (report: Report<T>) => Promise<T>): Promise<void> {
    this.cancel()
    const abort = new AbortController()
    const { signal } = abort
    this.#abort = abort
    Object.assign(this, { key, value: null, complete: false, share: 0, left: null, failure: null })
    const begun = performance.now()
    try {
      const value = await work({
        signal,
        onProgress: ({ done, total }) => {
          if (signal.aborted) return
          this.share = total > 0 ? done / total : 0
          const elapsed = performance.now() - begun
          if (elapsed > settled) this.left = elapsed / this.share - elapsed
        },
        onPartial: (partial) => {
          if (!signal.aborted) this.value = partial
        },
      })
      if (signal.aborted) return
      Object.assign(this, { value, complete: true, time: performance.now() - begun })
    } catch (reason) {
      if (signal.aborted) return
      if (isLost(reason)) recover()
      this.failure = messageOf(reason)
    } finally {
      if (this.#abort === abort) this.cancel()
    }
  }

  /** Ends what runs; the partial answer stays. */
  cancel(): void {
    this.#abort?.abort()
    this.#abort = null
    this.share = this.left = null
  }
}
