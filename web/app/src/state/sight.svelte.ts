// While a slider is dragged, figures that are out of sight wait: what cannot be seen must not hold up
// what can. They are drawn when the slider rests, or when they come near.

/** Milliseconds without a step after which a slider rests. */
const rest = 200

let dragged = $state(false)
let timer: ReturnType<typeof setTimeout> | undefined

function step({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.type !== 'range') return
  dragged = true
  clearTimeout(timer)
  timer = setTimeout(() => {
    dragged = false
  }, rest)
}

/** Before the chapter hears of it. */
addEventListener('input', step, { capture: true })

/** Figures are drawn a little before they come into sight. */
const margin = '200px'
const sights = new WeakMap<Element, Sight>()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) sights.get(target)?.see(isIntersecting)
  },
  { rootMargin: margin },
)

export class Sight {
  #isNear = $state(true)

  see(isNear: boolean): void {
    this.#isNear = isNear
  }

  /** For the element that is looked at, as an attachment. */
  readonly watch = (element: Element): (() => void) => {
    sights.set(element, this)
    observer.observe(element)
    return () => {
      observer.unobserve(element)
    }
  }

  /** What `current` gives; while the figure waits, what it gave last. */
  hold<T>(current: () => T): { readonly value: T } {
    let last: { value: T } | null = null
    const held = $derived.by(() => {
      if (last === null || !dragged || this.#isNear) last = { value: current() }
      return last
    })
    return {
      get value() {
        return held.value
      },
    }
  }
}
