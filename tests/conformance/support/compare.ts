// Compares results with what a case expects.
import { expect } from 'vitest'

import type { FloatTensor } from './cases.js'

interface Result {
  data: ArrayLike<number>
  dims: readonly number[]
}

/** The difference allowed at each element. */
type Allowed = (expected: number, rowMagnitude: number) => number

/** `tolerance` times the largest finite magnitude of the row, so that rows of zeros are exact. */
export function relativeToRow(tolerance: number): Allowed {
  return (_expected, rowMagnitude) => tolerance * rowMagnitude
}

export function absoluteAndRelative(absolute: number, relative: number): Allowed {
  return (expected) => absolute + relative * Math.abs(expected)
}

/** Fails with the first place where `got` is too far from `expected`; NaN only equals NaN. */
export function expectClose(
  name: string,
  got: Result | undefined,
  expected: FloatTensor,
  allowed: Allowed,
): void {
  expect(got?.dims, `${name}: dims`).toEqual(expected.dims)
  const data = got?.data ?? []
  const width = expected.dims.at(-1) ?? 1
  for (let row = 0; row * width < expected.data.length; row++) {
    const wanted = expected.data.subarray(row * width, (row + 1) * width)
    const finite = [...wanted].filter(Number.isFinite).map(Math.abs)
    const magnitude = Math.max(0, ...finite)
    wanted.forEach((value, column) => {
      const index = row * width + column
      const came = data[index] ?? NaN
      if (!isClose(came, value, allowed(value, magnitude))) {
        expect.fail(`${name}[${index}]: expected ${value}, got ${came}`)
      }
    })
  }
}

function isClose(came: number, expected: number, allowed: number): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(came)
  if (!Number.isFinite(expected)) return came === expected
  return Math.abs(came - expected) <= allowed
}

/** Every row sums to 1 within the tolerance, or is all zeros, or has a NaN where one is expected. */
export function expectRowsSumToOne(name: string, tensor: Result, tolerance: number): void {
  const width = tensor.dims.at(-1) ?? 1
  const values = Array.from(tensor.data)
  for (let start = 0; start < values.length; start += width) {
    const row = values.slice(start, start + width)
    if (row.some(Number.isNaN) || row.every((value) => value === 0)) continue
    const sum = row.reduce((total, value) => total + value, 0)
    expect(Math.abs(sum - 1), `${name}: sum of row ${start / width}`).toBeLessThanOrEqual(tolerance)
  }
}

/** The same bits, -0 and NaN included. */
export function expectSameBits(name: string, got: Result, expected: Result): void {
  const bits = ({ data }: Result) => new Uint32Array(Float32Array.from(data).buffer)
  expect(bits(got), `${name}: bits`).toEqual(bits(expected))
}

/** Exactly the expected numbers, of either zero. */
export function expectExact(name: string, got: Result, expected: FloatTensor): void {
  expected.data.forEach((value, index) => {
    const same = got.data[index] === value || (Number.isNaN(value) && Number.isNaN(got.data[index]))
    if (!same) expect.fail(`${name}[${index}]: expected exactly ${value}, got ${got.data[index]}`)
  })
}

export function expectZerosExact(name: string, got: Result, expected: FloatTensor): void {
  expected.data.forEach((value, index) => {
    if (value === 0 && got.data[index] !== 0) {
      expect.fail(`${name}[${index}]: expected exactly 0, got ${got.data[index]}`)
    }
  })
}
