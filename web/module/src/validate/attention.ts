// The arguments of the attention op: what only JavaScript can get wrong.
import { invalidArgument } from '../errors.js'
import type { AttentionOptions, ReturnOptions, VisibilityOptions } from '../types/attention.js'
import { describe } from './describe.js'
import { checkFloats, checkInteger, checkIntegers, checkNumber } from './numbers.js'
import {
  callOptionNames,
  checkBoolean,
  checkCallOptions,
  checkChoice,
  checkOptions,
} from './options.js'
import { checkBooleanTensor, checkMask, checkTensor } from './tensor.js'

export const scoresPoints = ['scaled', 'softcapped', 'biased'] as const

export const visibilityNames = [
  'softcap',
  'mask',
  'keyMask',
  'causal',
  'causalOffset',
  'window',
  'headMask',
] as const
export const returnNames = ['returnScores', 'returnWeights'] as const

const optionNames = [
  'numHeads',
  'kvHeads',
  'scale',
  ...visibilityNames,
  'kvLengths',
  'pastKey',
  'pastValue',
  'cache',
  ...returnNames,
  ...callOptionNames,
]

/** Options shared by the op and the layers. */
export function checkVisibility(options: VisibilityOptions & ReturnOptions): void {
  if (options.mask !== undefined) checkMask(options.mask, 'mask')
  if (options.keyMask !== undefined) checkBooleanTensor(options.keyMask, 'keyMask')
  checkNumber(options.softcap, 'softcap')
  checkBoolean(options.causal, 'causal')
  checkInteger(options.causalOffset, 'causalOffset')
  checkFloats(options.headMask, 'headMask')
  checkWindow(options.window)
  checkChoice(options.returnScores, 'returnScores', scoresPoints)
  checkBoolean(options.returnWeights, 'returnWeights')
}

function checkWindow(window: unknown): void {
  if (window === undefined) return
  if (!Array.isArray(window) || window.length !== 2) {
    const length = Array.isArray(window) ? ` (${window.length} numbers)` : ''
    throw invalidArgument('window', '2 integers [left, right]', describe(window) + length)
  }
  for (const bound of window as unknown[]) {
    if (!Number.isSafeInteger(bound)) {
      throw invalidArgument('window', 'integers, -1 for unbounded', describe(window))
    }
  }
}

export function checkAttention(
  query: unknown,
  key: unknown,
  value: unknown,
  options: AttentionOptions,
): void {
  checkOptions(options, 'options', optionNames)
  checkTensor(query, 'query')
  checkTensor(key, 'key')
  checkTensor(value, 'value')
  if (options.pastKey !== undefined) checkTensor(options.pastKey, 'pastKey')
  if (options.pastValue !== undefined) checkTensor(options.pastValue, 'pastValue')
  checkVisibility(options)
  checkInteger(options.numHeads, 'numHeads')
  checkInteger(options.kvHeads, 'kvHeads')
  checkNumber(options.scale, 'scale')
  checkIntegers(options.kvLengths, 'kvLengths')
  checkCallOptions(options)
}
