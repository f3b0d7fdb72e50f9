// How long work tells of itself on the way.
import type { AnalysisOptions } from '../types/head-roles.js'

/** Milliseconds until the first partial result: whoever waits for it sees that something comes. */
const firstPause = 40

/** Milliseconds between two later ones; more where they are large: a tenth of the time at most. */
const leastPause = 250

/** Tells `onProgress` of every unit, and `onPartial` of what `result` makes, now and then. */
export class Reporter<T> {
  #done = 0
  #last = performance.now()
  #pause = firstPause

  constructor(
    private readonly options: Pick<AnalysisOptions<T>, 'onProgress' | 'onPartial'>,
    private readonly total: number,
    private readonly result: () => T,
  ) {}

  add(units: number): void {
    this.#done += units
    this.options.onProgress?.({ done: this.#done, total: this.total })
    const { onPartial } = this.options
    const began = performance.now()
    if (onPartial === undefined || began - this.#last < this.#pause) return
    onPartial(this.result())
    this.#last = performance.now()
    this.#pause = Math.max(leastPause, 9 * (this.#last - began))
  }
}
