// Everything chapter 8 measures and shows. Long measurements stay when the chapter is left.
import type { HeadImportance, PairLoss, PruningCurves, Tensor } from 'headwise'
import type { Header } from '../../export/table'
import { messages } from '../../i18n/messages.svelte'
import { Computed } from '../../runtime/computed.svelte'
import { LongWork } from '../../runtime/long-work.svelte'
import { reader } from '../../runtime/reading.svelte'
import { messageOf, modelNames, openModel, session } from '../../runtime/session.svelte'
import {
  ablations,
  experiments,
  spotName,
  spots,
  toggled,
  type AblationId,
  type ExperimentId,
  type HeadsOffView,
  type HeadSpot,
} from '../../state/ablationView'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import { pairedDifference, type Difference, type Neighbour } from './compare'
import { ablationOf, lossWith, mapsBehind, nearest, type Behind, type Off } from './measure'
import { filePairs, ownPairs, type PairSet } from './pairs'

/** The losses of all ways of switching off that were asked for. */
export type Ways = Partial<Record<AblationId, PairLoss>>

const importanceWork = new LongWork<HeadImportance>()
const pruningWork = new LongWork<PruningCurves>()
const waysWork = new LongWork<Ways>()

class Shelf {
  own = $state.raw<PairSet | null>(null)
  file = $state.raw<PairSet | null>(null)
  failure = $state.raw<string | null>(null)
  #asked = false

  async fill(): Promise<void> {
    if (this.#asked) return
    this.#asked = true
    try {
      this.own = await ownPairs()
      this.failure = null
    } catch (reason) {
      this.#asked = false
      this.failure = messageOf(reason)
    }
  }
}
const shelf = new Shelf()

const model = modelNames[0]
const expected = { layers: 6, heads: 12 }
/** Greedy pruning judges every head left, again and again: on so many pairs. */
export const greedyPairs = 24

export interface Changed {
  base: PairLoss
  now: PairLoss
  difference: Difference
}

export class AblationState {
  readonly importance = importanceWork
  readonly pruning = pruningWork
  readonly ways = waysWork

  readonly view: HeadsOffView = $derived(view.current.headsOff)
  readonly pairs: PairSet | null = $derived(this.view.ownPairs ? shelf.file : shelf.own)
  readonly hasFile = $derived(shelf.file !== null)
  readonly failure = $derived(shelf.failure)
  fileFailure = $state.raw<string | null>(null)

  readonly reading = $derived(reader.current)
  readonly whole = $derived(
    this.reading && this.reading.patterns.length === this.reading.layers ? this.reading : null,
  )
  readonly layers = $derived(session.config?.numLayers ?? expected.layers)
  readonly heads = $derived(session.config?.numHeads ?? expected.heads)
  readonly count = $derived(this.layers * this.heads)
  readonly layer = $derived(Math.min(view.current.layer, this.layers - 1))
  readonly head = $derived(Math.min(view.current.head, this.heads - 1))
  readonly name = $derived(spotName({ layer: this.layer, head: this.head }))
  readonly index = $derived(this.layer * this.heads + this.head)
  readonly token = $derived(clampToken(view.current.token, this.reading?.tokens.length ?? 0))
  readonly ready = $derived(session.loaded.complete && this.pairs !== null)

  /** All heads are on. */
  readonly none = $derived(this.view.off.length === 0)
  readonly off: Off = $derived({ heads: this.view.off, how: this.view.how, seed: this.view.seed })
  readonly #setKey = $derived(this.pairs ? `${this.pairs.id} ${this.pairs.name}` : '')
  readonly #offKey = $derived(
    `${this.view.off.map(spotName).join()} ${this.view.how} ${String(this.view.seed)}`,
  )
  readonly #lossKey = $derived(`${this.#setKey} ${this.#offKey}`)
  readonly #textKey = $derived(`${this.whole?.ids.join() ?? ''} ${this.#offKey}`)
  readonly #meaningKey = $derived(`${this.#setKey} ${this.whole?.text ?? ''}`)

  readonly #means = new Computed<Tensor>()
  readonly #base = new Computed<PairLoss>()
  readonly #now = new Computed<PairLoss>()
  readonly #joint = new Computed<number>()
  readonly #behind = new Computed<Behind>()
  readonly #nearBefore = new Computed<Neighbour[]>()
  readonly #nearAfter = new Computed<Neighbour[]>()

