// What chapter 6 asks of the kernels: vectors of all heads, their planes, and how alike heads are.
import type { Model, Runtime, TensorLike } from 'headwise'
import { blockOf } from '../../runtime/blocks'
import type { Reading } from '../../runtime/reading.svelte'
import { weightOf } from '../../runtime/weights'
import type { HeadSpace } from '../../state/subspacesView'
import { chance, halves, outside, shuffled, turned, two } from './ends'
import { besideEachOther, headVectors, overlaps, type Vectors } from './vectors'

/** The vectors of one text, of all layers. */
export interface Activations {
  size: number
  layers: number
  heads: number
  headDim: number
  dModel: number
  /** What the layer reads, [S, dModel]. */
  residual: readonly Float32Array[]
  /** [S, heads, headDim] */
  query: readonly Float32Array[]
  key: readonly Float32Array[]
  /** Weighted values, before W_O. */
  output: readonly Float32Array[]
}

export async function activationsOf(
  model: Model,
  reading: Reading,
  signal: AbortSignal,
): Promise<Activations> {
  const { ids, typeIds, layers, heads, headDim, dModel } = reading
  const hooks = ['hook_resid_pre', 'attn.hook_q', 'attn.hook_k', 'attn.hook_z'] as const
  const run = await model.run(
    { ids, typeIds },
    { names: hooks.map((hook) => `${blockOf(model.config, '*')}.${hook}`), output: false, signal },
  )
  const all = (hook: (typeof hooks)[number]): Float32Array[] =>
    Array.from({ length: layers }, (_, layer) => {
      return run.cache.get(`${blockOf(model.config, layer)}.${hook}`).data
    })
  return {
    size: ids.length,
    layers,
    heads,
    headDim,
    dModel,
    residual: all('hook_resid_pre'),
    query: all('attn.hook_q'),
    key: all('attn.hook_k'),
    output: all('attn.hook_z'),
  }
}

export interface HeadPlace {
  layer: number
  head: number
}

export function modelVectors(all: Activations, layer: number): Vectors {
  return { data: all.residual[layer] ?? new Float32Array(), width: all.dModel }
}

export function spaceVectors(
  all: Activations,
  { layer, head }: HeadPlace,
  space: HeadSpace | 'output',
): Vectors {
  const data = all[space][layer] ?? new Float32Array()
  return headVectors(data, all.heads, head, all.headDim)
}

const tensorOf = ({ data, width }: Vectors): TensorLike => ({
  data,
  dims: [data.length / width, width],
})

/** The two principal components of some vectors. */
export interface Plane {
  /** [S, 2] */
  points: Float32Array
  /** Shares of the variance. */
  shares: readonly [number, number]
}

export async function planeOf(hw: Runtime, vectors: Vectors, signal: AbortSignal): Promise<Plane> {
  const { scores, explainedVarianceRatio } = await hw.principalComponents(tensorOf(vectors), {
    components: 2,
    signal,
  })
  const [first = 0, second = 0] = explainedVarianceRatio.data
  return { points: scores.data, shares: [first, second] }
}

/** The least tokens that the debiased estimate takes. */
export const leastDebiased = 4

/** Linear CKA of all heads, [layers * heads, layers * heads]. */
export async function alignmentOf(
  hw: Runtime,
  all: Activations,
  debiased: boolean,
  signal: AbortSignal,
): Promise<Float32Array> {
  const count = all.layers * all.heads
  if (debiased && all.size < leastDebiased) return new Float32Array(count * count).fill(NaN)
  const data = besideEachOther(all.output, all.heads, all.headDim)
  const x = { data, dims: [all.size, count, all.headDim] }
  return (await hw.headSimilarity(x, { debiased, signal })).data
}

const weightName = ({ config }: Model, layer: number, space: HeadSpace): string =>
  `${blockOf(config, layer)}.attn.W_${space === 'query' ? 'Q' : 'K'}`

/** What one head's projection reads, as columns: [dModel, headDim]. */
export async function projectionOf(
  model: Model,
  { layer, head }: HeadPlace,
  space: HeadSpace,
): Promise<Vectors> {
  const { data, dims } = await weightOf(model, weightName(model, layer, space))
  const [, rows = 0, width = 0] = dims
  return { data: data.slice(head * rows * width, (head + 1) * rows * width), width }
}

/** How far the spans that projections read overlap, for all heads. */
export async function overlapOf(
  hw: Runtime,
  model: Model,
  space: HeadSpace,
  signal: AbortSignal,
): Promise<Float32Array> {
  const { numLayers, numHeads, dModel, headDim } = model.config
  const count = numLayers * numHeads
  const all = new Float32Array(count * dModel * headDim)
  for (let layer = 0; layer < numLayers; layer++) {
    const { data } = await weightOf(model, weightName(model, layer, space))
    all.set(data, layer * data.length)
  }
  const { angles } = await hw.principalAngles(
    { data: all, dims: [count, dModel, headDim] },
    undefined,
    { signal },
  )
  return overlaps(angles.data, count)
}

export async function anglesBetween(
  hw: Runtime,
  a: Vectors,
  b: Vectors,
  signal: AbortSignal,
): Promise<Float32Array> {
  return (await hw.principalAngles(tensorOf(a), tensorOf(b), { signal })).angles.data
}

export const endIds = ['same', 'apart', 'chance'] as const
export type EndId = (typeof endIds)[number]

/** A pair of made heads, measured: NaN where there are too few tokens. */
export interface End {
  plain: number
  debiased: number
  /** Radians, rising. */
  angles: Float32Array
}

/** The ends of the scale for one head: itself turned, what it has nothing in common with, chance. */
export async function endsOf(
  hw: Runtime,
  output: Vectors,
  other: Vectors,
  projection: Vectors,
  signal: AbortSignal,
): Promise<Record<EndId, End>> {
  const pca = await hw.principalComponents(tensorOf(output), { signal })
  const basis = await hw.svd(tensorOf(projection), { signal })
  const random = chance(projection.data.length / projection.width, projection.width)
  const span = { data: basis.u.data, width: basis.u.dims[1] ?? 0 }
  const made: Record<EndId, readonly [outputs: TensorLike, reads: Vectors]> = {
    same: [two(output, turned(output)), turned(projection)],
    apart: [two(...halves(pca.scores.data, pca.scores.dims[1] ?? 0)), outside(random, span)],
    chance: [two(output, shuffled(other)), random],
  }
  const measured = {} as Record<EndId, End>
  for (const id of endIds) {
    const [outputs, reads] = made[id]
    const debiased = (outputs.dims[0] ?? 0) >= leastDebiased
    measured[id] = {
      plain: (await hw.headSimilarity(outputs, { signal })).data[1] ?? NaN,
      debiased: debiased
        ? ((await hw.headSimilarity(outputs, { debiased, signal })).data[1] ?? NaN)
        : NaN,
      angles: await anglesBetween(hw, projection, reads, signal),
    }
  }
  return measured
}
