// The loss over pairs of sentences with some heads switched off, and what ablation by the mean needs.
import type {
  HeadAblation,
  PairLoss,
  PairLossOptions,
  SentencePair,
} from '../types/head-importance.js'
import type { Tensor } from '../types/tensor.js'
import type { Engine } from './engine.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import {
  editOf,
  encodePairs,
  PairRuns,
  TextRuns,
  type HeadEdit,
  type PairLosses,
} from './pair-runs.js'
import { Reporter } from './partial-results.js'
import { noTensor } from './record.js'
import { Scope } from './scope.js'
import { throwIfAborted, type Steps } from './steps.js'

export const noHeads: ReadonlySet<number> = new Set()

export function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The change of heads, with the means in memory where it needs them. */
export function* prepareEdit(
  scope: Scope,
  ablation: HeadAblation,
  seed: number,
  means: () => Steps<Float32Array>,
): Steps<HeadEdit> {
  if (ablation !== 'mean') return editOf(ablation, seed, noTensor)
  const data = yield* means()
  return editOf('mean', seed, { address: scope.bytes(data, 'means'), dims: [data.length] })
}

export function* summaryOf(
  engine: Engine,
  { losses, right }: PairLosses,
  resamples: number,
  seed: number,
): Steps<PairLoss> {
  const { low, high } = yield* meanIntervals(engine, losses, 1, resamples, seed)
  return {
    loss: meanOf(losses),
    accuracy: meanOf(right),
    low: low[0] ?? NaN,
    high: high[0] ?? NaN,
    losses,
  }
}

export function* pairLossSteps(
  model: CoreModel,
  pairs: readonly SentencePair[],
  options: PairLossOptions,
): Steps<PairLoss> {
  throwIfAborted(options)
  const { engine, config } = model.transformer
  const { heads = [], ablation = 'zero', means, seed = 0, resamples = 1000 } = options
  const ids = yield* encodePairs(model, pairs)
  const scope = new Scope(engine)
  try {
    const runs = new PairRuns(model, scope, ids)
    const reporter = new Reporter(options, 2, () => undefined)
    const edit = yield* prepareEdit(scope, ablation, seed, function* () {
      return means === undefined ? yield* runs.means() : means.data
    })
    yield* runs.embed()
    reporter.add(1)
    const off = new Set(heads.map(({ layer, head }) => layer * config.numHeads + head))
    const losses = yield* runs.loss(off, edit)
    reporter.add(1)
    return yield* summaryOf(engine, losses, resamples, seed)
  } finally {
    scope.end()
  }
}

export function* meanHeadOutputsSteps(model: CoreModel, texts: readonly string[]): Steps<Tensor> {
  const { engine, config } = model.transformer
  const scope = new Scope(engine)
  try {
    const ids = texts.map((text) => Int32Array.from(model.tokenizer.encode(text).ids))
    const data = yield* new TextRuns(model, scope, ids).means()
    const { numLayers, numHeads, headDim } = config
    return { type: 'float32', data, dims: [numLayers, numHeads, headDim] }
  } finally {
    scope.end()
  }
}