  readonly means = $derived(this.#means.of(this.#setKey))
  readonly base = $derived(this.#base.of(this.#setKey))
  readonly changed: Changed | null = $derived.by(() => {
    const { base } = this
    const now = this.none ? base : this.#now.of(this.#lossKey)
    return base && now ? this.against(base, now) : null
  })
  readonly behind = $derived(this.none ? null : this.#behind.of(this.#textKey))
  readonly nearBefore = $derived(this.#nearBefore.of(this.#meaningKey))
  readonly nearAfter = $derived(
    this.none ? this.nearBefore : this.#nearAfter.of(`${this.#meaningKey} ${this.#offKey}`),
  )
  /** Among these, what is near to the reader's sentence: the first one of every pair. */
  readonly candidates = $derived(this.pairs?.pairs.map(([first]) => first) ?? [])
  readonly measureFailure = $derived(
    this.#base.failureOf(this.#setKey) ??
      this.#now.failureOf(this.#lossKey) ??
      this.#behind.failureOf(this.#textKey) ??
      this.#nearBefore.failureOf(this.#meaningKey),
  )

  readonly importanceKey = $derived(
    `${this.#setKey} ${this.view.how} ${String(this.view.seed)} importance`,
  )
  readonly pruningKey = $derived(
    `${this.#setKey} ${this.#pruned} ${String(this.view.seed)} ${String(this.view.greedy)} pruning`,
  )
  readonly waysKey = $derived(
    `${this.#setKey} ${this.view.off.map(spotName).join()} ${String(this.view.seed)} ways`,
  )
  readonly ranks: HeadImportance | null = $derived(
    importanceWork.key === this.importanceKey ? importanceWork.value : null,
  )
  /** The loss with the heads off on the half that is reported one at a time; null where not known. */
  readonly joint = $derived(
    importanceWork.complete && this.ranks ? this.#joint.of(this.#lossKey) : null,
  )
  readonly curves: PruningCurves | null = $derived(
    pruningWork.key === this.pruningKey ? pruningWork.value : null,
  )
  readonly shownWays: Ways | null = $derived(waysWork.key === this.waysKey ? waysWork.value : null)

  /** Curves are made of heads that are gone, not of heads gone wrong. */
  get #pruned(): 'zero' | 'mean' {
    return this.view.how === 'mean' ? 'mean' : 'zero'
  }
  get pruned(): 'zero' | 'mean' {
    return this.#pruned
  }

  isOff(spot: HeadSpot): boolean {
    return this.view.off.some((each) => spotName(each) === spotName(spot))
  }

  set(part: Partial<HeadsOffView>, step: Step = 'push'): void {
    // What was measured long is of the old choice; the new one is measured when somebody asks for it.
    const measured = ['how', 'seed', 'ownPairs', 'greedy'].some((name) => name in part)
    const run = measured ? { run: [] } : {}
    change({ headsOff: { ...view.current.headsOff, ...run, ...part } }, step)
  }

  toggle(spot: HeadSpot): void {
    change({ ...spot, headsOff: { ...view.current.headsOff, off: toggled(this.view.off, spot) } })
  }

  /** Exactly these heads, as layer * heads + head. */
  switchOff(indices: Iterable<number>): void {
    const off = [...indices].map((index) => this.spotOf(index))
    this.set({ off: spots(off) })
  }

  spotOf(index: number): HeadSpot {
    return { layer: Math.floor(index / this.heads), head: index % this.heads }
  }

  against(base: PairLoss, now: PairLoss): Changed {
    return { base, now, difference: pairedDifference(base.losses, now.losses, this.view.seed) }
  }

  async take(file: File): Promise<void> {
    try {
      shelf.file = filePairs(file.name, await file.text())
      this.fileFailure = null
      this.set({ ownPairs: true })
    } catch (reason) {
      this.fileFailure = `${file.name}: ${messageOf(reason)}`
    }
  }

  /** Asks for what is shown and not there; run it as an effect. */
  ask(): void {
    void shelf.fill()
    const { ready, pairs: set, off, whole, means, candidates } = this
    if (!ready || !set) return
    const { pairs } = set
    const all: Off = { heads: [], how: 'zero', seed: 0 }
    if (off.how === 'mean') {
      void this.#means.ask(this.#setKey, async (signal) =>
        (await openModel(model)).meanHeadOutputs(pairs.flat(), { signal }),
      )
    }
    void this.#base.ask(this.#setKey, async (signal) =>
      lossWith(await openModel(model), pairs, all, signal),
    )
    if (!this.none) {
      void this.#now.ask(this.#lossKey, async (signal) =>
        lossWith(await openModel(model), pairs, off, signal),
      )
    }
    const { ranks } = this
    if (ranks && importanceWork.complete && off.heads.length > 1) {
      const reported = pairs.filter((_, place) => ranks.half[place] === 2)
      void this.#joint.ask(this.#lossKey, async (signal) => {
        return (await lossWith(await openModel(model), reported, off, signal)).loss
      })
    }
    if (whole && whole.text !== '') {
      void this.#nearBefore.ask(this.#meaningKey, async (signal) =>
        nearest(await openModel(model), whole.text, candidates, all, null, signal),
      )
    }
    if (this.none || !whole || (off.how === 'mean' && !means)) return
    void this.#behind.ask(this.#textKey, async (signal) =>
      mapsBehind(await openModel(model), whole, off, means, signal),
    )
    if (whole.text === '') return
    void this.#nearAfter.ask(`${this.#meaningKey} ${this.#offKey}`, async (signal) =>
      nearest(await openModel(model), whole.text, candidates, off, means, signal),
    )
  }

  /** Starts what the link's author had started; run it as an effect. */
  follow(): void {
    if (!this.ready) return
    const { run } = this.view
    if (run.includes('importance') && importanceWork.key !== this.importanceKey) {
      this.start('importance')
    } else if (run.includes('pruning') && pruningWork.key !== this.pruningKey) {
      // One after the other: the order of the one is what the other begins with.
      if (!run.includes('importance') || importanceWork.share === null) this.start('pruning')
    }
  }

  start(experiment: ExperimentId): void {
    const run = experiments.filter((each) => each === experiment || this.view.run.includes(each))
    if (run.length > this.view.run.length) this.set({ run }, 'replace')
    if (experiment === 'importance') this.#rank()
    else this.#prune()
  }

  #rank(): void {
    const { pairs: set, view: shown } = this
    if (!set) return
    const { seed, how } = shown
    void importanceWork.start(this.importanceKey, async (report) =>
      (await openModel(model)).headImportance(set.pairs, {
        ...report,
        seed,
        ablation: ablationOf(how),
      }),
    )
  }

  #prune(): void {
    const { pairs: set, view: shown, ranks } = this
    if (!set) return
    const { seed, greedy, how } = shown
    const order = importanceWork.complete && how === this.#pruned ? ranks?.order : undefined
    const ablation = this.#pruned
    void pruningWork.start(this.pruningKey, async (report) =>
      (await openModel(model)).pruning(set.pairs, {
        ...report,
        seed,
        ablation,
        ...(order && { order }),
        ...(greedy && { greedyPairs }),
      }),
    )
  }

  /** The heads that are off, in all four ways. */
  compareWays(): void {
    const { pairs: set, view: shown } = this
    if (!set) return
    const { off: heads, seed } = shown
    void waysWork.start(this.waysKey, async ({ signal, onPartial, onProgress }) => {
      const opened = await openModel(model)
      let known: Ways = {}
      for (const [done, how] of ablations.entries()) {
        onProgress({ done, total: ablations.length })
        const loss = await lossWith(opened, set.pairs, { heads, how, seed }, signal)
        known = { ...known, [how]: loss }
        onPartial(known)
      }
      return known
    })
  }

  stop(): void {
    const computed = [this.#means, this.#base, this.#now, this.#joint, this.#behind]
    for (const each of [...computed, this.#nearBefore, this.#nearAfter]) each.stop()
    for (const work of [importanceWork, pruningWork, waysWork]) {
      if (work.share === null) continue
      work.cancel()
      work.key = ''
    }
  }

  header(): Header {
    return [
      ['model', `${messages.frame.model.name} (${session.config?.dtype ?? ''})`],
      ['pairs', `${this.pairs?.name ?? ''} (${String(this.pairs?.pairs.length ?? 0)})`],
      ['off', this.view.off.map(spotName).join(' ')],
      ['how', this.view.how],
      ['seed', String(this.view.seed)],
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(view.current)],
    ]
  }
}
