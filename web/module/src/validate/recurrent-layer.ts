// The arguments of the recurrent layer: what only JavaScript can get wrong.
import type { RecurrentLayerOptions } from '../types/recurrent-layer.js'
import type { CallOptions } from '../types/runtime.js'
import { callOptionNames, checkCallOptions, checkOptions, checkRequiredOptions } from './options.js'
import { checkTensor } from './tensor.js'

export function checkRecurrentLayer(options: RecurrentLayerOptions): void {
  checkRequiredOptions(options, 'options', ['weights', ...callOptionNames])
  checkRequiredOptions(options.weights, 'weights', ['input', 'hidden', 'bias'])
  const { input, hidden, bias } = options.weights
  checkTensor(input, 'weights.input')
  checkTensor(hidden, 'weights.hidden')
  if (bias !== undefined) checkTensor(bias, 'weights.bias')
  checkCallOptions(options)
}

export function checkRecurrentForward(x: unknown, options: CallOptions): void {
  checkOptions(options, 'options', callOptionNames)
  checkTensor(x, 'x')
  checkCallOptions(options)
}
