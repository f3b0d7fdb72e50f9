// Queries, keys and values of one layer for a reading, as the model's kernels make them.
import type { Projections } from '../figures/projections'
import type { Reading } from './reading.svelte'
import { modelNames, openModel } from './session.svelte'

export async function readProjections(reading: Reading, layer: number): Promise<Projections> {
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
