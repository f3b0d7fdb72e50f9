// The arguments of latent attention: what only JavaScript can get wrong.
import type {
  LatentAttentionForwardOptions,
  LatentAttentionInputs,
  LatentAttentionOptions,
  LatentAttentionRunOptions,
} from '../types/latent-attention.js'
import { checkVisibility, returnNames, visibilityNames } from './attention.js'
import { checkRotary } from './layer.js'
import { checkInteger, checkIntegers, checkNumber, checkSize } from './numbers.js'
import {
  callOptionNames,
  checkCallOptions,
  checkChoice,
  checkOptions,
  checkRequiredOptions,
} from './options.js'
import { checkTensor } from './tensor.js'

const inputNames = ['queryNope', 'queryRope', 'latent', 'keyRope'] as const
const runNames = ['form', 'scale', ...visibilityNames, ...returnNames, ...callOptionNames]

function checkRun(options: LatentAttentionRunOptions, names: readonly string[]): void {
  checkOptions(options, 'options', [...runNames, ...names])
  checkVisibility(options)
  checkChoice(options.form, 'form', ['expanded', 'absorbed'])
  checkNumber(options.scale, 'scale')
  checkCallOptions(options)
}

export function checkLatentInputs(
  inputs: LatentAttentionInputs,
  options: LatentAttentionRunOptions,
): void {
  checkRequiredOptions(inputs, 'inputs', [...inputNames, 'weights'])
  for (const name of inputNames) checkTensor(inputs[name], name)
  checkRequiredOptions(inputs.weights, 'weights', ['uk', 'uv'])
  checkTensor(inputs.weights.uk, 'weights.uk')
  checkTensor(inputs.weights.uv, 'weights.uv')
  checkRun(options, [])
}

const required = ['dModel', 'numHeads', 'nopeDim', 'valueHeadDim', 'latentDim'] as const
const requiredWeights = ['query', 'latent', 'uk', 'uv', 'output'] as const

export function checkLatentLayer(options: LatentAttentionOptions): void {
  const names = [...required, 'ropeDim', 'queryLatentDim', 'weights', 'rotary', ...callOptionNames]
  checkRequiredOptions(options, 'options', names)
  for (const name of required) checkSize(options[name], name)
  checkSize(options.ropeDim, 'ropeDim', 0)
  checkInteger(options.queryLatentDim, 'queryLatentDim')
  const { weights } = options
  checkRequiredOptions(weights, 'weights', [...requiredWeights, 'queryDown'])
  for (const name of requiredWeights) checkTensor(weights[name], `weights.${name}`)
  if (weights.queryDown !== undefined) checkTensor(weights.queryDown, 'weights.queryDown')
  checkRotary(options.rotary)
  checkCallOptions(options)
}

export function checkLatentForward(x: unknown, options: LatentAttentionForwardOptions): void {
  checkTensor(x, 'x')
  checkIntegers(options.positions, 'positions')
  checkRun(options, ['positions'])
}
