// The sizes of a key/value cache.
import type { KeyValueCacheOptions } from '../types/cache.js'
import { checkSize } from './numbers.js'
import { checkRequiredOptions } from './options.js'

const required = ['batch', 'kvHeads', 'headDim', 'capacity'] as const

export function checkCacheOptions(options: KeyValueCacheOptions): void {
  checkRequiredOptions(options, 'options', [...required, 'valueHeadDim'])
  for (const name of required) checkSize(options[name], name)
  if (options.valueHeadDim !== undefined) checkSize(options.valueHeadDim, 'valueHeadDim')
}
