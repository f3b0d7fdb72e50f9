// How long work tells of itself on the way.
import type { AnalysisOptions } from '../types/head-roles.js'

/** Milliseconds between two partial results. */
const interval = 250

/** Tells `onProgress` of every unit, and `onPartial` of what `result` makes, now and then. */
export class Reporter<T> {
  #done = 0
  #last = performance.now()

  constructor(
    private readonly options: Pick<AnalysisOptions<T>, 'onProgress' | 'onPartial'>,
    private readonly total: number,
    private readonly result: () => T,
  ) {}

  add(units: number): void {
    this.#done += units
    this.options.onProgress?.({ done: this.#done, total: this.total })
    const { onPartial } = this.options
    if (onPartial === undefined || performance.now() - this.#last < interval) return
    onPartial(this.result())
    this.#last = performance.now()
  }
}
