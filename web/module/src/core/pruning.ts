// The loss as more and more heads go: heads are chosen on one half of the pairs, losses reported on
// the other.
import { randomNumbers, shuffled } from '../model/head-analysis.js'
import type {
  LossChanges,
  PruningCurve,
  PruningCurves,
  PruningOptions,
  SentencePair,
} from '../types/head-importance.js'
import {
  changesOf,
  headsOf,
  orderOf,
  takeHalves,
  walk,
  type Halves,
  type Variant,
} from './head-importance.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import { meanOf, noHeads, prepareEdit, summaryOf } from './pair-loss.js'
import { PairRuns, type HeadEdit, type PairLosses } from './pair-runs.js'
import { Reporter } from './partial-results.js'
import { Scope } from './scope.js'
import { throwIfAborted, type Steps } from './steps.js'

function unknownChanges(count: number): LossChanges {
  const unknown = () => new Float32Array(count).fill(NaN)
  return { loss: unknown(), accuracy: unknown(), changeLow: unknown(), changeHigh: unknown() }
}

function unknownCurve(order: Iterable<number>, pruned: Int32Array): PruningCurve {
  return { order: Int32Array.from(order), pruned, ...unknownChanges(pruned.length) }
}

/** Numbers of heads from none to all, evenly. */
function pointsOf(points: number, heads: number): Int32Array {
  return Int32Array.from({ length: points }, (_, i) => Math.round((i * heads) / (points - 1)))
}

function leastOf(values: readonly number[]): number {
  return values.reduce((least, value, i) => (value < (values[least] ?? NaN) ? i : least), 0)
}

/** All of the work on one set of pairs; `curves` holds what has been found. */
class Pruning {
  readonly #all: number
  readonly #resamples: number
  readonly #seed: number
  readonly #reporter: Reporter<PruningCurves>

  constructor(
    private readonly model: CoreModel,
    private readonly halves: Halves,
    private readonly edit: HeadEdit,
    private readonly base: PairLosses,
    private readonly options: PruningOptions,
    readonly curves: PruningCurves,
  ) {
    this.#all = model.config.numLayers * model.config.numHeads
    this.#resamples = options.resamples ?? 1000
    this.#seed = options.seed ?? 0
    this.#reporter = new Reporter(options, this.#units(), () => structuredClone(curves))
  }

