// Numbers and lists of numbers: JavaScript's own pitfalls. What they mean is judged in C++.
import { invalidArgument } from '../errors.js'
import { describe } from './describe.js'

/** A finite number. */
export function checkNumber(value: unknown, argument: string): void {
  if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value))) {
    throw invalidArgument(argument, 'a finite number', describe(value))
  }
}

/** An integer that a double holds exactly. */
export function checkInteger(value: unknown, argument: string): void {
  if (value !== undefined && !Number.isSafeInteger(value)) {
    throw invalidArgument(argument, 'an integer', describe(value))
  }
}

/** An integer of at least `least`, which has to be there. */
export function checkSize(value: unknown, argument: string, least = 1): asserts value is number {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw invalidArgument(argument, `an integer of at least ${least}`, describe(value))
  }
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
