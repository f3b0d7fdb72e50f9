// Everything chapter 5 derives from the view, in one place, and how it changes the view.
import type { Header } from '../../export/table'
import { count } from '../../i18n/numbers'
import { messages } from '../../i18n/messages.svelte'
import { session } from '../../runtime/session.svelte'
import { divisorBelow, divisorsOf } from '../../state/divisors'
import type { ParametersView } from '../../state/parametersView'
import { change, linkTo, view, type Step } from '../../state/view.svelte'
import { version } from 'headwise'
import {
  costOf,
  everyHeads,
  kindOf,
  problemOf,
  shapeOf,
  variantsOf,
  type Cost,
  type Matrix,
  type Shape,
} from './counts'
import { presets, shippedPreset, type Preset } from './presets'

export class ParametersState {
  readonly #given: () => ParametersView
  readonly view: ParametersView = $derived.by(() => this.#given())
  readonly shape: Shape | null = $derived(shapeOf(this.view))
  readonly problem = $derived(problemOf(this.view))
  readonly cost: Cost | null = $derived(this.shape ? costOf(this.shape) : null)
  readonly kind = $derived(this.shape ? kindOf(this.shape) : null)
  readonly divisors = $derived(divisorsOf(this.view.width))
  readonly every = $derived(everyHeads(this.view))
  readonly variants = $derived(variantsOf(this.view))
  /** Head dimension as it is written: with a fraction where it does not come out even. */
  readonly headDim = $derived(
    this.view.size === null ? trimmed(this.view.width / this.view.heads) : String(this.view.size),
  )
  readonly kvHeads = $derived(divisorBelow(this.view.heads, this.view.kvHeads ?? this.view.heads))
  readonly models: readonly Preset[] = $derived([
    ...(session.config
      ? [shippedPreset(session.config, messages.frame.model.shipped['minilm-l6'].name)]
      : []),
    ...presets,
  ])

  /** What is drawn: the matrices of the shape, or those of a shape that leaves columns over. */
  readonly matrices: readonly Matrix[] = $derived.by(() => {
    if (this.cost) return this.cost.matrices
    const { width } = this.view
    // As if it could be built: the whole matrices, cut as far as the cut goes.
    const whole = costOf({
      dModel: width,
      heads: 1,
      headDim: width,
      kvHeads: 1,
      latent: false,
      bias: false,
    })
    return whole.matrices.map((matrix) => ({ ...matrix, slices: this.view.heads }))
  })
  readonly leftOver = $derived(
    this.problem?.kind === 'indivisible' ? { columns: this.problem.left } : null,
  )

  /** Of the view that `given` gives; what is set is set in the view of the page. */
  constructor(given = (): ParametersView => view.current.parameters) {
    this.#given = given
  }

  set(part: Partial<ParametersView>, step: Step = 'push'): void {
    change({ parameters: { ...view.current.parameters, ...part } }, step)
  }

  setAblation(part: Partial<ParametersView['ablation']>): void {
    this.set({ ablation: { ...view.current.parameters.ablation, ...part } }, 'replace')
  }

  /** The first lines of every file. */
  header(): Header {
    const { width, heads } = this.view
    return [
      ['chapter', messages.frame.chapterNames.parameters],
      ['d_model', String(width)],
      ['heads', String(heads)],
      ['d_k', this.headDim],
      ['headwise', version],
      ['link', linkTo(view.current)],
    ]
  }
}

/** Two decimals where there are any. */
export function trimmed(value: number): string {
  return Number.isInteger(value) ? count(value).replaceAll(',', '') : `${value.toFixed(2)}…`
}
