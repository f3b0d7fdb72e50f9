// What chapter 8 asks the model for: losses, maps and vectors with heads switched off.
import type { HeadAblation, Intervention, Model, PairLoss, SentencePair, Tensor } from 'headwise'
import type { AblationId, HeadSpot } from '../../state/ablationView'
import { meanVectors, movedWeight, neighbours, type Neighbour } from './compare'

/** Standard deviation of the noise: that of the numbers that the heads of MiniLM hand on is 0.23. */
export const noiseLevel = 0.25

export interface Off {
  heads: readonly HeadSpot[]
  how: AblationId
  seed: number
}

export const ablationOf = (how: AblationId): HeadAblation =>
  how === 'noise' ? { noise: noiseLevel } : how

/** The same change as the losses make, for a single run. `means` is [layers, heads, headDim]. */
export function interventionsOf({ heads, how, seed }: Off, means: Tensor | null): Intervention[] {
  return heads.map(({ layer, head }) => {
    const name = `blocks.${String(layer)}.attn.hook_z`
    return { name, head, set: changeOf({ layer, head }, how, seed, means) }
  })
}

function changeOf(
  { layer, head }: HeadSpot,
  how: AblationId,
  seed: number,
  means: Tensor | null,
): Intervention['set'] {
  if (how === 'zero') return 'zero'
  if (how === 'noise') return { noise: noiseLevel, seed }
  if (how === 'shuffle') return { shuffle: seed }
  const [, heads = 0, width = 0] = means?.dims ?? []
  const start = (layer * heads + head) * width
  const data = means?.data.slice(start, start + width) ?? new Float32Array(width)
  return { mean: { data, dims: [width] } }
}

export function lossWith(
  model: Model,
  pairs: readonly SentencePair[],
  off: Off,
  signal: AbortSignal,
): Promise<PairLoss> {
  const { heads, how, seed } = off
  return model.pairLoss(pairs, { heads, ablation: ablationOf(how), seed, signal })
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
  const interventions = interventionsOf(off, means)
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
  const interventions = interventionsOf(off, means)
  const [own, ...others] = await vectorsOf(model, [text, ...candidates], interventions, signal)
  return neighbours(own ?? new Float32Array(), others)
}
