// Queries, keys and values of one layer for a reading, as the model's kernels make them.
import type { Projections } from '../figures/projections'
import { Latest } from './latest.svelte'
import type { Reading } from './reading.svelte'
import { modelNames, openModel } from './session.svelte'

interface Input {
  reading: Reading
  layer: number
}

/**
 * Those of the layer that is looked at. A reading is another object with every layer that arrives; as
 * long as its tokens are the same, what is known of it stays, and with it what is shown.
 */
export class LayerProjections {
  readonly #latest = new Latest(
    (_, { reading, layer }: Input) => readProjections(reading, layer),
    (one, other) => one.reading.ids === other.reading.ids && one.layer === other.layer,
  )

  /** Asks, where the reading has come as far as the layer. */
  ask(reading: Reading | null, layer: number): void {
    if (reading && reading.patterns.length > layer) this.#latest.ask({ reading, layer })
  }

  of(reading: Reading | null, layer: number): Projections | null {
    const { known } = this.#latest
    const isThis = known?.input.reading.ids === reading?.ids && known?.input.layer === layer
    return known && isThis ? known.result : null
  }

  get failure(): string | null {
    return this.#latest.failure
  }
}

async function readProjections(reading: Reading, layer: number): Promise<Projections> {
  const { ids, typeIds, heads, headDim } = reading
  const model = await openModel(modelNames[0])
  const name = (part: string): string => `blocks.${String(layer)}.attn.hook_${part}`
  const names = ['q', 'k', 'v'].map(name)
  const { cache } = await model.run({ ids, typeIds }, { names, output: false })
  const [query, key, value] = names.map((each) => cache.get(each).data) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  return { layer, size: ids.length, heads, headDim, query, key, value }
}
