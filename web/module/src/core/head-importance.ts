// Leave one out: the loss without each head. Both halves of the samples walk through the blocks side
// by side; at each block every head of it is left out in turn and the rest of the model runs.
import { attentionsOf, blocksOf, type Attention } from '../model/attentions.js'
import { halvesOf } from '../model/head-analysis.js'
import type {
  HeadChanges,
  HeadImportance,
  HeadImportanceOptions,
  LossSample,
  ModelLoss,
} from '../types/head-importance.js'
import type { Tensor } from '../types/tensor.js'
import type { HeadEdit, SampleLosses } from './kept-runs.js'
import { encodeSamples, openRuns, type EncodedSample, type LossRuns } from './loss-samples.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import { matchShare, meanLoss, noHeads, prepareEdit, summaryOf } from './model-loss.js'
import { Reporter } from './partial-results.js'
import { Scope } from './scope.js'
import { throwIfAborted, type Steps } from './steps.js'

/** The samples in halves, each with its runs. */
export interface Halves {
  half: Uint8Array
  samples: { selection: EncodedSample[]; report: EncodedSample[] }
  selection: LossRuns
  report: LossRuns
}

export function* takeHalves(
  model: CoreModel,
  scope: Scope,
  given: readonly LossSample[],
  seed: number,
): Steps<Halves> {
  const encoded = yield* encodeSamples(model, given)
  const half = halvesOf([...encoded.keys()], encoded.length, seed)
  const of = (which: number) => encoded.filter((_, i) => half[i] === which)
  const samples = { selection: of(1), report: of(2) }
  return {
    half,
    samples,
    selection: openRuns(model, scope, samples.selection),
    report: openRuns(model, scope, samples.report),
  }
}

/** A set of heads to be changed in one block, and who hears of the loss. */
export interface Variant {
  runs: LossRuns
  heads: ReadonlySet<number>
  take: (losses: SampleLosses) => void
}

/** An attention with its place among all, by which its heads are counted, and what a change of it costs. */
export interface Place extends Attention {
  index: number
  /** Blocks that run again. */
  behind: number
}

export function placesOf(config: CoreModel['config']): Place[] {
  const blocks = blocksOf(config)
  return attentionsOf(config).map((attention, index) => {
    return { ...attention, index, behind: blocks - attention.block }
  })
}

/**
 * Walks the runs from the embedding through all blocks with the heads of `base` changed. The variants
 * of an attention change heads of it and behind its block besides.
 */
export function* walk(
  { config }: CoreModel,
  runs: readonly LossRuns[],
  edit: HeadEdit,
  base: ReadonlySet<number>,
  variantsOf: (place: Place) => readonly Variant[],
): Steps<void> {
  const blocks = blocksOf(config)
  const places = placesOf(config)
  for (const one of runs) yield* one.embed()
  for (let block = 0; block < blocks; block++) {
    const here = places.filter((place) => place.block === block)
    for (const { runs: own, heads, take } of here.flatMap(variantsOf)) {
      take(yield* own.loss(new Set([...base, ...heads]), edit))
    }
    if (block + 1 === blocks) break
    for (const one of runs) yield* one.advance(base, edit)
  }
}

/** What each of some values is above the base's, sample by sample, as columns: `[samples, columns]`. */
export function changesOf(base: Float32Array, all: readonly Float32Array[]): Float32Array {
  const changes = new Float32Array(base.length * all.length)
  all.forEach((values, column) => {
    values.forEach((value, sample) => {
      changes[sample * all.length + column] = value - (base[sample] ?? NaN)
    })
  })
  return changes
}

/** The least important first; of equal ones the first. */
export function orderOf(changes: Float32Array): Int32Array {
  const heads = Int32Array.from(changes.keys())
  return heads.sort((a, b) => (changes[a] ?? 0) - (changes[b] ?? 0) || a - b)
}

export function headsOf({ index }: Place, numHeads: number): number[] {
  return Array.from({ length: numHeads }, (_, head) => index * numHeads + head)
}

/** What changes by leaving out each head, and the interval of it. */
type Changes = Record<'change' | 'low' | 'high', Float32Array>

/** The work of `headImportance`, and what has been found so far. */
class LeaveOneOut {
  readonly #all: number
  readonly #selection: Float32Array
  readonly #losses: Changes
  readonly #matches: Changes
  /** On the report half, of each head. */
  readonly #found: SampleLosses[] = []

