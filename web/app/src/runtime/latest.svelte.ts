// Something that the kernels compute from what is on screen. One request is in flight at a time; of
// those that come meanwhile the newest is next. So a drag shows results as fast as they can be had,
// and is never starved by its own newer requests.
import type { Runtime } from 'headwise'
import { Framed } from './framed.svelte'
import { recover } from './reading.svelte'
import { isLost, messageOf, modelNames, openRuntime } from './session.svelte'

interface Known<Input, Result> {
  input: Input
  result: Result
}

export class Latest<Input, Result> {
  readonly #known = new Framed<Known<Input, Result>>()
  #failure = $state<string | null>(null)
  #waiting: { input: Input } | null = null
  /** What was asked last, while that is on its way or known. */
  #asked: { input: Input } | null = null
  #busy = false
  readonly #work: (runtime: Runtime, input: Input) => Promise<Result>
  readonly #same: (one: Input, other: Input) => boolean

  /**
   * `work` may be asked again for the same input after its Worker was lost. `same` says of two inputs
   * that they have one result.
   */
  constructor(
    work: (runtime: Runtime, input: Input) => Promise<Result>,
    same: (one: Input, other: Input) => boolean = Object.is,
  ) {
    this.#work = work
    this.#same = same
  }

  /** The newest result there is, with what it was computed from. */
  get known(): Readonly<Known<Input, Result>> | null {
    return this.#known.shown
  }

  /** The result for exactly this input; null while it is computed. */
  of(input: Input): Result | null {
    const { shown } = this.#known
    return shown?.input === input ? shown.result : null
  }

  /** Why the newest input could not be computed. */
  get failure(): string | null {
    return this.#failure
  }

  /** Asks, unless the same was asked last: whoever asks need not know whether it did. */
  ask(input: Input): void {
    if (this.#asked && this.#same(this.#asked.input, input)) return
    this.#asked = { input }
    this.#waiting = { input }
    if (!this.#busy) void this.#run()
  }

  async #run(): Promise<void> {
    this.#busy = true
    while (this.#waiting) {
      const { input } = this.#waiting
      this.#waiting = null
      try {
        this.#known.show({ input, result: await this.#compute(input) })
        this.#failure = null
      } catch (reason) {
        this.#failure = messageOf(reason)
        this.#asked = this.#waiting
      }
    }
    this.#busy = false
  }

  /** A lost Worker is started again by the next call; what it held, the reading brings back. */
  async #compute(input: Input): Promise<Result> {
    try {
      return await this.#work(await openRuntime(modelNames[0]), input)
    } catch (reason) {
      if (!isLost(reason)) throw reason
      recover()
      return this.#work(await openRuntime(modelNames[0]), input)
    }
  }
}
