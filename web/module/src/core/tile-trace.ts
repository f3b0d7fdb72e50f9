// The trace of attention by tiles on one thread.
import type { Tensor, TensorLike } from '../types/tensor.js'
import type { TileTrace, TileTraceOptions } from '../types/tile-trace.js'
import { checkTileTrace } from '../validate/tile-trace.js'
import type { Engine } from './engine.js'
import { Scope } from './scope.js'
import { throwIfAborted } from './steps.js'

/** The results in the order in which C++ writes them. */
const resultNames = [
  'scores',
  'exponentials',
  'maximum',
  'sum',
  'rescale',
  'accumulated',
  'output',
  'moved',
] as const satisfies readonly (keyof TileTrace)[]

export function traceTiles(
  engine: Engine,
  query: TensorLike,
  key: TensorLike,
  value: TensorLike,
  options: TileTraceOptions,
): TileTrace {
  engine.checkAlive()
  checkTileTrace(query, key, value, options)
  throwIfAborted(options)
  const scope = new Scope(engine)
  try {
    const trace = scope.own(new engine.bindings.TileTrace())
    engine.record
      .begin()
      .tensor(scope.floats(query, 'query'))
      .tensor(scope.floats(key, 'key'))
      .tensor(scope.floats(value, 'value'))
      .number(options.queryTile)
      .number(options.keyTile)
      .optional(options.scale)
      .flag(options.causal)
      .send()
    engine.check(trace.compute())
    trace.results()
    const results = engine.results(resultNames.length)
    const named = resultNames.map((name, place) => [name, results[place] as Tensor])
    return Object.fromEntries(named) as TileTrace
  } finally {
    scope.end()
  }
}
