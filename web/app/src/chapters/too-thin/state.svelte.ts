// Everything chapter 9 derives from the reading and the view, and what it asks the kernels for.
import type { Header } from '../../export/table'
import { Computed } from '../../runtime/computed.svelte'
import { reader, type Reading } from '../../runtime/reading.svelte'
import { openModel, openRuntime, session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import { leastNorm, mostNorm, type RankMeasure, type RankView } from '../../state/rankView'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import { divergenceAt } from './budget'
import {
  fitOf,
  lengthRanks,
  matricesOf,
  mostTokens,
  normFits,
  ranksOf,
  spectrumOf,
  type Fit,
  type HeadMatrices,
  type HeadPlace,
  type HeadRank,
  type LengthRank,
  type NormFit,
  type Spectrum,
} from './compute'
import { patternOf } from './patterns'
import { bulkRank, numericalRank } from './ranks'

/** The shape before the model has told it: that of the model this site ships. */
const expected = { layers: 6, heads: 12, headDim: 32, dModel: 384 }

/** At which norms the same pattern is fitted: powers of two. */
export const norms = Array.from({ length: mostNorm - leastNorm + 1 }, (_, step) => {
  return 2 ** (leastNorm + step)
})

export const headName = ({ layer, head }: HeadPlace): string => `${String(layer)}.${String(head)}`

export class RankState {
  readonly view: RankView = $derived(view.current.rank)
  readonly reading: Reading | null = $derived(reader.of(subject.name))
  readonly shape = $derived(this.reading ?? expected)
  readonly opened: HeadPlace = $derived({
    layer: Math.min(view.current.layer, this.shape.layers - 1),
    head: Math.min(view.current.head, this.shape.heads - 1),
  })
  readonly name = $derived(headName(this.opened))
  /** Tokens that are looked at, and those left out. */
  readonly tokens = $derived(Math.min(mostTokens, this.reading?.ids.length ?? 0))
  readonly left = $derived((this.reading?.ids.length ?? 0) - this.tokens)
  /** Up to d_k tokens the text bounds the rank itself; twice as many show the difference. */
  readonly isShort = $derived(this.tokens < 2 * this.shape.headDim)

  readonly norm = $derived(2 ** this.view.norm)
  readonly pattern = $derived(patternOf(this.view))
  readonly headDim = $derived(Math.min(this.view.headDim, this.view.length))

  readonly #matrices = new Computed<HeadMatrices>()
  readonly #spectra = new Computed<Spectrum>()
  readonly #lengths = new Computed<readonly LengthRank[]>()
  readonly #ranks = new Computed<readonly HeadRank[]>()
  readonly #fits = new Computed<Fit>()
  readonly #norms = new Computed<readonly NormFit[]>()

  readonly #text = $derived(this.reading ? `${this.reading.model} ${this.reading.ids.join()}` : '')
  readonly #headKey = $derived(`${this.#text} ${this.name}`)
  readonly #patternKey = $derived(`${this.pattern.join()} ${String(this.view.seed)}`)
  readonly #fitKey = $derived(`${this.#patternKey} ${String(this.norm)}`)

  readonly matrices = $derived(this.#matrices.of(this.#text))
  readonly spectrum = $derived(this.#spectra.of(this.#headKey))
  readonly lengths = $derived(this.#lengths.of(this.#headKey))
  /** Of all heads, as far as they are there. */
  readonly ranks = $derived(this.#ranks.partOf(this.#text) ?? [])
  readonly count = $derived(this.shape.layers * this.shape.heads)
  readonly ranksAreWhole = $derived(this.ranks.length === this.count)
  readonly ranksAreHalted = $derived(this.#ranks.isHalted(this.#text))
  /** Of the opened head. */
  readonly rank = $derived(
    this.spectrum && {
      scores: numericalRank(this.spectrum.scores, this.tokens),
      bulk: bulkRank(this.spectrum.scores),
      weights: numericalRank(this.spectrum.weights, this.tokens),
    },
  )

  /** As far as it is there. */
  readonly fit = $derived(this.#fits.partOf(this.#fitKey))
  readonly wholeFit = $derived(this.#fits.of(this.#fitKey))
  /** The fit of the chosen dimension. */
  readonly fitted = $derived(this.fit?.dims[this.headDim - 1] ?? null)
  readonly fittedWeights = $derived.by(() => {
    const { wholeFit, headDim } = this
    if (!wholeFit) return null
    const cells = wholeFit.length ** 2
    return wholeFit.weights.subarray((headDim - 1) * cells, headDim * cells)
  })
  readonly normFits = $derived(this.#norms.partOf(this.#patternKey) ?? [])

  readonly failure = $derived(
    this.#matrices.failureOf(this.#text) ??
      this.#spectra.failureOf(this.#headKey) ??
      this.#lengths.failureOf(this.#headKey) ??
      this.#ranks.failureOf(this.#text) ??
      this.#fits.failureOf(this.#fitKey) ??
      this.#norms.failureOf(this.#patternKey),
  )

  set(part: Partial<RankView>, step: Step = 'push'): void {
    change({ rank: { ...view.current.rank, ...part } }, step)
  }

  valueOf(rank: HeadRank, measure: RankMeasure = this.view.measure): number {
    return rank[measure]
  }

  /** The divergence of a head of some dimension for the chosen pattern; NaN while it is computed. */
  divergenceAt(headDim: number): number {
    return divergenceAt(this.wholeFit?.dims.map(({ divergence }) => divergence) ?? [], headDim)
  }

  /** Asks for what the view needs and what is not there; run it as an effect. */
  ask(): void {
    this.#askFits()
    const { reading, opened, matrices } = this
    if (!reading) return
    const { model } = reading
    void this.#matrices.ask(this.#text, async (signal) => {
      return matricesOf(await openModel(model), reading, signal)
    })
    if (!matrices) return
    void this.#spectra.ask(this.#headKey, async (signal) => {
      return spectrumOf(await openRuntime(model), matrices, opened, signal)
    })
    if (!this.spectrum) return
    void this.#lengths.ask(this.#headKey, async (signal) => {
      return lengthRanks(await openRuntime(model), matrices, opened, signal)
    })
    void this.#ranks.ask(this.#text, async (signal, show) => {
      return ranksOf(await openRuntime(model), matrices, this.ranks, signal, show)
    })
  }

  #askFits(): void {
    const model = subject.name
    const { pattern, norm } = this
    const { length, seed } = this.view
    void this.#fits.ask(this.#fitKey, async (signal, show) => {
      return fitOf(await openRuntime(model), { pattern, length, norm, seed }, signal, show)
    })
    if (!this.wholeFit) return
    void this.#norms.ask(this.#patternKey, async (signal, show) => {
      return normFits(await openRuntime(model), { pattern, length, seed }, norms, signal, show)
    })
  }

  haltRanks(): void {
    this.#ranks.halt(this.#text)
  }

  resumeRanks(): void {
    this.#ranks.resume()
  }

  /** Ends what is being computed; when the chapter is left. */
  stop(): void {
    for (const each of [this.#matrices, this.#spectra, this.#lengths, this.#ranks]) each.stop()
    for (const each of [this.#fits, this.#norms]) each.stop()
  }

  /** The first lines of files about the text. */
  header(): Header {
    const { current } = view
    return [
      ['model', subject.label],
      ['text', this.reading?.text ?? current.text],
      ...(current.pair === '' ? [] : [['pair', current.pair] satisfies Header[number]]),
      ['tokens', String(this.tokens)],
      ['head', this.name],
      ['d_k', String(this.shape.headDim)],
      ...this.#ending(),
    ]
  }

  /** The first lines of files about a fit. */
  fitHeader(): Header {
    const { pattern, length, seed } = this.view
    return [
      ['pattern', pattern],
      ['tokens', String(length)],
      ['norm', String(this.norm)],
      ['d_k', String(this.headDim)],
      ['seed', String(seed)],
      ...this.#ending(),
    ]
  }

  #ending(): Header {
    return [
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(view.current)],
    ]
  }
}
