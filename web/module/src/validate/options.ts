// Options as such: an object, with no name that nobody knows.
import { invalidArgument } from '../errors.js'
import { describe } from './describe.js'
import { nearNames } from './near-names.js'

/** The same for options that have to be there. */
export function checkRequiredOptions(
  options: unknown,
  argument: string,
  known: readonly string[],
): void {
  checkOptions(options ?? null, argument, known)
}

/**
 * Refuses anything but an object whose keys are all among `known`. A mistyped option would
 * otherwise be ignored in silence.
 */
export function checkOptions(options: unknown, argument: string, known: readonly string[]): void {
  if (options === undefined) return
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalidArgument(argument, 'an object', describe(options))
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw invalidArgument(`${argument}.${name}`, nearNames(name, known), `'${name}'`)
    }
  }
}

/** Options that every computing call takes. */
export const callOptionNames = ['signal', 'transfer'] as const

export function checkCallOptions(options: { signal?: unknown; transfer?: unknown }): void {
  const { signal } = options
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidArgument('signal', 'an AbortSignal', describe(signal))
  }
  checkBoolean(options.transfer, 'transfer')
}

export function checkBoolean(value: unknown, argument: string): void {
  if (value !== undefined && typeof value !== 'boolean') {
    throw invalidArgument(argument, 'true or false', describe(value))
  }
}

export function checkChoice(value: unknown, argument: string, choices: readonly string[]): void {
  if (value !== undefined && !(typeof value === 'string' && choices.includes(value))) {
    throw invalidArgument(argument, `one of ${choices.join(', ')}`, describe(value))
  }
}

export function checkFunction(value: unknown, argument: string): void {
  if (value !== undefined && typeof value !== 'function') {
    throw invalidArgument(argument, 'a function', describe(value))
  }
}
