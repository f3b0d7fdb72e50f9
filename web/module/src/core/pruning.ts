// The loss as more and more heads go: heads are chosen on one half of the samples, losses reported on
// the other.
import { blocksOf } from '../model/attentions.js'
import { randomNumbers, shuffled } from '../model/head-analysis.js'
import type {
  LossChanges,
  LossSample,
  PruningCurve,
  PruningCurves,
  PruningOptions,
} from '../types/head-importance.js'
import {
  changesOf,
  headsOf,
  orderOf,
  placesOf,
  takeHalves,
  walk,
  type Halves,
  type Place,
  type Variant,
} from './head-importance.js'
import type { HeadEdit, SampleLosses } from './kept-runs.js'
import { openRuns, type LossRuns } from './loss-samples.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import {
  matchShare,
  meanAccuracy,
  meanLoss,
  noHeads,
  prepareEdit,
  summaryOf,
} from './model-loss.js'
import { Reporter } from './partial-results.js'
import { Scope } from './scope.js'
import { throwIfAborted, type Steps } from './steps.js'

/** Losses to come, `matched` where greedy decoding can match answers. */
function unknownChanges(count: number, matched: boolean): LossChanges {
  const unknown = () => new Float32Array(count).fill(NaN)
  return {
    loss: unknown(),
    accuracy: unknown(),
    changeLow: unknown(),
    changeHigh: unknown(),
    ...(matched && { exactMatch: unknown() }),
  }
}

function unknownCurve(order: Iterable<number>, pruned: Int32Array, matched: boolean): PruningCurve {
  return { order: Int32Array.from(order), pruned, ...unknownChanges(pruned.length, matched) }
}

/** Numbers of heads from none to all, evenly. */
function pointsOf(points: number, heads: number): Int32Array {
  return Int32Array.from({ length: points }, (_, i) => Math.round((i * heads) / (points - 1)))
}

function leastOf(values: readonly number[]): number {
  return values.reduce((least, value, i) => (value < (values[least] ?? NaN) ? i : least), 0)
}

/** All of the work on one set of samples; `curves` holds what has been found. */
class Pruning {
  readonly #places: readonly Place[]
  readonly #all: number
  readonly #resamples: number
  readonly #seed: number
  readonly #reporter: Reporter<PruningCurves>

  constructor(
    private readonly model: CoreModel,
    private readonly halves: Halves,
    private readonly edit: HeadEdit,
    private readonly base: SampleLosses,
    private readonly options: PruningOptions,
    readonly curves: PruningCurves,
  ) {
    this.#places = placesOf(model.config)
    this.#all = this.#places.length * model.config.numHeads
    this.#resamples = options.resamples ?? 1000
    this.#seed = options.seed ?? 0
    this.#reporter = new Reporter(options, this.#units(), () => structuredClone(curves))
  }

  /** Blocks run, times samples. */
  #units(): number {
    const { selection, report } = this.halves
    const { order, randomOrders = 5, points = 12, greedyPairs = 0 } = this.options
    const { numHeads } = this.model.config
    const behind = this.#behind()
    const choices = (order === undefined ? 2 : 1) * numHeads * behind * selection.samples
    const curves = 1 + randomOrders + (greedyPairs > 0 ? 1 : 0)
    const few = Math.min(greedyPairs, selection.samples)
    const greedy = (few * this.#all * (this.#all + 1) * behind) / (2 * this.#places.length)
    return (
      choices +
      2 * behind * report.samples +
      curves * points * blocksOf(this.model.config) * report.samples +
      greedy
    )
  }

