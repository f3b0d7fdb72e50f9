// 95 % intervals of means by the bootstrap.
import type { Tensor } from '../types/tensor.js'
import { analyse } from './analysis.js'
import type { Engine } from './engine.js'
import type { Steps } from './steps.js'

/**
 * Of each column of `values [samples, columns]`: its sum over that of `counts [samples]`, samples drawn
 * with replacement; NaN without samples.
 */
export function* meanIntervals(
  engine: Engine,
  values: Float32Array,
  columns: number,
  counts: Float32Array,
  resamples: number,
  seed: number,
): Steps<{ low: Tensor['data']; high: Tensor['data'] }> {
  const dims = [counts.length, columns]
  const results = yield* analyse(
    engine,
    'meanIntervals',
    (scope) => {
      const address = scope.bytes(values, 'resamples')
      const weights = { address: scope.bytes(counts, 'resamples'), dims: [counts.length] }
      engine.record.tensor({ address, dims }).tensor(weights).number(resamples).number(seed)
    },
    2,
  )
  const [low, high] = results as [Tensor, Tensor]
  return { low: low.data, high: high.data }
}
