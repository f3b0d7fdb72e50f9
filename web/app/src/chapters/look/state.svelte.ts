// Everything the figure of chapter 1 derives from the reading and the view, in one place, and the
// few fleeting things that are in neither: what is hovered.
import type { Header } from '../../export/table'
import {
  largestKey,
  measureHead,
  rowOf,
  softmaxTerms,
  weightAt,
  type HeadWeights,
  type Question,
  type SoftmaxTerms,
} from '../../figures/measures'
import { specialsOf } from '../../figures/tokens'
import type { GridHead, Pair } from '../../figures/types'
import { decimal } from '../../i18n/numbers'
import { detailOf, type LayerDetail } from '../../runtime/detail.svelte'
import { measuredShare, measureHeads, profileIn } from '../../runtime/profiles.svelte'
import { headOf, reader, type Reading } from '../../runtime/reading.svelte'
import { session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import { clampToken, type SortId } from '../../state/view'
import { linkTo, view } from '../../state/view.svelte'
import { contributionsOf, headName } from './facts'

/** The grid's shape before the model has told it: that of the model this site ships. */
const expected = { layers: 6, heads: 12 }

export class LookState {
  /** A token under the pointer: its row is looked at until the pointer leaves. */
  hoveredToken = $state<number | null>(null)
  /** A cell under the crosshair. */
  hoveredPair = $state.raw<Pair | null>(null)
  /** A head under the pointer in the grid. */
  preview = $state.raw<{ layer: number; head: number } | null>(null)

  readonly reading: Reading | null = $derived(reader.of(subject.name))
  readonly layers = $derived(this.reading?.layers ?? expected.layers)
  readonly heads = $derived(this.reading?.heads ?? expected.heads)
  readonly layer = $derived(Math.min(view.current.layer, this.layers - 1))
  readonly head = $derived(Math.min(view.current.head, this.heads - 1))
  readonly name = $derived(headName(this.layer, this.head))

  readonly tokens = $derived(this.reading?.tokens ?? [])
  readonly labels = $derived(this.tokens.map((token) => token.label))
  readonly specials = $derived(specialsOf(this.tokens))
  /** The fixed query. */
  readonly fixed = $derived(
    this.reading ? clampToken(view.current.token, this.tokens.length) : view.current.token,
  )
  /** The query whose row is shown beside the map. */
  readonly query = $derived(this.hoveredToken ?? this.fixed)

  /** The opened head; null while its layer is on its way. */
  readonly map: HeadWeights | null = $derived(
    this.reading ? headOf(this.reading, this.layer, this.head) : null,
  )
  readonly row = $derived(this.map ? rowOf(this.map, this.query) : null)
  /** The key that is asked about: the chosen one, or the word with the largest weight. */
  readonly key = $derived(this.#keyOf(this.query))
  /** The same for the fixed query, whatever is hovered. */
  readonly fixedKey = $derived(this.#keyOf(this.fixed))
  /** What the numbers speak of: the crosshair, else the fixed pair. */
  readonly pair: Pair = $derived(this.hoveredPair ?? { query: this.query, key: this.key })
  readonly weight = $derived(this.map ? weightAt(this.map, this.pair.query, this.pair.key) : null)

  readonly detail: LayerDetail | null = $derived(
    this.reading ? detailOf(this.reading, this.layer) : null,
  )
  readonly valueNorms = $derived.by(() => {
    if (!this.detail || !this.map) return null
    const { size } = this.map
    return this.detail.valueNorms.subarray(this.head * size, (this.head + 1) * size)
  })
  readonly contributions = $derived(
    this.map && this.valueNorms ? contributionsOf(this.map, this.valueNorms) : null,
  )
  readonly scores = $derived.by(() => {
    if (!this.detail || !this.map) return null
    const cells = this.map.size ** 2
    return this.detail.scores.subarray(this.head * cells, (this.head + 1) * cells)
  })
  readonly terms: SoftmaxTerms | null = $derived.by(() => {
    if (!this.scores || !this.map) return null
    const { query, key } = this.pair
    const { size } = this.map
    return softmaxTerms(this.scores.subarray(query * size, (query + 1) * size), key)
  })

  /** What is shown under the tokens: the row of the head under the pointer, else of the opened one. */
  readonly shade = $derived.by(() => {
    const { layer, head } = this.preview ?? { layer: this.layer, head: this.head }
    const map = this.reading ? headOf(this.reading, layer, head) : null
    return map ? { head: headName(layer, head), weights: rowOf(map, this.query) } : null
  })

  readonly question: Question = $derived({
    query: this.fixed,
    key: this.fixedKey,
  })
  readonly maps: readonly HeadWeights[] = $derived.by(() => {
    const { reading } = this
    if (!reading) return []
    return reading.patterns.flatMap((_, layer) =>
      Array.from({ length: reading.heads }, (_, head) => headOf(reading, layer, head)).filter(
        (map) => map !== null,
      ),
    )
  })
  /** The heads of the grid in their order; in that of layers while a measure is not complete. */
  readonly gridHeads: readonly GridHead[] = $derived.by(() => {
    const { sort } = view.current
    const all = Array.from({ length: this.layers * this.heads }, (_, place) => {
      const layer = Math.floor(place / this.heads)
      const head = place % this.heads
      const map = this.reading ? headOf(this.reading, layer, head) : null
      const measure = map ? this.measure(sort, map) : -Infinity
      const value = sort === 'place' || !Number.isFinite(measure) ? '' : decimal(measure, 2)
      return { layer, head, name: headName(layer, head), map, measure, value }
    })
    if (sort === 'place' || all.some(({ measure }) => Number.isNaN(measure))) return all
    return all.sort((a, b) => b.measure - a.measure)
  })
  /** How far the whole maps are measured; null when all are. */
  readonly measuring = $derived.by(() => {
    if (!this.reading) return null
    const share = measuredShare(this.reading)
    return share.done < share.all ? share : null
  })

  measure(sort: SortId, map: HeadWeights): number {
    const profile = this.reading ? profileIn(this.reading, map.layer, map.head) : null
    return measureHead(sort, map, this.question, profile)
  }

  /** Measures the whole maps, a little in each frame. */
  async measureAll(): Promise<void> {
    if (this.reading) await measureHeads(this.reading)
  }

  /** Where the keyboard goes when a head is opened or left. */
  gridPlace: HTMLElement | null = null
  mapPlace: HTMLElement | null = null

  focusGrid(): void {
    this.gridPlace?.querySelector<HTMLElement>(`[data-head="${this.name}"]`)?.focus()
  }

  focusMap(): void {
    this.mapPlace?.querySelector<HTMLElement>('[role="application"]')?.focus()
  }

  #keyOf(query: number): number {
    const { key } = view.current
    if (key !== null && key < this.tokens.length) return key
    return this.map ? largestKey(rowOf(this.map, query), this.specials) : 0
  }

  label(place: number): string {
    return this.labels[place] ?? ''
  }

  /** The first lines of every file: what the numbers are of, and where to see them. */
  header(): Header {
    const { current } = view
    return [
      ['model', subject.label],
      ['text', this.reading?.text ?? current.text],
      ...(current.pair === '' ? [] : [['pair', current.pair] satisfies Header[number]]),
      ['layer', String(this.layer)],
      ['head', String(this.head)],
      ['query', `${String(this.fixed)} ${this.tokens[this.fixed]?.text ?? ''}`],
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(current)],
    ]
  }
}
