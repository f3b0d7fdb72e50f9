// Leave one out: the loss without each head. Both halves of the pairs walk through the layers side by
// side; at each layer every head of it is left out in turn and the rest of the model runs.
import { halvesOf } from '../model/head-analysis.js'
import type {
  HeadImportance,
  HeadImportanceOptions,
  PairLoss,
  SentencePair,
} from '../types/head-importance.js'
import type { Tensor } from '../types/tensor.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import { meanOf, noHeads, prepareEdit, summaryOf } from './pair-loss.js'
import { encodePairs, PairRuns, type HeadEdit, type PairLosses } from './pair-runs.js'
import { Reporter } from './partial-results.js'
import { Scope } from './scope.js'
import { throwIfAborted, type Steps } from './steps.js'

/** The pairs in halves, each with its runs. */
export interface Halves {
  half: Uint8Array
  selection: PairRuns
  report: PairRuns
}

export function* takeHalves(
  model: CoreModel,
  scope: Scope,
  pairs: readonly SentencePair[],
  seed: number,
): Steps<Halves & { ids: Int32Array[][] }> {
  const ids = yield* encodePairs(model, pairs)
  const half = halvesOf([...ids.keys()], ids.length, seed)
  const of = (which: number) => {
    const own = ids.filter((_, i) => half[i] === which)
    return new PairRuns(model, scope, own)
  }
  return { half, selection: of(1), report: of(2), ids }
}

/** A set of heads to be changed in one layer, and who hears of the loss. */
export interface Variant {
  runs: PairRuns
  heads: ReadonlySet<number>
  take: (losses: PairLosses) => void
}

/**
 * Walks the runs from the embedding through all layers with the heads of `base` changed. The variants
 * of a layer change heads of it and behind it besides.
 */
export function* walk(
  { config }: CoreModel,
  runs: readonly PairRuns[],
  edit: HeadEdit,
  base: ReadonlySet<number>,
  variantsOf: (layer: number) => readonly Variant[],
): Steps<void> {
  for (const one of runs) yield* one.embed()
  for (let layer = 0; layer < config.numLayers; layer++) {
    for (const { runs: own, heads, take } of variantsOf(layer)) {
      take(yield* own.loss(new Set([...base, ...heads]), edit))
    }
    if (layer + 1 === config.numLayers) break
    for (const one of runs) yield* one.advance(base, edit)
  }
}

/** What each loss is above the base's, pair by pair, as columns: `[pairs, columns]`. */
export function changesOf(base: PairLosses, all: readonly PairLosses[]): Float32Array {
  const changes = new Float32Array(base.losses.length * all.length)
  all.forEach(({ losses }, column) => {
    losses.forEach((loss, pair) => {
      changes[pair * all.length + column] = loss - (base.losses[pair] ?? NaN)
    })
  })
  return changes
}

/** The least important first; of equal ones the first. */
export function orderOf(changes: Float32Array): Int32Array {
  const heads = Int32Array.from(changes.keys())
  return heads.sort((a, b) => (changes[a] ?? 0) - (changes[b] ?? 0) || a - b)
}

export function headsOf(layer: number, numHeads: number): number[] {
  return Array.from({ length: numHeads }, (_, head) => layer * numHeads + head)
}

export function* headImportanceSteps(
  model: CoreModel,
  pairs: readonly SentencePair[],
  options: HeadImportanceOptions,
): Steps<HeadImportance> {
  throwIfAborted(options)
  const { engine, config } = model.transformer
  const { ablation = 'zero', seed = 0, resamples = 1000 } = options
  const { numLayers, numHeads } = config
  const scope = new Scope(engine)
  try {
    const { half, selection, report } = yield* takeHalves(model, scope, pairs, seed)
    const edit = yield* prepareEdit(scope, ablation, seed, () => selection.means())
    const bases: PairLosses[] = []
    for (const runs of [selection, report]) {
      yield* runs.embed()
      bases.push(yield* runs.loss(noHeads, edit))
    }
    const [selectionBase, base] = bases as [PairLosses, PairLosses]
    const grid = () => new Float32Array(numLayers * numHeads).fill(NaN)
    const changes = { selection: grid(), report: grid() }
    const losses: PairLosses[] = []
    const summary = (whole: PairLoss, bounds = { low: grid(), high: grid() }): HeadImportance => {
      const tensor = (data: Tensor['data']): Tensor => {
        return { type: 'float32', data: data.slice(), dims: [numLayers, numHeads] }
      }
      const isWhole = losses.length === numLayers * numHeads
      return {
        seed,
        resamples,
        ablation,
        half: half.slice(),
        base: { ...whole, losses: whole.losses.slice() },
        change: tensor(changes.report),
        low: tensor(bounds.low),
        high: tensor(bounds.high),
        selection: tensor(changes.selection),
        order: isWhole ? orderOf(changes.selection) : new Int32Array(),
      }
    }
    const whole = yield* summaryOf(engine, base, resamples, seed)
    // In layers run: all that are behind the head.
    const units = numHeads * numLayers * (numLayers + 1)
    const reporter = new Reporter(options, units, () => summary(whole))
    const variantsOf = (layer: number) =>
      headsOf(layer, numHeads).flatMap((head): Variant[] => {
        const heads = new Set([head])
        return [
          {
            runs: selection,
            heads,
            take: (got) => {
              changes.selection[head] = meanOf(got.losses) - meanOf(selectionBase.losses)
              reporter.add(numLayers - layer)
            },
          },
          {
            runs: report,
            heads,
            take: (got) => {
              losses[head] = got
              changes.report[head] = meanOf(got.losses) - meanOf(base.losses)
              reporter.add(numLayers - layer)
            },
          },
        ]
      })
    yield* walk(model, [selection, report], edit, noHeads, variantsOf)
    const columns = changesOf(base, losses)
    return summary(whole, yield* meanIntervals(engine, columns, losses.length, resamples, seed))
  } finally {
    scope.end()
  }
}
