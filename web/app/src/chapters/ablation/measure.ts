// What chapter 8 asks the model for: losses, maps and vectors with heads switched off.
import {
  attentionNames,
  type HeadAblation,
  type Intervention,
  type LossSample,
  type Model,
  type ModelLoss,
  type Tensor,
} from 'headwise'
import type { ModelName } from '../../runtime/models.svelte'
import type { AblationId, HeadSpot } from '../../state/ablationView'
import { meanVectors, movedWeight, neighbours, type Neighbour } from './compare'

/** Standard deviation of the noise: about that of what a model's heads hand on (0.23, 0.52, 0.53). */
export const noiseLevels: Readonly<Record<ModelName, number>> = {
  'minilm-l6': 0.25,
  'translate-en-fr': 0.5,
  'novels-lm': 0.5,
}

export interface Off {
  heads: readonly HeadSpot[]
  how: AblationId
  seed: number
  /** Standard deviation of the noise. */
  noise: number
}

export const ablationOf = (how: AblationId, noise: number): HeadAblation =>
  how === 'noise' ? { noise } : how

/** The same change as the losses make, for a single run. `means` is [attentions, heads, headDim]. */
export function interventionsOf(
  off: Off,
  means: Tensor | null,
  attentions: readonly string[],
): Intervention[] {
  return off.heads.map((spot) => {
    const name = `${attentions[spot.layer] ?? ''}.hook_z`
    return { name, head: spot.head, set: changeOf(spot, off, means) }
  })
}

function changeOf(
  { layer, head }: HeadSpot,
  { how, seed, noise }: Off,
  means: Tensor | null,
): Intervention['set'] {
  if (how === 'zero') return 'zero'
  if (how === 'noise') return { noise, seed }
  if (how === 'shuffle') return { shuffle: seed }
  const [, heads = 0, width = 0] = means?.dims ?? []
  const start = (layer * heads + head) * width
  const data = means?.data.slice(start, start + width) ?? new Float32Array(width)
  return { mean: { data, dims: [width] } }
}

export function lossWith(
  model: Model,
  samples: readonly LossSample[],
  off: Off,
  signal: AbortSignal,
): Promise<ModelLoss> {
  const { heads, how, seed, noise } = off
  return model.loss(samples, { heads, ablation: ablationOf(how, noise), seed, signal })
}

/** The mean of every head's output over the samples, in the form that the model's kind takes. */
export function meansOf(
  model: Model,
  samples: readonly LossSample[],
  signal: AbortSignal,
): Promise<Tensor> {
  const texts = model.config.kind === 'encoder' ? samples.flat() : samples
  return model.meanHeadOutputs(texts as readonly string[], { signal })
}

export interface Behind {
  /** [layers * heads]: share of the weight that lies elsewhere. */
  moved: Float32Array
  /** Maps of every layer, [heads, S, S]. */
  patterns: Float32Array[]
}

export interface Read {
  ids: readonly number[]
  typeIds: readonly number[]
  layers: number
  heads: number
  patterns: readonly Float32Array[]
}

/** The maps of a text with heads switched off, beside those that it has with all heads. */
export async function mapsBehind(
  model: Model,
  reading: Read,
  off: Off,
  means: Tensor | null,
  signal: AbortSignal,
): Promise<Behind> {
  const { ids, typeIds, layers, heads, patterns: before } = reading
  const names = Array.from(
    { length: layers },
    (_, layer) => `blocks.${String(layer)}.attn.hook_pattern`,
  )
  const interventions = interventionsOf(off, means, attentionNames(model.config))
  const run = await model.run({ ids, typeIds }, { names, interventions, signal })
  const patterns = names.map((name) => run.cache.get(name).data)
  const cells = ids.length ** 2
  const moved = Float32Array.from({ length: layers * heads }, (_, index) => {
    const [layer, head] = [Math.floor(index / heads), index % heads]
    const of = (all: readonly Float32Array[]): Float32Array =>
      all[layer]?.subarray(head * cells, (head + 1) * cells) ?? new Float32Array(cells)
    return movedWeight(of(before), of(patterns), ids.length)
  })
  return { moved, patterns }
}

const batch = 50

async function vectorsOf(
  model: Model,
  texts: readonly string[],
  interventions: Intervention[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const all: Float32Array[] = []
  for (let start = 0; start < texts.length; start += batch) {
    const part = { texts: texts.slice(start, start + batch) }
    const { output, keyMask } = await model.run(part, { interventions, signal })
    if (!output) throw new Error('run: expected an output')
    all.push(...meanVectors(output.data, keyMask.data, output.dims as [number, number, number]))
  }
  return all
}

/** The candidates by how near they are to the text, with heads switched off. */
export async function nearest(
  model: Model,
  text: string,
  candidates: readonly string[],
  off: Off,
  means: Tensor | null,
  signal: AbortSignal,
): Promise<Neighbour[]> {
  const interventions = interventionsOf(off, means, attentionNames(model.config))
  const [own, ...others] = await vectorsOf(model, [text, ...candidates], interventions, signal)
  return neighbours(own ?? new Float32Array(), others)
}
