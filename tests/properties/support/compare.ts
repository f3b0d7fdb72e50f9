// How near two results must be. Plain loops: this runs for every number of every case.

type Numbers = ArrayLike<number>

interface Result {
  data: Numbers
  dims: readonly number[]
}

/** The promise for unit-variance inputs, relative to the largest magnitude of the row. */
export const near = 2e-6

/** The same where a scale or a bias of its own takes the scores beyond unit variance. */
export const nearWithOwnScores = 1e-5

/**
 * Sums of unit-variance terms may cancel to almost nothing: the error then counts against the
 * terms. A row of zeros must be zeros.
 */
const terms = 0.25

export function expectNear(
  name: string,
  got: Result | undefined,
  expected: Numbers,
  tolerance: number,
): void {
  if (got?.data.length !== expected.length) {
    throw new Error(`${name}: ${got?.data.length ?? 'no'} numbers for ${expected.length}`)
  }
  const width = got.dims.at(-1) ?? 1
  for (let start = 0; start < expected.length; start += width) {
    let largest = 0
    for (let i = start; i < start + width; i++) {
      const magnitude = Math.abs(expected[i] ?? 0)
      if (magnitude > largest && magnitude < Infinity) largest = magnitude
    }
    const allowed = tolerance * (largest === 0 ? 0 : Math.max(largest, terms))
    for (let i = start; i < start + width; i++) {
      const [came = NaN, wanted = NaN] = [got.data[i], expected[i]]
      if (came !== wanted && !(Math.abs(came - wanted) <= allowed)) {
        throw new Error(`${name}[${i}]: ${came} for ${wanted}, off by ${Math.abs(came - wanted)}`)
      }
    }
  }
}

/** Weights of 0 are exactly 0. */
export function expectSameZeros(name: string, got: Result | undefined, expected: Numbers): void {
  for (let i = 0; i < expected.length; i++) {
    if (expected[i] === 0 && got?.data[i] !== 0) throw new Error(`${name}[${i}] is not 0`)
  }
}

export function expectSameBits(name: string, got: Result | undefined, expected: Result): void {
  if (got?.data.length !== expected.data.length) throw new Error(`${name}: another length`)
  for (let i = 0; i < expected.data.length; i++) {
    if (!Object.is(got.data[i], expected.data[i])) {
      throw new Error(`${name}[${i}]: ${got.data[i]} instead of ${expected.data[i]}`)
    }
  }
}
