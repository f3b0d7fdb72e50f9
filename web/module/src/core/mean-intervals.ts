// 95 % intervals of means by the bootstrap.
import type { Tensor } from '../types/tensor.js'
import { analyse } from './analysis.js'
import type { Engine } from './engine.js'
import type { Steps } from './steps.js'

/** Of each column's mean over the rows of `values [rows, columns]`; NaN without rows. */
export function* meanIntervals(
  engine: Engine,
  values: Float32Array,
  columns: number,
  resamples: number,
  seed: number,
): Steps<{ low: Tensor['data']; high: Tensor['data'] }> {
  const dims = [values.length / columns, columns]
  const results = yield* analyse(
    engine,
    'meanIntervals',
    (scope) => {
      const address = scope.bytes(values, 'resamples')
      engine.record.tensor({ address, dims }).number(resamples).number(seed)
    },
    2,
  )
  const [low, high] = results as [Tensor, Tensor]
  return { low: low.data, high: high.data }
}
