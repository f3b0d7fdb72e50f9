// Random numbers that can be had again: the same seed, the same case.

/** Mulberry32: small, and good enough to choose by. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let x = this.#state
    x = Math.imul(x ^ (x >>> 15), x | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number below `end`. */
  below(end) {
    return Math.floor(this.next() * end)
  }

  chance(share) {
    return this.next() < share
  }

  of(list) {
    return list[this.below(list.length)]
  }
}
