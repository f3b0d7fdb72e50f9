// Numbers of parameters of a multi-head attention layer, by part. Needs no WebAssembly.
import { invalidArgument } from '../errors.js'
import type { ParameterParts } from '../types/multi-head-attention.js'
import { checkSize } from '../validate/numbers.js'
import { checkBoolean, checkRequiredOptions } from '../validate/options.js'

export interface ParameterCountOptions {
  dModel: number
  numHeads: number
  /** `numHeads` by default; 1 is multi-query attention. */
  kvHeads?: number
  /** dModel / numHeads by default, which must then divide. */
  headDim?: number
  /** `headDim` by default. */
  valueHeadDim?: number
  /** dModel by default. */
  keyInputDim?: number
  /** dModel by default. */
  valueInputDim?: number
  /** Whether the four projections have biases; false by default. */
  bias?: boolean
}

const sizeNames = ['kvHeads', 'headDim', 'valueHeadDim', 'keyInputDim', 'valueInputDim'] as const

function checkParameterCount(options: ParameterCountOptions): void {
  checkRequiredOptions(options, 'options', ['dModel', 'numHeads', ...sizeNames, 'bias'])
  checkSize(options.dModel, 'dModel')
  checkSize(options.numHeads, 'numHeads')
  for (const name of sizeNames) if (options[name] !== undefined) checkSize(options[name], name)
  checkBoolean(options.bias, 'bias')
  const { dModel, numHeads, kvHeads = numHeads, headDim } = options
  if (headDim === undefined && dModel % numHeads !== 0) {
    throw invalidArgument('numHeads', `a divisor of dModel ${dModel}`, String(numHeads))
  }
  if (numHeads % kvHeads !== 0) {
    throw invalidArgument('kvHeads', `a divisor of numHeads ${numHeads}`, String(kvHeads))
  }
}

/**
 * The parameters of each projection, [out, in] weights and biases apart. With heads of
 * dModel / numHeads the sum does not depend on the number of heads.
 *
 * @throws HeadwiseError `INVALID_ARGUMENT`, for one when the heads do not divide dModel
 */
export function parameterParts(options: ParameterCountOptions): ParameterParts {
  checkParameterCount(options)
  const { dModel, numHeads, kvHeads = numHeads, bias = false } = options
  const { headDim = dModel / numHeads, keyInputDim = dModel, valueInputDim = dModel } = options
  const { valueHeadDim = headDim } = options
  const query = numHeads * headDim * dModel
  const key = kvHeads * headDim * keyInputDim
  const value = kvHeads * valueHeadDim * valueInputDim
  const output = dModel * numHeads * valueHeadDim
  const rows = numHeads * headDim + kvHeads * (headDim + valueHeadDim) + dModel
  const biases = bias ? rows : 0
  const total = query + key + value + output + biases
  if (!Number.isSafeInteger(total)) {
    throw invalidArgument('dModel', 'a layer of less than 2^53 parameters', String(dModel))
  }
  return { query, key, value, output, biases, total }
}

/**
 * The number of parameters of a layer: `parameterParts(options).total`.
 *
 * @example
 * ```js
 * import { parameterCount } from 'headwise'
 *
 * console.log(parameterCount({ dModel: 512, numHeads: 8 })) // 1048576
 * console.log(parameterCount({ dModel: 512, numHeads: 16 })) // 1048576
 * console.log(parameterCount({ dModel: 512, numHeads: 8, kvHeads: 1 })) // 589824
 * ```
 */
export function parameterCount(options: ParameterCountOptions): number {
  return parameterParts(options).total
}
