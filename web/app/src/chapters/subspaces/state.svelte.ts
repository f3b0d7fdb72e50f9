// Everything chapter 6 derives from the reading and the view, and what it asks the kernels for.
import type { Header } from '../../export/table'
import { Computed } from '../../runtime/computed.svelte'
import { reader, type Reading } from '../../runtime/reading.svelte'
import { openModel, openRuntime, session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import type { SubspacesView } from '../../state/subspacesView'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import {
  activationsOf,
  alignmentOf,
  anglesBetween,
  endsOf,
  modelVectors,
  overlapOf,
  planeOf,
  projectionOf,
  spaceVectors,
  type Activations,
  type End,
  type EndId,
  type HeadPlace,
  type Plane,
} from './compute'
import { changes, mostAlike, mostPairTokens, pairsOf, type TokenPair } from './vectors'

const expected = { layers: 6, heads: 12 }
const mostPairs = 3

interface Compared {
  angles: Float32Array
  ends: Record<EndId, End>
}

export const headName = ({ layer, head }: HeadPlace): string => `${String(layer)}.${String(head)}`

export class SubspacesState {
  /** A token under the pointer or the focus, in either plane. */
  hovered = $state<number | null>(null)

  readonly view: SubspacesView = $derived(view.current.subspaces)
  readonly reading: Reading | null = $derived(reader.of(subject.name))
  readonly layers = $derived(this.reading?.layers ?? expected.layers)
  readonly heads = $derived(this.reading?.heads ?? expected.heads)
  readonly count = $derived(this.layers * this.heads)
  readonly opened: HeadPlace = $derived({
    layer: Math.min(view.current.layer, this.layers - 1),
    head: Math.min(view.current.head, this.heads - 1),
  })
  readonly name = $derived(headName(this.opened))
  readonly tokens = $derived(this.reading?.tokens ?? [])
  readonly fixed = $derived(clampToken(view.current.token, this.tokens.length))
  readonly words = $derived(
    this.tokens.flatMap((token, place) => (token.special ? [] : [place])).slice(0, mostPairTokens),
  )

  readonly #vectors = new Computed<Activations>()
  readonly #planes = new Computed<{ model: Plane; head: Plane }>()
  readonly #maps = new Computed<Float32Array>()
  readonly #compared = new Computed<Compared>()

  readonly #text = $derived(this.reading ? `${this.reading.model} ${this.reading.ids.join()}` : '')
  readonly #planeKey = $derived(`${this.#text} ${this.name} ${this.view.space}`)
  readonly #mapKey = $derived(
    this.comparesWeights
      ? `${subject.name} ${this.view.compare}`
      : `${this.#text} ${this.view.compare}`,
  )

  readonly activations = $derived(this.#vectors.of(this.#text))
  readonly planes = $derived(this.#planes.of(this.#planeKey))
  /** [count, count] */
  readonly map = $derived(this.#maps.of(this.#mapKey))
  readonly modelVectors = $derived(
    this.activations ? modelVectors(this.activations, this.opened.layer) : null,
  )
  readonly headVectors = $derived(
    this.activations ? spaceVectors(this.activations, this.opened, this.view.space) : null,
  )
  readonly pairs: readonly TokenPair[] = $derived(
    this.modelVectors && this.headVectors
      ? pairsOf(this.modelVectors, this.headVectors, this.words)
      : [],
  )
  readonly changes = $derived(changes(this.pairs, mostPairs))
  /** The token that the fixed one is compared with: the chosen one, else that of the largest change. */
  readonly partner = $derived(this.#partnerOf())
  readonly pair: TokenPair | null = $derived(
    this.pairs.find(({ first, second }) => {
      return (
        (first === this.fixed && second === this.partner) ||
        (second === this.fixed && first === this.partner)
      )
    }) ?? null,
  )

  readonly openedIndex = $derived(this.opened.layer * this.heads + this.opened.head)
  readonly otherIndex = $derived(this.#otherOf())
  readonly other: HeadPlace = $derived(this.placeOf(this.otherIndex))
  readonly #comparedKey = $derived(
    `${this.#text} ${this.name} ${headName(this.other)} ${this.side}`,
  )
  readonly compared = $derived(this.#compared.of(this.#comparedKey))

  readonly failure = $derived(
    this.#vectors.failureOf(this.#text) ??
      this.#planes.failureOf(this.#planeKey) ??
      this.#maps.failureOf(this.#mapKey) ??
      this.#compared.failureOf(this.#comparedKey),
  )

  get comparesWeights(): boolean {
    return this.view.compare === 'query' || this.view.compare === 'key'
  }

  /** Whose angles are shown: of the projections that are compared, else of the space looked at. */
  get side(): 'query' | 'key' {
    return this.view.compare === 'key' || this.view.compare === 'query'
      ? this.view.compare
      : this.view.space
  }

  placeOf(index: number): HeadPlace {
    return { layer: Math.floor(index / this.heads), head: index % this.heads }
  }

  label(place: number): string {
    return this.tokens[place]?.label ?? ''
  }

  set(part: Partial<SubspacesView>, step: Step = 'push'): void {
    change({ subspaces: { ...view.current.subspaces, ...part } }, step)
  }

  /** Asks for what the view needs and what is not there; run it as an effect. */
  ask(): void {
    const { reading, activations, opened, view: shown } = this
    if (!reading) return
    const { model } = reading
    void this.#vectors.ask(this.#text, async (signal) => {
      return activationsOf(await openModel(model), reading, signal)
    })
    const { compare } = shown
    if (compare === 'query' || compare === 'key') {
      void this.#maps.ask(this.#mapKey, async (signal) => {
        return overlapOf(await openRuntime(model), await openModel(model), compare, signal)
      })
    }
    if (!activations) return
    const { modelVectors: wide, headVectors: narrow } = this
    if (wide && narrow) {
      void this.#planes.ask(this.#planeKey, async (signal) => {
        const hw = await openRuntime(model)
        return {
          model: await planeOf(hw, wide, signal),
          head: await planeOf(hw, narrow, signal),
        }
      })
    }
    if (compare === 'cka' || compare === 'debiased') {
      void this.#maps.ask(this.#mapKey, async (signal) => {
        return alignmentOf(await openRuntime(model), activations, compare === 'debiased', signal)
      })
    }
    if (!this.map) return
    const { other, side } = this
    void this.#compared.ask(this.#comparedKey, async (signal) => {
      const [hw, weights] = [await openRuntime(model), await openModel(model)]
      const own = await projectionOf(weights, opened, side)
      const theirs = await projectionOf(weights, other, side)
      const output = spaceVectors(activations, opened, 'output')
      const second = spaceVectors(activations, other, 'output')
      return {
        angles: await anglesBetween(hw, own, theirs, signal),
        ends: await endsOf(hw, output, second, own, signal),
      }
    })
  }

  /** Ends what is being computed; when the chapter is left. */
  stop(): void {
    for (const each of [this.#vectors, this.#planes, this.#maps, this.#compared]) each.stop()
  }

  #partnerOf(): number {
    const { key } = view.current
    if (key !== null && key < this.tokens.length && key !== this.fixed) return key
    const own = this.pairs.filter(({ first, second }) => {
      return first === this.fixed || second === this.fixed
    })
    const best = changes(own, 1).nearer[0] ?? own[0]
    if (!best) return this.words.find((place) => place !== this.fixed) ?? this.fixed
    return best.first === this.fixed ? best.second : best.first
  }

  #otherOf(): number {
    const { other } = this.view
    if (other && other.layer < this.layers && other.head < this.heads) {
      return other.layer * this.heads + other.head
    }
    return this.map ? mostAlike(this.map, this.count, this.openedIndex) : this.openedIndex
  }

  /** The first lines of every file. */
  header(): Header {
    const { current } = view
    return [
      ['model', subject.label],
      ['text', this.reading?.text ?? current.text],
      ...(current.pair === '' ? [] : [['pair', current.pair] satisfies Header[number]]),
      ['head', this.name],
      ['space', this.view.space],
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(current)],
    ]
  }
}
