// The error function in float64, which JavaScript lacks.

/**
 * erf(x), to about 1e-15: the Taylor series where it converges fast, the continued fraction of the
 * complement elsewhere (Abramowitz and Stegun 7.1.5 and 7.1.14).
 */
export function erf(x) {
  const size = Math.abs(x)
  if (size > 6) return Math.sign(x)
  if (size < 2.5) {
    let term = x
    let sum = x
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= -(x * x) / n
      sum += term / (2 * n + 1)
    }
    return (2 / Math.sqrt(Math.PI)) * sum
  }
  let fraction = 0
  for (let n = 60; n > 0; n--) fraction = n / 2 / (size + fraction)
  const complement = Math.exp(-size * size) / Math.sqrt(Math.PI) / (size + fraction)
  return Math.sign(x) * (1 - complement)
}
