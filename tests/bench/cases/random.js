// Seeded numbers: the same in Node and in every browser, so that all runtimes and the float64
// reference see the same inputs. Works in both; no statistics beyond a uniform distribution.

/** A generator of integers in [0, 2^32): Marsaglia's xorshift on 32 bits. */
function integers(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b9) || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** `length` floats, uniform with mean 0 and the given standard deviation. */
export function randomFloats(length, seed, deviation = 1) {
  const next = integers(seed)
  for (let skipped = 0; skipped < 16; skipped++) next()
  const width = deviation * Math.sqrt(12)
  return Float32Array.from({ length }, () => (next() / 2 ** 32 - 0.5) * width)
}
