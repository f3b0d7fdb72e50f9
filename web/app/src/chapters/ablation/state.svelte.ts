// Everything chapter 8 measures and shows. Long measurements stay when the chapter is left.
import {
  attentionNames,
  type HeadImportance,
  type ModelConfig,
  type ModelLoss,
  type PruningCurves,
  type Tensor,
} from 'headwise'
import type { Header } from '../../export/table'
import { Computed } from '../../runtime/computed.svelte'
import { LongWork } from '../../runtime/long-work.svelte'
import { reader } from '../../runtime/reading.svelte'
import { modelKinds, type ModelName } from '../../runtime/models.svelte'
import { messageOf, openModel, session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
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
import { catalogue } from './catalogue.svelte'
import {
  ablationOf,
  lossWith,
  mapsBehind,
  meansOf,
  nearest,
  noiseLevels,
  type Behind,
  type Off,
} from './measure'
import { headName, rowName, rowOf, type HeadRow } from './names'
import { fileSamples, ownSamples, type SampleSet } from './samples'

/** The losses of all ways of switching off that were asked for. */
export type Ways = Partial<Record<AblationId, ModelLoss>>

const importanceWork = new LongWork<HeadImportance>()
const pruningWork = new LongWork<PruningCurves>()
const waysWork = new LongWork<Ways>()

/** What one model is judged on. */
class Shelf {
  own = $state.raw<SampleSet | null>(null)
  file = $state.raw<SampleSet | null>(null)
  failure = $state.raw<string | null>(null)
  #asked = false

  constructor(readonly model: ModelName) {}

  async fill(): Promise<void> {
    if (this.#asked) return
    this.#asked = true
    try {
      this.own = await ownSamples(this.model, modelKinds[this.model])
      this.failure = null
    } catch (reason) {
      this.#asked = false
      this.failure = messageOf(reason)
    }
  }
}
const shelves: Readonly<Record<ModelName, Shelf>> = {
  'minilm-l6': new Shelf('minilm-l6'),
  'translate-en-fr': new Shelf('translate-en-fr'),
  'novels-lm': new Shelf('novels-lm'),
}

/** Of the model that comes with the page, to show its switches at once; others are asked for theirs. */
const expected: Partial<Record<ModelName, Pick<ModelConfig, 'numLayers' | 'numHeads'>>> = {
  'minilm-l6': { numLayers: 6, numHeads: 12 },
}
/** Greedy pruning judges every head left, again and again: on so many pairs. */
export const greedyPairs = 24

export interface Changed {
  base: ModelLoss
  now: ModelLoss
  difference: Difference
}

export class AblationState {
  readonly importance = importanceWork
  readonly pruning = pruningWork
  readonly ways = waysWork

  readonly view: HeadsOffView = $derived(view.current.headsOff)
  readonly model: ModelName = $derived(subject.name)
  readonly kind = $derived(modelKinds[this.model])
  readonly #shelf = $derived(shelves[this.model])
  readonly samples: SampleSet | null = $derived(
    this.view.ownPairs ? this.#shelf.file : this.#shelf.own,
  )
  readonly hasFile = $derived(this.#shelf.file !== null)
  readonly failure = $derived(this.#shelf.failure)
  fileFailure = $state.raw<string | null>(null)

  readonly reading = $derived(reader.of(subject.name))
  readonly whole = $derived(
    this.reading && this.reading.patterns.length === this.reading.layers ? this.reading : null,
  )
  readonly #config = $derived(subject.state.config ?? expected[this.model] ?? null)
  readonly #sizes = $derived(this.#config && { kind: this.kind, decoderLayers: 0, ...this.#config })
  /** The attentions of the model, in the order in which their heads are counted. */
  readonly attentions = $derived(this.#sizes ? attentionNames(this.#sizes) : [])
  readonly rows: readonly HeadRow[] = $derived(this.attentions.map(rowOf))
  readonly rowNames = $derived(this.rows.map((row) => rowName(row, this.#groups)))
  readonly layers = $derived(this.rows.length)
  readonly heads = $derived(this.#config?.numHeads ?? 0)
  readonly count = $derived(this.layers * this.heads)
  /** The opened head; with two stacks it is not that of the other chapters, which know one. */
  #spot = $state.raw<HeadSpot | null>(null)
  readonly layer = $derived(this.#within(this.#spot?.layer ?? view.current.layer, this.layers))
  readonly head = $derived(this.#within(this.#spot?.head ?? view.current.head, this.heads))
  readonly index = $derived(this.layer * this.heads + this.head)
  readonly token = $derived(clampToken(view.current.token, this.reading?.tokens.length ?? 0))
  readonly ready = $derived(subject.state.loaded.complete && this.samples !== null)

  /** Heads that are off, those that the model has. */
  readonly spots: readonly HeadSpot[] = $derived(
    this.view.off.filter(({ layer, head }) => layer < this.layers && head < this.heads),
  )
  /** All heads are on. */
  readonly none = $derived(this.spots.length === 0)
  readonly noise = $derived(noiseLevels[this.model])
  readonly off: Off = $derived({
    heads: this.spots,
    how: this.view.how,
    seed: this.view.seed,
    noise: this.noise,
  })
  readonly #setKey = $derived(
    this.samples ? `${this.model} ${this.samples.id} ${this.samples.name}` : '',
  )
  readonly #offKey = $derived(
    `${this.spots.map(spotName).join()} ${this.view.how} ${String(this.view.seed)}`,
  )
  readonly #lossKey = $derived(`${this.#setKey} ${this.#offKey}`)
  readonly #textKey = $derived(`${this.whole?.ids.join() ?? ''} ${this.#offKey}`)
  readonly #meaningKey = $derived(`${this.#setKey} ${this.whole?.text ?? ''}`)

  readonly #means = new Computed<Tensor>()
  readonly #base = new Computed<ModelLoss>()
  readonly #now = new Computed<ModelLoss>()
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
  readonly candidates = $derived(
    this.kind === 'encoder' ? (this.samples?.samples.map(([first = '']) => first) ?? []) : [],
  )
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
    `${this.#setKey} ${this.spots.map(spotName).join()} ${String(this.view.seed)} ways`,
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
    return this.spots.some((each) => spotName(each) === spotName(spot))
  }

  /** `3.1`, or with two stacks `decoder 1.2`. */
  nameOf(spot: HeadSpot): string {
    return headName(spot, this.rows, this.#groups)
  }

  get #groups() {
    return catalogue.ablation.groups
  }

  #within(place: number, count: number): number {
    return Math.max(0, Math.min(place, count - 1))
  }

  set(part: Partial<HeadsOffView>, step: Step = 'push'): void {
    // What was measured long is of the old choice; the new one is measured when somebody asks for it.
    const measured = ['how', 'seed', 'ownPairs', 'greedy'].some((name) => name in part)
    const run = measured ? { run: [] } : {}
    change({ headsOff: { ...view.current.headsOff, ...run, ...part } }, step)
  }

  toggle(spot: HeadSpot): void {
    const headsOff = { ...view.current.headsOff, off: toggled(this.spots, spot) }
    this.#spot = this.kind === 'encoder-decoder' ? spot : null
    change(this.#spot ? { headsOff } : { ...spot, headsOff })
  }

  /** Exactly these heads, as layer * heads + head. */
  switchOff(indices: Iterable<number>): void {
    const off = [...indices].map((index) => this.spotOf(index))
    this.set({ off: spots(off) })
  }

  spotOf(index: number): HeadSpot {
    return { layer: Math.floor(index / this.heads), head: index % this.heads }
  }

  against(base: ModelLoss, now: ModelLoss): Changed {
    const { seed } = this.view
    return { base, now, difference: pairedDifference(base.losses, now.losses, base.tokens, seed) }
  }

  async take(file: File): Promise<void> {
    try {
      this.#shelf.file = fileSamples(file.name, await file.text(), this.kind)
      this.fileFailure = null
      this.set({ ownPairs: true })
    } catch (reason) {
      this.fileFailure = `${file.name}: ${messageOf(reason)}`
    }
  }

  /** Asks for what is shown and not there; run it as an effect. */
  ask(): void {
    void this.#shelf.fill()
    const { ready, model, samples: set, off } = this
    if (!ready || !set) return
    const { samples } = set
    const all: Off = { ...off, heads: [], how: 'zero' }
    if (off.how === 'mean') {
      void this.#means.ask(this.#setKey, async (signal) =>
        meansOf(await openModel(model), samples, signal),
      )
    }
    void this.#base.ask(this.#setKey, async (signal) =>
      lossWith(await openModel(model), samples, all, signal),
    )
    if (!this.none) {
      void this.#now.ask(this.#lossKey, async (signal) =>
        lossWith(await openModel(model), samples, off, signal),
      )
    }
    const { ranks } = this
    if (ranks && importanceWork.complete && off.heads.length > 1) {
      const reported = samples.filter((_, place) => ranks.half[place] === 2)
      void this.#joint.ask(this.#lossKey, async (signal) => {
        return (await lossWith(await openModel(model), reported, off, signal)).loss
      })
    }
    this.#askAboutText(all)
  }

  /** What the heads do to the reader's own text: maps of one stack, and the meaning of an encoder's. */
  #askAboutText(all: Off): void {
    const { model, off, whole, means, candidates, kind } = this
    if (kind === 'encoder-decoder') return
    const hasMeaning = kind === 'encoder' && whole !== null && whole.text !== ''
    if (hasMeaning) {
      void this.#nearBefore.ask(this.#meaningKey, async (signal) =>
        nearest(await openModel(model), whole.text, candidates, all, null, signal),
      )
    }
    if (this.none || !whole || (off.how === 'mean' && !means)) return
    void this.#behind.ask(this.#textKey, async (signal) =>
      mapsBehind(await openModel(model), whole, off, means, signal),
    )
    if (!hasMeaning) return
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
    const { samples: set, model, view: shown } = this
    if (!set) return
    const { seed, how } = shown
    const ablation = ablationOf(how, this.noise)
    void importanceWork.start(this.importanceKey, async (report) =>
      (await openModel(model)).headImportance(set.samples, { ...report, seed, ablation }),
    )
  }

  #prune(): void {
    const { samples: set, model, view: shown, ranks } = this
    if (!set) return
    const { seed, greedy, how } = shown
    const order = importanceWork.complete && how === this.#pruned ? ranks?.order : undefined
    const ablation = this.#pruned
    void pruningWork.start(this.pruningKey, async (report) =>
      (await openModel(model)).pruning(set.samples, {
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
    const { samples: set, model, off } = this
    if (!set) return
    void waysWork.start(this.waysKey, async ({ signal, onPartial, onProgress }) => {
      const opened = await openModel(model)
      let known: Ways = {}
      for (const [done, how] of ablations.entries()) {
        onProgress({ done, total: ablations.length })
        const loss = await lossWith(opened, set.samples, { ...off, how }, signal)
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
      ['model', subject.label],
      ['samples', `${this.samples?.name ?? ''} (${String(this.samples?.samples.length ?? 0)})`],
      ['off', this.spots.map((spot) => this.nameOf(spot)).join(', ')],
      ['how', this.view.how],
      ['seed', String(this.view.seed)],
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(view.current)],
    ]
  }
}
