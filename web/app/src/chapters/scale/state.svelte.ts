// Everything chapter 4 derives from the view, the random numbers and the reading, in one place.
import type { Header } from '../../export/table'
import type { Projections } from '../../figures/projections'
import { messages } from '../../i18n/messages.svelte'
import { Latest } from '../../runtime/latest.svelte'
import { LayerProjections } from '../../runtime/projections'
import { reader } from '../../runtime/reading.svelte'
import { session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import type { ScaleView } from '../../state/scaleView'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import {
  headAt,
  keyCount,
  queryCount,
  sweepHeadDims,
  sweepPowers,
  type HeadInput,
  type RowInput,
} from './measure'

export class ScaleState {
  readonly view: ScaleView = $derived(view.current.scale)

  readonly #random = new Latest(sweepHeadDims)
  readonly #projections = new LayerProjections()
  readonly #powers = new Latest(sweepPowers)
  readonly #row = new Latest(headAt)

  /** Every head dimension; the old numbers until those of a new seed are there. */
  readonly pairings = $derived(this.#random.known?.result ?? [])
  readonly pairing = $derived(
    this.pairings.find(({ headDim }) => headDim === this.view.headDim) ?? null,
  )
  readonly failure = $derived(this.#random.failure)

  readonly reading = $derived(reader.of(subject.name))
  readonly layer = $derived(Math.min(view.current.layer, (this.reading?.layers ?? 6) - 1))
  readonly head = $derived(Math.min(view.current.head, (this.reading?.heads ?? 12) - 1))
  readonly name = $derived(`${String(this.layer)}.${String(this.head)}`)
  readonly labels = $derived(this.reading?.tokens.map(({ label }) => label) ?? [])
  readonly token = $derived(
    this.reading ? clampToken(view.current.token, this.labels.length) : view.current.token,
  )

  readonly projections: Projections | null = $derived(
    this.#projections.of(this.reading, this.layer),
  )
  readonly #headInput: HeadInput | null = $derived(
    this.projections ? { projections: this.projections, head: this.head } : null,
  )
  readonly #rowInput: RowInput | null = $derived(
    this.#headInput ? { ...this.#headInput, query: this.token, power: this.view.power } : null,
  )
  readonly sweep = $derived(this.#headInput ? this.#powers.of(this.#headInput) : null)
  /** Kept while a newer factor is computed, as long as it is of the same head and text. */
  readonly at = $derived.by(() => {
    const known = this.#row.known
    if (!known || !this.#rowInput) return null
    const { projections, head, query } = this.#rowInput
    const { input } = known
    const same = input.projections === projections && input.head === head && input.query === query
    return same ? { ...known.result, power: input.power } : null
  })
  readonly modelFailure = $derived(
    this.#projections.failure ?? this.#powers.failure ?? this.#row.failure,
  )

  constructor() {
    $effect(() => {
      this.#random.ask(this.view.seed)
    })
    $effect(() => {
      this.#projections.ask(this.reading, this.layer)
    })
    $effect(() => {
      if (this.#headInput) this.#powers.ask(this.#headInput)
    })
    $effect(() => {
      if (this.#rowInput) this.#row.ask(this.#rowInput)
    })
  }

  set(part: Partial<ScaleView>, step: Step = 'push'): void {
    change({ scale: { ...view.current.scale, ...part } }, step)
  }

  /** The first lines of files about random numbers. */
  randomHeader(): Header {
    return [
      ['chapter', messages.frame.chapterNames.scale],
      ['queries', String(queryCount)],
      ['keys', String(keyCount)],
      ['seed', String(this.view.seed)],
      ['d_k', String(this.view.headDim)],
      ...this.#ending(),
    ]
  }

  /** The first lines of files about the model. */
  modelHeader(): Header {
    return [
      ['model', subject.label],
      ['text', this.reading?.text ?? view.current.text],
      ...(view.current.pair === '' ? [] : [['pair', view.current.pair] satisfies Header[number]]),
      ['layer', String(this.layer)],
      ['head', String(this.head)],
      ['query', `${String(this.token)} ${this.reading?.tokens[this.token]?.text ?? ''}`],
      ['factor_on_trained_scale', String(2 ** this.view.power)],
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
