// The arguments of the multi-head attention layer: what only JavaScript can get wrong.
import { invalidArgument } from '../errors.js'
import type {
  MultiHeadAttentionForwardOptions,
  MultiHeadAttentionOptions,
  RotaryOptions,
} from '../types/multi-head-attention.js'
import { checkVisibility, returnNames, visibilityNames } from './attention.js'
import { describe } from './describe.js'
import { checkInteger, checkIntegers, checkNumber, checkSize } from './numbers.js'
import {
  callOptionNames,
  checkBoolean,
  checkCallOptions,
  checkOptions,
  checkRequiredOptions,
} from './options.js'
import { checkTensor } from './tensor.js'

const optionalSizes = [
  'kvHeads',
  'headDim',
  'valueHeadDim',
  'keyInputDim',
  'valueInputDim',
] as const

const separateWeights = ['query', 'key', 'value', 'output'] as const
const fusedWeights = ['qkv', 'output'] as const
const biases = ['queryBias', 'keyBias', 'valueBias', 'qkvBias', 'outputBias'] as const

export function checkMultiHeadAttention(options: MultiHeadAttentionOptions): void {
  const names = ['dModel', 'numHeads', ...optionalSizes, 'weights', 'rotary', 'alibi', 'dropout']
  checkRequiredOptions(options, 'options', [...names, ...callOptionNames])
  checkCallOptions(options)
  for (const name of ['dModel', 'numHeads'] as const) {
    checkSize(options[name], name)
  }
  for (const name of optionalSizes) checkInteger(options[name], name)
  checkWeights(options.weights)
  checkRotary(options.rotary)
  if (typeof options.alibi !== 'boolean' && options.alibi !== undefined) {
    if (!(options.alibi instanceof Float32Array)) {
      throw invalidArgument('alibi', 'true, false or a Float32Array', describe(options.alibi))
    }
  }
  checkNumber(options.dropout, 'dropout')
}

function checkWeights(weights: unknown): void {
  const known = [...new Set([...separateWeights, ...fusedWeights, ...biases])]
  checkRequiredOptions(weights, 'weights', known)
  const given = weights as Partial<Record<string, unknown>>
  const required = given['qkv'] === undefined ? separateWeights : fusedWeights
  for (const name of required) checkTensor(given[name], `weights.${name}`)
  for (const name of [...biases, ...separateWeights]) {
    if (given[name] !== undefined) checkTensor(given[name], `weights.${name}`)
  }
  const separate = separateWeights.find((name) => name !== 'output' && given[name] !== undefined)
  if (given['qkv'] !== undefined && separate !== undefined) {
    throw invalidArgument(`weights.${separate}`, 'nothing beside weights.qkv', 'both')
  }
}

export function checkRotary(rotary: RotaryOptions | undefined): void {
  checkOptions(rotary, 'rotary', ['dim', 'base', 'interleaved', 'scaling'])
  if (rotary === undefined) return
  checkInteger(rotary.dim, 'rotary.dim')
  checkNumber(rotary.base, 'rotary.base')
  checkNumber(rotary.scaling, 'rotary.scaling')
  checkBoolean(rotary.interleaved, 'rotary.interleaved')
}

export function checkForward(x: unknown, options: MultiHeadAttentionForwardOptions): void {
  const names = ['key', 'value', 'positions', 'cache', 'returnHeads']
  checkOptions(options, 'options', [
    ...names,
    ...visibilityNames,
    ...returnNames,
    ...callOptionNames,
  ])
  checkTensor(x, 'query')
  if (options.key !== undefined) checkTensor(options.key, 'key')
  if (options.value !== undefined) checkTensor(options.value, 'value')
  checkVisibility(options)
  checkIntegers(options.positions, 'positions')
  checkBoolean(options.returnHeads, 'returnHeads')
  checkCallOptions(options)
}
