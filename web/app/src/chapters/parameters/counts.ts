// What a shape of attention costs: parameters by matrix, multiplications, cache. Multi-head,
// grouped-query and multi-query attention are counted by the module; latent attention by the
// matrices that DeepSeek-V2 lists. Norms are not counted. Pure.
import { parameterParts } from 'headwise'
import { divisorBelow, divisorsOf } from '../../state/divisors'
import type { ParametersView } from '../../state/parametersView'

/** A shape that can be built: everything is a whole number. */
export interface Shape {
  dModel: number
  heads: number
  headDim: number
  kvHeads: number
  latent: boolean
  bias: boolean
}

export const matrixIds = [
  'query',
  'key',
  'value',
  'output',
  'queryDown',
  'queryUp',
  'queryRotary',
  'latentDown',
  'keyRotary',
  'keyUp',
  'valueUp',
] as const
export type MatrixId = (typeof matrixIds)[number]

/** A weight matrix as it is drawn: `inputs` high, `outputs` wide. */
export interface Matrix {
  id: MatrixId
  inputs: number
  outputs: number
  weights: number
  /** In how many heads it is cut; 1 where the heads share it. */
  slices: number
  /** Heads are cut out of the inputs (W_O), not of the outputs. */
  byInputs: boolean
}

export interface Cost {
  matrices: readonly Matrix[]
  weights: number
  biases: number
  total: number
  /** Of the projections, for one token. */
  multiplications: number
  /** Of scores and weighted values, for one token that looks at one other. */
  perKey: number
  /** Numbers that are kept for a token in a layer while decoding. */
  cache: number
}

/** Widths of latent attention, in the proportions of DeepSeek-V2. */
export interface LatentWidths {
  /** d_c, of keys and values together. */
  latent: number
  /** d_c', of queries. */
  queryLatent: number
  /** d_h^R, the part that carries the position. */
  rotary: number
}

export function latentWidths(headDim: number): LatentWidths {
  return { latent: 4 * headDim, queryLatent: 12 * headDim, rotary: headDim / 2 }
}

/** Why a shape cannot be built. */
export type Problem =
  | { kind: 'indivisible'; columns: number; left: number; below: number; above: number }
  | { kind: 'rotary'; headDim: number }

export function problemOf({ width, heads, size, latent }: ParametersView): Problem | null {
  if (size === null && width % heads !== 0) {
    const divisors = divisorsOf(width)
    return {
      kind: 'indivisible',
      columns: Math.floor(width / heads),
      left: width % heads,
      below: divisorBelow(width, heads),
      above: divisors.find((divisor) => divisor >= heads) ?? width,
    }
  }
  const headDim = size ?? width / heads
  // Half of a head carries the rotation, which turns columns in pairs.
  return latent && headDim % 4 !== 0 ? { kind: 'rotary', headDim } : null
}

/** The shape of a view, or null where it cannot be built. */
export function shapeOf(view: ParametersView): Shape | null {
  if (problemOf(view)) return null
  const { width, heads, size, kvHeads, latent, bias } = view
  return {
    dModel: width,
    heads,
    headDim: size ?? width / heads,
    kvHeads: kvHeads === null || latent ? heads : divisorBelow(heads, kvHeads),
    latent,
    bias: bias && !latent,
  }
}

export function costOf(shape: Shape): Cost {
  return shape.latent ? latentCost(shape) : groupedCost(shape)
}

function groupedCost({ dModel, heads, headDim, kvHeads, bias }: Shape): Cost {
  const parts = parameterParts({ dModel, numHeads: heads, kvHeads, headDim, bias })
  const projection = (id: 'query' | 'key' | 'value', slices: number): Matrix => ({
    id,
    inputs: dModel,
    outputs: slices * headDim,
    weights: parts[id],
    slices,
    byInputs: false,
  })
  const output: Matrix = {
    id: 'output',
    inputs: heads * headDim,
    outputs: dModel,
    weights: parts.output,
    slices: heads,
    byInputs: true,
  }
  const weights = parts.total - parts.biases
  return {
    matrices: [
      projection('query', heads),
      projection('key', kvHeads),
      projection('value', kvHeads),
      output,
    ],
    weights,
    biases: parts.biases,
    total: parts.total,
    // Every weight is used once for every token.
    multiplications: weights,
    perKey: 2 * heads * headDim,
    cache: 2 * kvHeads * headDim,
  }
}

function latentCost({ dModel, heads, headDim }: Shape): Cost {
  const { latent, queryLatent, rotary } = latentWidths(headDim)
  const matrix = (id: MatrixId, inputs: number, outputs: number, slices: number): Matrix => ({
    id,
    inputs,
    outputs,
    weights: inputs * outputs,
    slices,
    byInputs: id === 'output',
  })
  const matrices = [
    matrix('queryDown', dModel, queryLatent, 1),
    matrix('queryUp', queryLatent, heads * headDim, heads),
    matrix('queryRotary', queryLatent, heads * rotary, heads),
    matrix('latentDown', dModel, latent, 1),
    matrix('keyRotary', dModel, rotary, 1),
    matrix('keyUp', latent, heads * headDim, heads),
    matrix('valueUp', latent, heads * headDim, heads),
    matrix('output', heads * headDim, dModel, heads),
  ]
  const weights = matrices.reduce((sum, { weights }) => sum + weights, 0)
  return {
    matrices,
    weights,
    biases: 0,
    total: weights,
    multiplications: weights,
    perKey: heads * (headDim + rotary) + heads * headDim,
    cache: latent + rotary,
  }
}

/** One line for each number of heads that divides d_model, in the way of a view. */
export function everyHeads(view: ParametersView): { shape: Shape; cost: Cost }[] {
  return divisorsOf(view.width).flatMap((heads) => {
    const shape = shapeOf({ ...view, heads })
    return shape ? [{ shape, cost: costOf(shape) }] : []
  })
}

/** The same heads with keys and values of their own, shared by groups, by all, and from a latent. */
export function variantsOf(view: ParametersView): { shape: Shape; cost: Cost }[] {
  const plain = { ...view, latent: false }
  const grouped = divisorsOf(view.heads)
    .reverse()
    .map((kvHeads) => shapeOf({ ...plain, kvHeads }))
  return [...grouped, shapeOf({ ...view, latent: true })].flatMap((shape) =>
    shape ? [{ shape, cost: costOf(shape) }] : [],
  )
}

export type VariantKind = 'mha' | 'gqa' | 'mqa' | 'mla'

export function kindOf({ heads, kvHeads, latent }: Shape): VariantKind {
  if (latent) return 'mla'
  if (kvHeads === heads) return 'mha'
  return kvHeads === 1 ? 'mqa' : 'gqa'
}

/** At most `most` of a list, evenly, with its ends and the wanted ones among them. */
export function thinned<T>(list: readonly T[], most: number, wanted: (each: T) => boolean): T[] {
  if (list.length <= most) return [...list]
  const step = (list.length - 1) / (most - 1)
  const kept = new Set(Array.from({ length: most }, (_, place) => Math.round(place * step)))
  return list.filter((each, place) => kept.has(place) || wanted(each))
}
