// The loss over samples with some heads switched off, and what ablation by the mean needs.
import { attentionsOf } from '../model/attentions.js'
import { encodeText } from '../model/inputs.js'
import type {
  AnsweredText,
  HeadAblation,
  LossSample,
  ModelLoss,
  ModelLossOptions,
} from '../types/head-importance.js'
import type { Tensor } from '../types/tensor.js'
import { editOf, KeptRuns, type HeadEdit, type SampleLosses } from './kept-runs.js'
import { encodeSamples, lossKindOf, openRuns, type EncodedSample } from './loss-samples.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import { Reporter } from './partial-results.js'
import { noTensor } from './record.js'
import { Scope } from './scope.js'
import { checkKind } from './sentence-batches.js'
import { throwIfAborted, type Steps } from './steps.js'

export const noHeads: ReadonlySet<number> = new Set()

export function sumOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The mean over all that is judged. */
export function meanLoss({ losses, counts }: SampleLosses): number {
  return sumOf(losses) / sumOf(counts)
}

export function meanAccuracy({ right, counts }: SampleLosses): number {
  return sumOf(right) / sumOf(counts)
}

export function matchShare(matches: Float32Array): number {
  return sumOf(matches) / matches.length
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
  model: CoreModel,
  samples: readonly EncodedSample[],
  found: SampleLosses,
  resamples: number,
  seed: number,
): Steps<ModelLoss> {
  const { losses, counts, matches } = found
  const { engine } = model.transformer
  const { low, high } = yield* meanIntervals(engine, losses, 1, counts, resamples, seed)
  const bytes = samples.reduce((sum, sample) => sum + sample.bytes, 0)
  return {
    kind: lossKindOf(model.config),
    loss: meanLoss(found),
    accuracy: meanAccuracy(found),
    low: low[0] ?? NaN,
    high: high[0] ?? NaN,
    losses: losses.map((loss, i) => loss / (counts[i] ?? NaN)),
    tokens: counts.slice(),
    ...(model.config.kind === 'decoder' && { bitsPerByte: sumOf(losses) / Math.LN2 / bytes }),
    ...(matches !== undefined && { exactMatch: matchShare(matches) }),
  }
}

export function* lossSteps(
  model: CoreModel,
  samples: readonly LossSample[],
  options: ModelLossOptions,
): Steps<ModelLoss> {
  throwIfAborted(options)
  const { engine, config } = model.transformer
  const { heads = [], ablation = 'zero', means, seed = 0, resamples = 1000 } = options
  const encoded = yield* encodeSamples(model, samples)
  const scope = new Scope(engine)
  try {
    const runs = openRuns(model, scope, encoded)
    const reporter = new Reporter(options, 2, () => undefined)
    const edit = yield* prepareEdit(scope, ablation, seed, function* () {
      return means === undefined ? yield* runs.means() : means.data
    })
    yield* runs.embed()
    reporter.add(1)
    const off = new Set(heads.map(({ layer, head }) => layer * config.numHeads + head))
    const losses = yield* runs.loss(off, edit)
    reporter.add(1)
    return yield* summaryOf(model, encoded, losses, resamples, seed)
  } finally {
    scope.end()
  }
}

export function* meanHeadOutputsSteps(
  model: CoreModel,
  texts: readonly string[] | readonly AnsweredText[],
): Steps<Tensor> {
  const { engine, config } = model.transformer
  checkKind(model, ['encoder', 'decoder', 'encoder-decoder'])
  const scope = new Scope(engine)
  try {
    const sequences =
      config.kind === 'encoder-decoder'
        ? (yield* encodeSamples(model, texts)).flatMap((sample) => sample.sequences)
        : (texts as readonly string[]).map((text, i) => ({
            ids: Int32Array.from(encodeText(model, text, `texts[${i}]`).ids),
          }))
    const data = yield* new KeptRuns(model, scope, sequences).means()
    const { numHeads, headDim } = config
    return { type: 'float32', data, dims: [attentionsOf(config).length, numHeads, headDim] }
  } finally {
    scope.end()
  }
}
