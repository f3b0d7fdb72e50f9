// Everything chapter 10 derives from the reading and the view, and what it asks the kernels for.
import type { Header } from '../../export/table'
import { largestKey, rowOf, weightAt, type HeadWeights } from '../../figures/measures'
import { Computed } from '../../runtime/computed.svelte'
import { reader, type Reading } from '../../runtime/reading.svelte'
import { openModel, openRuntime, session } from '../../runtime/session.svelte'
import { subject } from '../../runtime/subject.svelte'
import type { VariantsView } from '../../state/variantsView'
import { clampToken } from '../../state/view'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import {
  Converter,
  factorsOf,
  layerInput,
  trainedLayer,
  type LayerInput,
  type Outcome,
} from './compute'
import {
  keptShare,
  relativeError,
  type Factors,
  type LayerShape,
  type TrainedLayer,
} from './convert'
import { groupings, idOf, latentWidths, nameOf, priceOf, type Price, type Variant } from './prices'

/** The shape before the model has told it: that of the model this site ships. */
const expected = { layers: 6, heads: 12, headDim: 32, dModel: 384 }

interface Layer {
  trained: TrainedLayer
  factors: Factors
}

interface Outcomes {
  /** The layer and the text. */
  of: string
  all: readonly Outcome[]
  /** How far the model's own run, with 8-bit weights and activations, is from ours in floats. */
  own: number
}

export interface Line {
  variant: Variant
  price: Price
  /** NaN while it is computed. */
  error: number
  chosen: boolean
}

export class VariantsState {
  readonly view: VariantsView = $derived(view.current.variants)
  readonly reading: Reading | null = $derived(reader.of(subject.name))
  readonly shape: LayerShape & { layers: number } = $derived(this.reading ?? expected)
  readonly layer = $derived(Math.min(view.current.layer, this.shape.layers - 1))
  readonly head = $derived(Math.min(view.current.head, this.shape.heads - 1))
  readonly tokens = $derived(this.reading?.tokens ?? [])
  readonly fixed = $derived(clampToken(view.current.token, this.tokens.length))
  readonly groupings = $derived(groupings(this.shape.heads))
  readonly kvHeads = $derived(
    this.groupings.find((each) => each <= (this.view.kvHeads ?? this.shape.heads)) ?? 1,
  )
  readonly rank = $derived(Math.min(this.view.rank, this.shape.dModel))
  readonly context = $derived(2 ** this.view.context)
  readonly chosen: Variant = $derived(
    this.view.latent
      ? { kind: 'latent', rank: this.rank }
      : { kind: 'grouped', kvHeads: this.kvHeads },
  )
  readonly original: Variant = $derived({ kind: 'grouped', kvHeads: this.shape.heads })
  readonly name = $derived(nameOf(this.chosen, this.shape.heads))
  readonly variants: readonly Variant[] = $derived([
    ...this.groupings.map((kvHeads): Variant => ({ kind: 'grouped', kvHeads })),
    ...latentWidths(this.shape, this.rank).map((rank): Variant => ({ kind: 'latent', rank })),
  ])

  readonly #layers = new Computed<Layer>()
  readonly #inputs = new Computed<LayerInput>()
  /** Kept for as long as layer and text are the same: it remembers what it has run. */
  #converter: { of: string; converter: Converter } | null = null
  readonly #outcomes = new Computed<Outcomes>()

  readonly #text = $derived(this.reading ? this.reading.ids.join() : '')
  readonly #layerKey = $derived(`${subject.name} ${String(this.layer)}`)
  readonly #inputKey = $derived(`${this.#text} ${this.#layerKey}`)
  readonly #outcomeKey = $derived(`${this.#inputKey} ${this.variants.map(idOf).join()}`)