  /** Layers run, times pairs. */
  #units(): number {
    const { selection, report } = this.halves
    const { numLayers, numHeads } = this.model.config
    const { order, randomOrders = 5, points = 12, greedyPairs = 0 } = this.options
    const walked = (numLayers * (numLayers + 1)) / 2
    const choices = (order === undefined ? 2 : 1) * numHeads * walked * selection.pairs
    const curves = 1 + randomOrders + (greedyPairs > 0 ? 1 : 0)
    const greedy = Math.min(greedyPairs, selection.pairs) * this.#all * (this.#all + 1)
    return (
      choices +
      2 * walked * report.pairs +
      curves * points * numLayers * report.pairs +
      (greedy * (numLayers + 1)) / 4
    )
  }

  /** The order by leave-one-out, unless it is given, and the head to keep in each layer. */
  *choose(): Steps<void> {
    const { selection } = this.halves
    const { numLayers, numHeads } = this.model.config
    const changes = new Float32Array(this.#all)
    const keeping: number[] = []
    const variant = (heads: number[], layer: number, take: (loss: number) => void): Variant => ({
      runs: selection,
      heads: new Set(heads),
      take: ({ losses }) => {
        take(meanOf(losses))
        this.#reporter.add((numLayers - layer) * selection.pairs)
      },
    })
    yield* walk(this.model, [selection], this.edit, noHeads, (layer) => {
      const heads = headsOf(layer, numHeads)
      const leaveOut = heads.map((head) => variant([head], layer, (loss) => (changes[head] = loss)))
      const keep = heads.map((head) =>
        variant(
          heads.filter((other) => other !== head),
          layer,
          (loss) => (keeping[head] = loss),
        ),
      )
      return this.options.order === undefined ? [...leaveOut, ...keep] : keep
    })
    this.curves.importance.order.set(this.options.order ?? orderOf(changes))
    for (let layer = 0; layer < numLayers; layer++) {
      const own = keeping.slice(layer * numHeads, (layer + 1) * numHeads)
      this.curves.keepOne.head[layer] = leastOf(own)
    }
  }

  /** Each layer without any head, and with the chosen one. */
  *layers(): Steps<void> {
    const { report } = this.halves
    const { numLayers, numHeads } = this.model.config
    const { layers, keepOne } = this.curves
    const found = { layers: [] as PairLosses[], keepOne: [] as PairLosses[] }
    yield* walk(this.model, [report], this.edit, noHeads, (layer) => {
      const heads = headsOf(layer, numHeads)
      const take = (name: 'layers' | 'keepOne') => (losses: PairLosses) => {
        found[name].push(losses)
        this.#enter(this.curves[name], layer, losses)
        this.#reporter.add((numLayers - layer) * report.pairs)
      }
      const others = heads.filter((head) => head % numHeads !== keepOne.head[layer])
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
    const all: PairLosses[] = []
    for (const [i, count] of curve.pruned.entries()) {
      const losses = yield* report.loss(new Set(curve.order.subarray(0, count)), this.edit)
      all.push(losses)
      this.#enter(curve, i, losses)
      this.#reporter.add(this.model.config.numLayers * report.pairs)
    }
    yield* this.#intervals(curve, all)
  }

  /** Of the heads left always the one whose loss is missed least. */
  *greedyOrder(runs: PairRuns): Steps<number[]> {
    const { numLayers, numHeads } = this.model.config
    const gone: number[] = []
    while (gone.length < this.#all) {
      const losses: number[] = Array<number>(this.#all).fill(Infinity)
      yield* walk(this.model, [runs], this.edit, new Set(gone), (layer) =>
        headsOf(layer, numHeads)
          .filter((head) => !gone.includes(head))
          .map((head) => ({
            runs,
            heads: new Set([head]),
            take: (got) => (losses[head] = meanOf(got.losses)),
          })),
      )
      const left = this.#all - gone.length
      gone.push(leastOf(losses))
      this.#reporter.add((runs.pairs * left * (numLayers + 1)) / 2)
    }
    return gone
  }

  #enter(changes: LossChanges, place: number, { losses, right }: PairLosses): void {
    changes.loss[place] = meanOf(losses)
    changes.accuracy[place] = meanOf(right)
  }

  *#intervals(changes: LossChanges, all: readonly PairLosses[]): Steps<void> {
    const { engine } = this.model.transformer
    const columns = changesOf(this.base, all)
    const bounds = yield* meanIntervals(engine, columns, all.length, this.#resamples, this.#seed)
    changes.changeLow.set(bounds.low)
    changes.changeHigh.set(bounds.high)
  }
}

export function* pruningSteps(
  model: CoreModel,
  pairs: readonly SentencePair[],
  options: PruningOptions,
): Steps<PruningCurves> {
  throwIfAborted(options)
  const { engine, config } = model.transformer
  const { ablation = 'zero', seed = 0, resamples = 1000, greedyPairs = 0 } = options
  const scope = new Scope(engine)
  try {
    const halves = yield* takeHalves(model, scope, pairs, seed)
    const { half, selection, report, ids } = halves
    const edit = yield* prepareEdit(scope, ablation, seed, () => selection.means())
    yield* report.embed()
    const base = yield* report.loss(noHeads, edit)
    const all = config.numLayers * config.numHeads
    const pruned = pointsOf(options.points ?? 12, all)
    const random = randomNumbers(seed)
    const heads = [...Array(all).keys()]
    const curves: PruningCurves = {
      seed,
      resamples,
      ablation,
      half,
      base: yield* summaryOf(engine, base, resamples, seed),
      importance: unknownCurve(heads, pruned),
      random: Array.from({ length: options.randomOrders ?? 5 }, () =>
        unknownCurve(shuffled(heads, random), pruned),
      ),
      ...(greedyPairs > 0 && { greedy: unknownCurve(heads, pruned) }),
      layers: unknownChanges(config.numLayers),
      keepOne: { head: new Int32Array(config.numLayers), ...unknownChanges(config.numLayers) },
    }
    const pruning = new Pruning(model, halves, edit, base, options, curves)
    yield* pruning.choose()
    yield* pruning.layers()
    for (const curve of [curves.importance, ...curves.random]) yield* pruning.curve(curve)
    if (curves.greedy !== undefined) {
      const few = ids.filter((_, i) => half[i] === 1).slice(0, greedyPairs)
      curves.greedy.order.set(yield* pruning.greedyOrder(new PairRuns(model, scope, few)))
      yield* pruning.curve(curves.greedy)
    }
    return curves
  } finally {
    scope.end()
  }
}
