// A value on screen that changes with the frames. What is changed between two frames the browser lays
// out for the next event already, and once more for the frame; of several changes it draws the last.

export class Framed<T> {
  readonly #pause: number
  #shown = $state.raw<T | null>(null)
  #newest: T | null = null
  #isAsked = false
  #last = 0

  /** `pause`: milliseconds between two changes, where nobody can read what comes with every frame. */
  constructor(pause = 0) {
    this.#pause = pause
  }

  /** What is on screen. */
  get shown(): T | null {
    return this.#shown
  }

  /** What is or will be on screen. */
  get newest(): T | null {
    return this.#newest
  }

  /**
   * Shown with the next frame; at once where nothing is there, as others may wait for it, and behind
   * another tab, where no frames come.
   */
  show(value: T): void {
    this.#newest = value
    if (this.#shown === null || document.hidden) this.#change()
    else if (!this.#isAsked) this.#ask()
  }

  #ask(): void {
    this.#isAsked = true
    const wait = this.#last + this.#pause - performance.now()
    if (wait > 0) setTimeout(() => this.#ask(), wait)
    else requestAnimationFrame(() => this.#change())
  }

  #change(): void {
    this.#isAsked = false
    this.#last = performance.now()
    this.#shown = this.#newest
  }
}
