// A value on screen that changes with the frames. What is changed between two frames the browser lays
// out for the next event already, and once more for the frame; of several changes it draws the last.

export class Framed<T> {
  #shown = $state.raw<T | null>(null)
  #newest: T | null = null
  #isAsked = false

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
    if (this.#shown === null || document.hidden) this.#shown = value
    if (this.#isAsked || this.#shown === value) return
    this.#isAsked = true
    requestAnimationFrame(() => {
      this.#isAsked = false
      this.#shown = this.#newest
    })
  }
}