  constructor(
    private readonly model: CoreModel,
    private readonly halves: Halves,
    private readonly edit: HeadEdit,
    private readonly options: HeadImportanceOptions,
  ) {
    this.#all = placesOf(model.config).length * model.config.numHeads
    const unknown = () => new Float32Array(this.#all).fill(NaN)
    const changes = () => ({ change: unknown(), low: unknown(), high: unknown() })
    this.#selection = unknown()
    this.#losses = changes()
    this.#matches = changes()
  }

  *run(): Steps<HeadImportance> {
    const { config } = this.model.transformer
    const { seed = 0, resamples = 1000 } = this.options
    const { selection, report, samples } = this.halves
    const base = yield* this.#loss(report)
    const selectionBase = meanLoss(yield* this.#loss(selection))
    const whole = yield* summaryOf(this.model, samples.report, base, resamples, seed)
    // In blocks run: all that are behind the head, in both halves.
    const behind = placesOf(config).reduce((sum, place) => sum + place.behind, 0)
    const units = 2 * config.numHeads * behind
    const reporter = new Reporter(this.options, units, () => this.#summary(whole))
    yield* walk(this.model, [selection, report], this.edit, noHeads, (place) =>
      headsOf(place, config.numHeads).flatMap((head): Variant[] => {
        const heads = new Set([head])
        const take = (enter: (got: SampleLosses) => void) => (got: SampleLosses) => {
          enter(got)
          reporter.add(place.behind)
        }
        return [
          {
            runs: selection,
            heads,
            take: take((got) => (this.#selection[head] = meanLoss(got) - selectionBase)),
          },
          { runs: report, heads, take: take((got) => this.#enter(head, got, base)) },
        ]
      }),
    )
    yield* this.#intervals(base)
    return this.#summary(whole)
  }

  #enter(head: number, got: SampleLosses, base: SampleLosses): void {
    this.#found[head] = got
    this.#losses.change[head] = meanLoss(got) - meanLoss(base)
    if (got.matches === undefined || base.matches === undefined) return
    this.#matches.change[head] = matchShare(got.matches) - matchShare(base.matches)
  }

  *#intervals({ losses, counts, matches }: SampleLosses): Steps<void> {
    const { engine } = this.model.transformer
    const { seed = 0, resamples = 1000 } = this.options
    const heads = this.#all
    const enter = function* (target: Changes, columns: Float32Array, weights: Float32Array) {
      const bounds = yield* meanIntervals(engine, columns, heads, weights, resamples, seed)
      target.low.set(bounds.low)
      target.high.set(bounds.high)
    }
    const all = this.#found.map((found) => found.losses)
    yield* enter(this.#losses, changesOf(losses, all), counts)
    if (matches === undefined) return
    const matched = this.#found.map((found) => found.matches ?? new Float32Array())
    yield* enter(this.#matches, changesOf(matches, matched), matches.slice().fill(1))
  }

  *#loss(runs: LossRuns): Steps<SampleLosses> {
    yield* runs.embed()
    return yield* runs.loss(noHeads, this.edit)
  }

  #summary(whole: ModelLoss): HeadImportance {
    const { numHeads } = this.model.config
    const attentions = placesOf(this.model.config).map(({ name }) => name)
    const tensor = (data: Float32Array): Tensor => {
      return {
        type: 'float32',
        data: Float32Array.from(data),
        dims: [attentions.length, numHeads],
      }
    }
    const tensors = ({ change, low, high }: Changes): HeadChanges => {
      return { change: tensor(change), low: tensor(low), high: tensor(high) }
    }
    const { ablation = 'zero', seed = 0, resamples = 1000 } = this.options
    const isWhole = this.#selection.every((change) => !Number.isNaN(change))
    return {
      seed,
      resamples,
      ablation,
      attentions,
      half: this.halves.half.slice(),
      base: { ...whole, losses: whole.losses.slice(), tokens: whole.tokens.slice() },
      ...tensors(this.#losses),
      selection: tensor(this.#selection),
      ...(whole.exactMatch !== undefined && { exactMatch: tensors(this.#matches) }),
      order: isWhole ? orderOf(this.#selection) : new Int32Array(),
    }
  }
}

export function* headImportanceSteps(
  model: CoreModel,
  samples: readonly LossSample[],
  options: HeadImportanceOptions,
): Steps<HeadImportance> {
  throwIfAborted(options)
  const { ablation = 'zero', seed = 0 } = options
  const scope = new Scope(model.transformer.engine)
  try {
    const halves = yield* takeHalves(model, scope, samples, seed)
    const edit = yield* prepareEdit(scope, ablation, seed, () => halves.selection.means())
    return yield* new LeaveOneOut(model, halves, edit, options).run()
  } finally {
    scope.end()
  }
}
