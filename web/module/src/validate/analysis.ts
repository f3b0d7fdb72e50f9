// The arguments of the analyses: what only JavaScript can get wrong.
import { invalidArgument } from '../errors.js'
import type { LowRankFitOptions } from '../types/analysis.js'
import type { CallOptions } from '../types/runtime.js'
import { describe } from './describe.js'
import { checkInteger } from './numbers.js'
import {
  callOptionNames,
  checkBoolean,
  checkCallOptions,
  checkFunction,
  checkOptions,
  checkRequiredOptions,
} from './options.js'
import { checkTensor } from './tensor.js'

/** A tensor, and options of which one more than usual is known. */
function checkOne(x: unknown, options: CallOptions, name: string): unknown {
  checkTensor(x, 'x')
  checkOptions(options, 'options', [name, ...callOptionNames])
  checkCallOptions(options)
  return (options as Record<string, unknown>)[name]
}

export function checkSvd(x: unknown, options: CallOptions): void {
  checkInteger(checkOne(x, options, 'rank'), 'rank')
}

export function checkPrincipalComponents(x: unknown, options: CallOptions): void {
  checkInteger(checkOne(x, options, 'components'), 'components')
}

export function checkHeadSimilarity(x: unknown, options: CallOptions): void {
  checkBoolean(checkOne(x, options, 'debiased'), 'debiased')
}

export function checkPrincipalAngles(a: unknown, b: unknown, options: CallOptions): void {
  checkTensor(a, 'a')
  if (b !== undefined) checkTensor(b, 'b')
  checkOptions(options, 'options', callOptionNames)
  checkCallOptions(options)
}

export function checkLowRankFit(pattern: unknown, options: LowRankFitOptions): void {
  checkTensor(pattern, 'pattern')
  const names = ['norm', 'maxHeadDim', 'seed', 'onProgress', ...callOptionNames]
  checkRequiredOptions(options, 'options', names)
  const norm: unknown = options.norm
  if (typeof norm !== 'number') throw invalidArgument('norm', 'a number above 0', describe(norm))
  checkInteger(options.maxHeadDim, 'maxHeadDim')
  checkInteger(options.seed, 'seed')
  checkFunction(options.onProgress, 'onProgress')
  checkCallOptions(options)
}