  readonly factors = $derived(this.#layers.of(this.#layerKey)?.factors ?? null)
  /** While one more variant is computed, those that are known stay. */
  readonly outcomes = $derived.by(() => {
    const { latest } = this.#outcomes
    return latest?.of === this.#inputKey ? latest : null
  })
  readonly outcome = $derived(this.outcomeOf(this.chosen))
  readonly failure = $derived(
    this.#layers.failureOf(this.#layerKey) ??
      this.#inputs.failureOf(this.#inputKey) ??
      this.#outcomes.failureOf(this.#outcomeKey),
  )

  readonly lines: readonly Line[] = $derived(
    this.variants.map((variant) => ({
      variant,
      price: priceOf(variant, this.shape, this.context),
      error: this.outcomeOf(variant)?.error ?? NaN,
      chosen: idOf(variant) === idOf(this.chosen),
    })),
  )
  readonly price = $derived(priceOf(this.chosen, this.shape, this.context))
  readonly originalPrice = $derived(priceOf(this.original, this.shape, this.context))
  readonly kept = $derived(this.factors ? keptShare(this.factors.s.data, this.rank) : null)

  /** The head that is looked at, as it was trained and in the chosen variant. */
  readonly maps = $derived.by((): readonly [HeadWeights, HeadWeights] | null => {
    const [whole, changed] = [this.outcomeOf(this.original), this.outcome]
    if (!whole || !changed) return null
    return [this.#map(whole), this.#map(changed)]
  })
  readonly key = $derived.by(() => {
    const { key } = view.current
    if (key !== null && key < this.tokens.length) return key
    const specials = this.tokens.flatMap((token, place) => (token.special ? [place] : []))
    return this.maps ? largestKey(rowOf(this.maps[0], this.fixed), specials) : 0
  })
  /** Weight of the fixed pair, before and after. */
  readonly pair = $derived.by(() => {
    const [whole, changed] = this.maps ?? []
    if (!whole || !changed) return null
    return [weightAt(whole, this.fixed, this.key), weightAt(changed, this.fixed, this.key)] as const
  })

  outcomeOf(variant: Variant): Outcome | null {
    const id = idOf(variant)
    return this.outcomes?.all.find((each) => idOf(each.variant) === id) ?? null
  }

  label(place: number): string {
    return this.tokens[place]?.label ?? ''
  }

  set(part: Partial<VariantsView>, step: Step = 'push'): void {
    change({ variants: { ...view.current.variants, ...part } }, step)
  }

  /** Asks for what the view needs and what is not there; run it as an effect. */
  ask(): void {
    const { reading, layer, variants } = this
    if (!reading) return
    const { model } = reading
    void this.#layers.ask(this.#layerKey, async (signal) => {
      const [hw, weights] = [await openRuntime(model), await openModel(model)]
      const trained = await trainedLayer(weights, layer)
      return { trained, factors: await factorsOf(hw, trained, signal) }
    })
    void this.#inputs.ask(this.#inputKey, async (signal) => {
      return layerInput(await openModel(model), reading, layer, signal)
    })
    const made = this.#layers.of(this.#layerKey)
    const input = this.#inputs.of(this.#inputKey)
    if (!made || !input) return
    const of = this.#inputKey
    void this.#outcomes.ask(this.#outcomeKey, async (signal) => {
      const hw = await openRuntime(model)
      if (this.#converter?.of !== of || this.#converter.converter.hw !== hw) {
        const converter = new Converter(hw, made.trained, made.factors, input.x)
        this.#converter = { of, converter }
      }
      const { converter } = this.#converter
      const whole = await converter.whole(signal)
      const all: Outcome[] = []
      for (const variant of variants) all.push(await converter.run(variant, signal))
      return { of, all, own: relativeError(input.own, whole) }
    })
  }

  /** Ends what is being computed; when the chapter is left. */
  stop(): void {
    for (const each of [this.#layers, this.#inputs, this.#outcomes]) each.stop()
  }

  #map({ weights }: Outcome): HeadWeights {
    const size = this.tokens.length
    const cells = size * size
    return {
      layer: this.layer,
      head: this.head,
      size,
      weights: weights.subarray(this.head * cells, (this.head + 1) * cells),
    }
  }

  /** The first lines of every file. */
  header(): Header {
    const { current } = view
    return [
      ['model', subject.label],
      ['text', this.reading?.text ?? current.text],
      ...(current.pair === '' ? [] : [['pair', current.pair] satisfies Header[number]]),
      ['layer', String(this.layer)],
      ['variant', idOf(this.chosen)],
      ['context', String(this.context)],
      ['headwise', `${session.info?.version ?? ''} (${session.info?.build ?? ''})`],
      ['link', linkTo(current)],
    ]
  }
}
