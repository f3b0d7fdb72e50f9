// Everything chapter 2 derives from the view and the reading, and what it asks the kernels for.
import type { Header } from '../../export/table'
import { byWeight, rowOf, type HeadWeights } from '../../figures/measures'
import type { Projections } from '../../figures/projections'
import { Latest } from '../../runtime/latest.svelte'
import { LayerProjections } from '../../runtime/projections'
import { headOf, reader, type Reading } from '../../runtime/reading.svelte'
import { session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import type { WhyView } from '../../state/whyView'
import { budgetRow, wideMap, type Raise, type RowInput } from './compute'
import { bestHead, meanMap, rowsOf, spreadOf, wantedKeys, type Best } from './together'

/** A key that is asked for, and what it gets. */
export interface Wanted {
  key: number
  label: string
  best: Best
  mean: number
  /** Null while the wide head is computed. */
  wide: number | null
}

export class WhyState {
  readonly view: WhyView = $derived(view.current.why)
  // Apart, so that a drag, which changes the view, makes only what shows the raise anew.
  readonly map = $derived(this.view.map)
  readonly #first = $derived(this.view.first)
  readonly #second = $derived(this.view.second)
  readonly reading: Reading | null = $derived(reader.of(subject.name))
  readonly layers = $derived(this.reading?.layers ?? 6)
  readonly heads = $derived(this.reading?.heads ?? 12)
  readonly headDim = $derived(this.reading?.headDim ?? 32)
  readonly layer = $derived(Math.min(view.current.layer, this.layers - 1))
  readonly head = $derived(Math.min(view.current.head, this.heads - 1))
  readonly name = $derived(this.nameOf(this.head))
  readonly tokens = $derived(this.reading?.tokens ?? [])
  readonly labels = $derived(this.tokens.map(({ label }) => label))
  readonly specials = $derived(
    this.tokens.flatMap(({ special }, place) => (special ? [place] : [])),
  )
  readonly query = $derived(clampToken(view.current.token, this.labels.length))

  readonly #projections = new LayerProjections()
  readonly #wide = new Latest(wideMap)
  readonly #row = new Latest(budgetRow)

  readonly projections: Projections | null = $derived(
    this.#projections.of(this.reading, this.layer),
  )
  readonly raised: Raise | null = $derived.by(() => {
    const { raised, by } = this.view
    return raised !== null && raised < this.labels.length ? { key: raised, by } : null
  })
  readonly #rowInput: RowInput | null = $derived(
    this.projections
      ? { projections: this.projections, head: this.head, query: this.query, raised: this.raised }
      : null,
  )
  /** Kept while a newer raise is computed, as long as it is of the same row. */
  readonly row = $derived.by(() => {
    const known = this.#row.known
    if (!known || !this.#rowInput) return null
    const { projections, head, query } = this.#rowInput
    const { input, result } = known
    const same = input.projections === projections && input.head === head && input.query === query
    return same ? { ...result, raised: input.raised } : null
  })

  /** [heads, S, S]; null while the layer is on its way. */
  readonly pattern = $derived(this.reading?.patterns[this.layer] ?? null)
  readonly wide: HeadWeights | null = $derived.by(() => {
    const weights = this.projections ? this.#wide.of(this.projections) : null
    return weights ? this.#map(weights) : null
  })
  readonly mean: HeadWeights | null = $derived(
    this.pattern ? this.#map(meanMap(this.pattern, this.heads)) : null,
  )
  readonly ofHeads: readonly HeadWeights[] = $derived.by(() => {
    const { reading, pattern } = this
    if (!reading || !pattern) return []
    return Array.from({ length: this.heads }, (_, head) =>
      headOf(reading, this.layer, head),
    ).filter((each) => each !== null)
  })
  readonly opened: HeadWeights | null = $derived.by(() => {
    return this.map === 'head' ? (this.ofHeads[this.head] ?? null) : this[this.map]
  })

  readonly rows = $derived(
    this.pattern ? rowsOf(this.pattern, this.heads, this.labels.length, this.query) : [],
  )
  readonly meanRow = $derived(this.mean ? rowOf(this.mean, this.query) : null)
  readonly wideRow = $derived(this.wide ? rowOf(this.wide, this.query) : null)
  readonly most = $derived(
    Float32Array.from(this.labels, (_, key) => bestHead(this.rows, key).weight),
  )
  readonly spread = $derived(this.meanRow ? spreadOf(this.rows, this.meanRow) : null)
  /** Where the one wide head looks most. */
  readonly wideTop = $derived.by(() => {
    const row = this.wideRow
    const key = row ? (byWeight(row)[0] ?? 0) : 0
    return row ? { label: this.label(key), weight: row[key] ?? 0 } : null
  })
  readonly wanted: readonly [Wanted, Wanted] | null = $derived.by(() => {
    const own = this.rows[this.head]
    if (!own || this.labels.length < 2) return null
    const found = wantedKeys(own, this.query, this.specials)
    return [this.#want(this.#first ?? found[0]), this.#want(this.#second ?? found[1])]
  })

  readonly failure = $derived(this.#projections.failure ?? this.#wide.failure ?? this.#row.failure)

  constructor() {
    $effect(() => {
      this.#projections.ask(this.reading, this.layer)
    })
    $effect(() => {
      if (this.projections) this.#wide.ask(this.projections)
    })
    $effect(() => {
      if (this.#rowInput) this.#row.ask(this.#rowInput)
    })
  }

  set(part: Partial<WhyView>, step: Step = 'push'): void {
    change({ why: { ...view.current.why, ...part } }, step)
  }

  /** Another query asks for other keys, and nothing of it is raised. */
  fix(token: number): void {
    const none = { first: null, second: null, raised: null, by: 0 }
    change({ token, key: null, why: { ...view.current.why, ...none } })
  }

  /** The same key taken back to where it was is no raise. */
  raise(key: number, by: number): void {
    this.set(by === 0 ? { raised: null, by: 0 } : { raised: key, by }, 'replace')
  }

  label(place: number): string {
    return this.labels[place] ?? ''
  }

  nameOf(head: number): string {
    return `${String(this.layer)}.${String(head)}`
  }

  #map(weights: Float32Array): HeadWeights {
    return { layer: this.layer, head: -1, size: this.labels.length, weights }
  }

  #want(key: number): Wanted {
    return {
      key,
      label: this.label(key),
      best: bestHead(this.rows, key),
      mean: this.meanRow?.[key] ?? NaN,
      wide: this.wideRow?.[key] ?? null,
    }
  }

  /** The first lines of every file. */
  header(): Header {
    return [
      ['model', subject.label],
      ['text', this.reading?.text ?? view.current.text],
      ...(view.current.pair === '' ? [] : [['pair', view.current.pair] satisfies Header[number]]),
      ['layer', String(this.layer)],
      ['head', String(this.head)],
      ['query', `${String(this.query)} ${this.tokens[this.query]?.text ?? ''}`],
      ...(this.raised
        ? ([
            ['raised_key', String(this.raised.key)],
            ['raised_by', String(this.raised.by)],
          ] satisfies Header)
        : []),
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(view.current)],
    ]
  }
}
