// One runtime in one realm (a page or a Worker): opens it, prepares a case, times calls. What is
// compared, how often and in what order is decided outside.

import { kinds } from '../cases/kinds.js'

export class Session {
  #runtime
  #job

  /** `module` exports open(options) -> { version, prepare(shape, inputs) -> { run, dispose } } */
  async open(module, options) {
    const { open } = await import(module)
    this.#runtime = await open(options)
    return { version: this.#runtime.version }
  }

  /** Makes ready for a case; resolves to what of its first output is to be verified. */
  async prepare(shape) {
    const { inputsOf, summaryOf } = kinds[shape.kind]
    this.#job = await this.#runtime.prepare(shape, inputsOf(shape))
    return summaryOf(shape, await this.#job.run())
  }

  /** Calls for about `milliseconds`, at least `calls` times; resolves to the time of each call. */
  async time({ milliseconds, calls }) {
    const times = []
    const begin = performance.now()
    while (times.length < calls || performance.now() - begin < milliseconds) {
      const start = performance.now()
      await this.#job.run()
      times.push(performance.now() - start)
    }
    return times
  }

  /** Ours only: bytes { used, peak, reserved } of its WebAssembly memory. */
  memory() {
    return this.#runtime.memory()
  }

  async release() {
    await this.#job?.dispose()
    this.#job = undefined
  }
}