  /** Blocks that run again, over all attentions. */
  #behind(): number {
    return this.#places.reduce((sum, place) => sum + place.behind, 0)
  }

  /** The order by leave-one-out, unless it is given, and the head to keep in each attention. */
  *choose(): Steps<void> {
    const { selection } = this.halves
    const { numHeads } = this.model.config
    const changes = new Float32Array(this.#all)
    const keeping: number[] = []
    const variant = (heads: number[], place: Place, take: (loss: number) => void): Variant => ({
      runs: selection,
      heads: new Set(heads),
      take: (losses) => {
        take(meanLoss(losses))
        this.#reporter.add(place.behind * selection.samples)
      },
    })
    yield* walk(this.model, [selection], this.edit, noHeads, (place) => {
      const heads = headsOf(place, numHeads)
      const leaveOut = heads.map((head) => variant([head], place, (loss) => (changes[head] = loss)))
      const keep = heads.map((head) =>
        variant(
          heads.filter((other) => other !== head),
          place,
          (loss) => (keeping[head] = loss),
        ),
      )
      return this.options.order === undefined ? [...leaveOut, ...keep] : keep
    })
    this.curves.importance.order.set(this.options.order ?? orderOf(changes))
    for (const { index } of this.#places) {
      const own = keeping.slice(index * numHeads, (index + 1) * numHeads)
      this.curves.keepOne.head[index] = leastOf(own)
    }
  }

  /** Each attention without any head, and with the chosen one. */
  *layers(): Steps<void> {
    const { report } = this.halves
    const { numHeads } = this.model.config
    const { layers, keepOne } = this.curves
    const found = { layers: [] as SampleLosses[], keepOne: [] as SampleLosses[] }
    yield* walk(this.model, [report], this.edit, noHeads, (place) => {
      const heads = headsOf(place, numHeads)
      const take = (name: 'layers' | 'keepOne') => (losses: SampleLosses) => {
        found[name][place.index] = losses
        this.#enter(this.curves[name], place.index, losses)
        this.#reporter.add(place.behind * report.samples)
      }
      const others = heads.filter((head) => head % numHeads !== keepOne.head[place.index])
      return [
        { runs: report, heads: new Set(heads), take: take('layers') },
        { runs: report, heads: new Set(others), take: take('keepOne') },
      ]
    })
    yield* this.#intervals(layers, found.layers)
    yield* this.#intervals(keepOne, found.keepOne)
  }

  *curve(curve: PruningCurve): Steps<void> {
    const { report } = this.halves
    yield* report.embed()
    const all: SampleLosses[] = []
    for (const [i, count] of curve.pruned.entries()) {
      const losses = yield* report.loss(new Set(curve.order.subarray(0, count)), this.edit)
      all.push(losses)
      this.#enter(curve, i, losses)
      this.#reporter.add(blocksOf(this.model.config) * report.samples)
    }
    yield* this.#intervals(curve, all)
  }

  /** Of the heads left always the one whose loss is missed least. */
  *greedyOrder(runs: LossRuns): Steps<number[]> {
    const { numHeads } = this.model.config
    const gone: number[] = []
    while (gone.length < this.#all) {
      const losses: number[] = Array<number>(this.#all).fill(Infinity)
      yield* walk(this.model, [runs], this.edit, new Set(gone), (place) =>
        headsOf(place, numHeads)
          .filter((head) => !gone.includes(head))
          .map((head) => ({
            runs,
            heads: new Set([head]),
            take: (got) => (losses[head] = meanLoss(got)),
          })),
      )
      const left = this.#all - gone.length
      gone.push(leastOf(losses))
      this.#reporter.add((runs.samples * left * this.#behind()) / this.#places.length)
    }
    return gone
  }

  #enter(changes: LossChanges, place: number, losses: SampleLosses): void {
    changes.loss[place] = meanLoss(losses)
    changes.accuracy[place] = meanAccuracy(losses)
    if (losses.matches === undefined || changes.exactMatch === undefined) return
    changes.exactMatch[place] = matchShare(losses.matches)
  }

  *#intervals(changes: LossChanges, all: readonly SampleLosses[]): Steps<void> {
    const { engine } = this.model.transformer
    const columns = changesOf(
      this.base.losses,
      all.map(({ losses }) => losses),
    )
    const bounds = yield* meanIntervals(
      engine,
      columns,
      all.length,
      this.base.counts,
      this.#resamples,
      this.#seed,
    )
    changes.changeLow.set(bounds.low)
    changes.changeHigh.set(bounds.high)
  }
}

export function* pruningSteps(
  model: CoreModel,
  given: readonly LossSample[],
  options: PruningOptions,
): Steps<PruningCurves> {
  throwIfAborted(options)
  const { config } = model.transformer
  const { ablation = 'zero', seed = 0, resamples = 1000, greedyPairs = 0 } = options
  const scope = new Scope(model.transformer.engine)
  try {
    const halves = yield* takeHalves(model, scope, given, seed)
    const { half, selection, report, samples } = halves
    const edit = yield* prepareEdit(scope, ablation, seed, () => selection.means())
    yield* report.embed()
    const base = yield* report.loss(noHeads, edit)
    const attentions = placesOf(config).map(({ name }) => name)
    const all = attentions.length * config.numHeads
    const pruned = pointsOf(options.points ?? 12, all)
    const random = randomNumbers(seed)
    const heads = [...Array(all).keys()]
    const matched = base.matches !== undefined
    const changes = () => unknownChanges(attentions.length, matched)
    const curves: PruningCurves = {
      seed,
      resamples,
      ablation,
      attentions,
      half,
      base: yield* summaryOf(model, samples.report, base, resamples, seed),
      importance: unknownCurve(heads, pruned, matched),
      random: Array.from({ length: options.randomOrders ?? 5 }, () =>
        unknownCurve(shuffled(heads, random), pruned, matched),
      ),
      ...(greedyPairs > 0 && { greedy: unknownCurve(heads, pruned, matched) }),
      layers: changes(),
      keepOne: { head: new Int32Array(attentions.length), ...changes() },
    }
    const pruning = new Pruning(model, halves, edit, base, options, curves)
    yield* pruning.choose()
    yield* pruning.layers()
    for (const curve of [curves.importance, ...curves.random]) yield* pruning.curve(curve)
    if (curves.greedy !== undefined) {
      const few = openRuns(model, scope, samples.selection.slice(0, greedyPairs))
      curves.greedy.order.set(yield* pruning.greedyOrder(few))
      yield* pruning.curve(curves.greedy)
    }
    return curves
  } finally {
    scope.end()
  }
}
