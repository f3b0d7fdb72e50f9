// Divisors: into how many heads a width can be cut, into how many groups heads. Pure.

/** From 1 up to the number itself. */
export function divisorsOf(number: number): number[] {
  const small: number[] = []
  const large: number[] = []
  for (let candidate = 1; candidate * candidate <= number; candidate++) {
    if (number % candidate !== 0) continue
    small.push(candidate)
    if (candidate * candidate !== number) large.unshift(number / candidate)
  }
  return [...small, ...large]
}

/** The largest divisor of a number that is at most `most`. */
export function divisorBelow(number: number, most: number): number {
  return divisorsOf(number).findLast((divisor) => divisor <= most) ?? 1
}
