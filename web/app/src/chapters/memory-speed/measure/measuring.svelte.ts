// Measuring as the page sees it: one job at a time, in a Worker made for it and ended after it;
// progress, cancelling, and the results so far.
import type { Answer, JobName, Results } from './results'

interface Running {
  name: JobName
  /** 0 to 1 */
  share: number
}

class Measuring {
  running = $state.raw<Running | null>(null)
  failure = $state.raw<{ name: JobName; message: string } | null>(null)
  results = $state.raw<Partial<Results>>({})
  #worker: Worker | null = null
  #unpublished = false

  start(name: JobName, length: number): void {
    this.cancel()
    this.failure = null
    this.running = { name, share: 0 }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (worker === this.#worker) this.#hear(name, data)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      if (worker === this.#worker) this.#fail(name, event.message)
    }
    worker.postMessage({ name, length })
  }

  /** Ends the Worker, whatever it does; its memory goes with it. */
  cancel(): void {
    this.#worker?.terminate()
    this.#worker = null
    this.running = null
  }

  /** Whether the newest benchmark of the device is not in the address yet; asked for once. */
  takeUnpublished(): boolean {
    if (!this.results.device || !this.#unpublished) return false
    this.#unpublished = false
    return true
  }

  #hear(name: JobName, answer: Answer): void {
    if (answer.type === 'progress') {
      this.running = { name, share: answer.share }
    } else if (answer.type === 'result') {
      if (name === 'device') this.#unpublished = true
      this.results = { ...this.results, [name]: answer.value }
      this.cancel()
    } else {
      this.#fail(name, answer.message)
    }
  }

  #fail(name: JobName, message: string): void {
    this.failure = { name, message }
    this.cancel()
  }
}

export const measuring = new Measuring()
