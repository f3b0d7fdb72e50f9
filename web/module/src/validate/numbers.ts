// Numbers and lists of numbers: JavaScript's own pitfalls. What they mean is judged in C++.
import { invalidArgument } from '../errors.js'
import { describe } from './describe.js'

/** A finite number. */
export function checkNumber(value: unknown, argument: string): void {
  if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value))) {
    throw invalidArgument(argument, 'a finite number', describe(value))
  }
}

/** A finite number, also as a float32; it has to be there. */
export function checkDeviation(value: unknown, argument: string): void {
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return
  throw invalidArgument(argument, 'a finite float32', describe(value))
}

/** An integer that a double holds exactly. */
export function checkInteger(value: unknown, argument: string): void {
  if (value !== undefined && !Number.isSafeInteger(value)) {
    throw invalidArgument(argument, 'an integer', describe(value))
  }
}

/** An integer of at least `least`, which has to be there. */
export function checkSize(
  value: unknown,
  argument: string,
  least = 1,
  most = Infinity,
): asserts value is number {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`
  throw invalidArgument(argument, `an integer ${range}`, describe(value))
}

/** Int32Array or a list of integers that fit one. */
export function checkIntegers(value: unknown, argument: string): void {
  if (value === undefined || value instanceof Int32Array) return
  if (!Array.isArray(value)) {
    throw invalidArgument(argument, 'an Int32Array or an array of integers', describe(value))
  }
  // By index, for `forEach` passes over holes.
  for (const [index, item] of (value as unknown[]).entries()) {
    if (typeof item !== 'number' || (item | 0) !== item) {
      throw invalidArgument(`${argument}[${index}]`, 'a 32-bit integer', describe(item))
    }
  }
}

/** Float32Array or a list of numbers. */
export function checkFloats(value: unknown, argument: string): void {
  if (value === undefined || value instanceof Float32Array) return
  if (!Array.isArray(value)) {
    throw invalidArgument(argument, 'a Float32Array or an array of numbers', describe(value))
  }
  for (const [index, item] of (value as unknown[]).entries()) {
    if (typeof item !== 'number') {
      throw invalidArgument(`${argument}[${index}]`, 'a number', describe(item))
    }
  }
}
