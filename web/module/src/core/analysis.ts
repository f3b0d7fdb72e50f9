// The analyses on one thread, in slices.
import type {
  FittedHeadDim,
  HeadSimilarityOptions,
  LowRankFitOptions,
  LowRankFitResult,
  PrincipalAnglesResult,
  PrincipalComponentsOptions,
  PrincipalComponentsResult,
  SvdOptions,
  SvdResult,
} from '../types/analysis.js'
import type { CallOptions } from '../types/runtime.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import {
  checkHeadSimilarity,
  checkLowRankFit,
  checkPrincipalAngles,
  checkPrincipalComponents,
  checkSvd,
} from '../validate/analysis.js'
import type { Engine } from './engine.js'
import { Scope } from './scope.js'
import { throwIfAborted, type Steps } from './steps.js'

/** In the order in which C++ numbers them. */
const kinds = [
  'svd',
  'principalComponents',
  'principalAngles',
  'headSimilarity',
  'contrastiveLoss',
  'meanIntervals',
  'lowRankFit',
] as const

/**
 * Runs one, `write` having written its arguments; its first `count` results. After every slice
 * `look` is given a way to read the first ones, as far as they are there.
 */
export function* analyse(
  engine: Engine,
  kind: (typeof kinds)[number],
  write: (scope: Scope) => void,
  count: number,
  look?: (results: (count: number) => Tensor[]) => void,
): Steps<Tensor[]> {
  const scope = new Scope(engine)
  try {
    const operation = scope.own(new engine.bindings.AnalysisOperation())
    engine.record.begin()
    write(scope)
    engine.record.send()
    engine.check(operation.begin(kinds.indexOf(kind)))
    const results = (count: number) => {
      operation.results()
      return engine.results(count) as Tensor[]
    }
    for (;;) {
      engine.check(operation.step())
      look?.(results)
      if (operation.done) break
      yield
    }
    return results(count)
  } finally {
    scope.end()
  }
}

export function* svdSteps(
  engine: Engine,
  x: TensorLike,
  options: SvdOptions = {},
): Steps<SvdResult> {
  engine.checkAlive()
  checkSvd(x, options)
  throwIfAborted(options)
  const write = (scope: Scope) => engine.record.tensor(scope.floats(x, 'x')).optional(options.rank)
  const [u, s, vh] = (yield* analyse(engine, 'svd', write, 3)) as [Tensor, Tensor, Tensor]
  return { u, s, vh }
}

export function* principalComponentsSteps(
  engine: Engine,
  x: TensorLike,
  options: PrincipalComponentsOptions = {},
): Steps<PrincipalComponentsResult> {
  engine.checkAlive()
  checkPrincipalComponents(x, options)
  throwIfAborted(options)
  const write = (scope: Scope) =>
    engine.record.tensor(scope.floats(x, 'x')).optional(options.components)
  const results = yield* analyse(engine, 'principalComponents', write, 5)
  const [scores, components, mean, explainedVariance, explainedVarianceRatio] = results as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
  ]
  return { scores, components, mean, explainedVariance, explainedVarianceRatio }
}

export function* principalAnglesSteps(
  engine: Engine,
  a: TensorLike,
  b: TensorLike | undefined,
  options: CallOptions = {},
): Steps<PrincipalAnglesResult> {
  engine.checkAlive()
  checkPrincipalAngles(a, b, options)
  throwIfAborted(options)
  const write = (scope: Scope) =>
    engine.record.tensor(scope.floats(a, 'a')).tensor(scope.floats(b, 'b'))
  const results = yield* analyse(engine, 'principalAngles', write, 3)
  const [angles, ranksA, ranksB] = results as [Tensor, Tensor, Tensor]
  return { angles, ranks: { a: ranksA, b: ranksB } }
}

export function* headSimilaritySteps(
  engine: Engine,
  x: TensorLike,
  options: HeadSimilarityOptions = {},
): Steps<Tensor> {
  engine.checkAlive()
  checkHeadSimilarity(x, options)
  throwIfAborted(options)
  const write = (scope: Scope) => engine.record.tensor(scope.floats(x, 'x')).flag(options.debiased)
  const [similarity] = yield* analyse(engine, 'headSimilarity', write, 1)
  return similarity as Tensor
}

export function* lowRankFitSteps(
  engine: Engine,
  pattern: TensorLike,
  options: LowRankFitOptions,
): Steps<LowRankFitResult> {
  engine.checkAlive()
  checkLowRankFit(pattern, options)
  throwIfAborted(options)
  const { norm, maxHeadDim, seed = 1, onProgress } = options
  const write = (scope: Scope) =>
    engine.record
      .tensor(scope.floats(pattern, 'pattern'))
      .number(norm)
      .optional(maxHeadDim)
      .number(seed)
  let told = 0
  const look = (results: (count: number) => Tensor[]) => {
    for (const fit of fitsIn(results(3)).slice(told)) {
      told++
      onProgress?.(fit)
    }
  }
  const results = yield* analyse(engine, 'lowRankFit', write, 6, onProgress && look)
  const [divergence, largestError, scoreNorm, weights, queries, keys] = results as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
  ]
  return { divergence, largestError, norm: scoreNorm, weights, queries, keys }
}

/** What is fitted so far; NaN stands for what is not. */
function fitsIn([divergence, largestError, norm]: Tensor[]): FittedHeadDim[] {
  const fits = Array.from(divergence?.data ?? [], (value, place) => ({
    headDim: place + 1,
    divergence: value,
    largestError: largestError?.data[place] ?? NaN,
    norm: norm?.data[place] ?? NaN,
  }))
  return fits.filter(({ divergence }) => !Number.isNaN(divergence))
}
