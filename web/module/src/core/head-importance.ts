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

/** The work of `headImportance`, and what has been found so far. */
class LeaveOneOut {
  readonly #all: number
  readonly #changes: { selection: Float32Array; report: Float32Array }
  /** On the report half, of each head. */
  readonly #losses: PairLosses[] = []

  constructor(
    private readonly model: CoreModel,
    private readonly halves: Halves,
    private readonly edit: HeadEdit,
    private readonly options: HeadImportanceOptions,
  ) {
    this.#all = model.config.numLayers * model.config.numHeads
    this.#changes = { selection: this.#unknown(), report: this.#unknown() }
  }

  *run(): Steps<HeadImportance> {
    const { engine, config } = this.model.transformer
    const { seed = 0, resamples = 1000 } = this.options
    const { selection, report } = this.halves
    const base = yield* this.#loss(report)
    const selectionBase = yield* this.#loss(selection)
    const whole = yield* summaryOf(engine, base, resamples, seed)
    // In layers run: all that are behind the head.
    const units = this.#all * (config.numLayers + 1)
    const reporter = new Reporter(this.options, units, () => this.#summary(whole))
    yield* walk(this.model, [selection, report], this.edit, noHeads, (layer) =>
      headsOf(layer, config.numHeads).flatMap((head): Variant[] => {
        const heads = new Set([head])
        const take = (half: 'selection' | 'report', than: PairLosses) => (got: PairLosses) => {
          if (half === 'report') this.#losses[head] = got
          this.#changes[half][head] = meanOf(got.losses) - meanOf(than.losses)
          reporter.add(config.numLayers - layer)
        }
        return [
          { runs: selection, heads, take: take('selection', selectionBase) },
          { runs: report, heads, take: take('report', base) },
        ]
      }),
    )
    const columns = changesOf(base, this.#losses)
    return this.#summary(whole, yield* meanIntervals(engine, columns, this.#all, resamples, seed))
  }

  *#loss(runs: PairRuns): Steps<PairLosses> {
    yield* runs.embed()
    return yield* runs.loss(noHeads, this.edit)
  }

  #unknown(): Float32Array {
    return new Float32Array(this.#all).fill(NaN)
  }

  #summary(
    whole: PairLoss,
    { low, high } = { low: this.#unknown(), high: this.#unknown() },
  ): HeadImportance {
    const { numLayers, numHeads } = this.model.config
    const tensor = (data: Float32Array): Tensor => {
      return { type: 'float32', data: Float32Array.from(data), dims: [numLayers, numHeads] }
    }
    const { ablation = 'zero', seed = 0, resamples = 1000 } = this.options
    const isWhole = this.#losses.length === this.#all
    return {
      seed,
      resamples,
      ablation,
      half: this.halves.half.slice(),
      base: { ...whole, losses: whole.losses.slice() },
      change: tensor(this.#changes.report),
      low: tensor(low),
      high: tensor(high),
      selection: tensor(this.#changes.selection),
      order: isWhole ? orderOf(this.#changes.selection) : new Int32Array(),
    }
  }
}

export function* headImportanceSteps(
  model: CoreModel,
  pairs: readonly SentencePair[],
  options: HeadImportanceOptions,
): Steps<HeadImportance> {
  throwIfAborted(options)
  const { ablation = 'zero', seed = 0 } = options
  const scope = new Scope(model.transformer.engine)
  try {
    const halves = yield* takeHalves(model, scope, pairs, seed)
    const edit = yield* prepareEdit(scope, ablation, seed, () => halves.selection.means())
    return yield* new LeaveOneOut(model, halves, edit, options).run()
  } finally {
    scope.end()
  }
}
