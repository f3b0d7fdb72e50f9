// While a slider is dragged, figures that are out of sight wait: what cannot be seen must not hold up
// what can. They are drawn when the slider is let go, or when they come near.

let dragged = $state(false)

const isSlider = ({ target }: Event): boolean =>
  target instanceof HTMLInputElement && target.type === 'range'

// Before the chapter hears of it. What a key moves is let go at once.
addEventListener('input', (event) => (dragged = isSlider(event)), { capture: true })
// The others for sliders that leave the page, or lose the finger to scrolling, while they are dragged.
for (const end of ['change', 'pointerup', 'pointercancel']) {
  addEventListener(end, () => (dragged = false), { capture: true })
}

/** Whether a slider is dragged now. */
export const isDragged = (): boolean => dragged

/** Figures are drawn a little before they come into sight. */
const rootMargin = '200px'

export class Sight {
  #isNear = $state(true)

  /** For the element that is looked at, as an attachment. */
  readonly watch = (element: Element): (() => void) => {
    const observer = new IntersectionObserver(
      (entries) => {
        this.#isNear = entries.at(-1)?.isIntersecting ?? true
      },
      { rootMargin },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }

  /** What `current` gives; while the figure waits, what it gave last. */
  hold<T extends object>(current: () => T): () => T {
    let last: T | undefined
    const held = $derived.by(() => {
      if (last === undefined || !dragged || this.#isNear) last = current()
      return last
    })
    return () => held
  }
}
