// The arguments of the trace of attention by tiles: what only JavaScript can get wrong.
import type { TileTraceOptions } from '../types/tile-trace.js'
import { checkNumber, checkSize } from './numbers.js'
import { callOptionNames, checkBoolean, checkCallOptions, checkRequiredOptions } from './options.js'
import { checkTensor } from './tensor.js'

export function checkTileTrace(
  query: unknown,
  key: unknown,
  value: unknown,
  options: TileTraceOptions,
): void {
  const names = ['queryTile', 'keyTile', 'scale', 'causal', ...callOptionNames]
  checkRequiredOptions(options, 'options', names)
  checkTensor(query, 'query')
  checkTensor(key, 'key')
  checkTensor(value, 'value')
  checkSize(options.queryTile, 'queryTile')
  checkSize(options.keyTile, 'keyTile')
  checkNumber(options.scale, 'scale')
  checkBoolean(options.causal, 'causal')
  checkCallOptions(options)
}
