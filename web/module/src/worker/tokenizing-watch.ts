// Whether the patterns of a tokenizer.json run in the Worker. They may never end, and hear of no abort
// while they run: when nobody wants what they make any more they are given some time, and then the end
// of the Worker is theirs.

/** In milliseconds. */
const patience = 1000

export class TokenizingWatch {
  #isRunning = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #settle: () => void = () => undefined
  /** Settles when it is known whether they end; undefined where nobody doubts it. */
  inDoubt: Promise<void> | undefined

  constructor(private readonly endWorker: () => void) {}

  /** To be called when they begin and when they have ended. */
  set(isRunning: boolean): void {
    this.#isRunning = isRunning
    if (isRunning) return
    clearTimeout(this.#timer)
    this.inDoubt = undefined
    this.#settle()
  }

  /** To be called when nobody wants the result any more. */
  doubt(): void {
    if (!this.#isRunning || this.inDoubt !== undefined) return
    this.#timer = setTimeout(this.endWorker, patience)
    this.inDoubt = new Promise((resolve) => {
      this.#settle = resolve
    })
  }
}
