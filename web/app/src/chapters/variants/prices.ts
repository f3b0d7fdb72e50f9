// What each variant of a layer costs: weights, arithmetic, and memory of the cache. Pure.
import type { LayerShape } from './convert'

/** Heads of keys and values, or the width of the latent they are made from. */
export type Variant = { kind: 'grouped'; kvHeads: number } | { kind: 'latent'; rank: number }

export type VariantName = 'mha' | 'gqa' | 'mqa' | 'mla'

export interface Price {
  /** Of the four (or, with a latent, five) matrices, biases left out. */
  parameters: number
  /** Numbers that a token leaves in the cache of a layer. */
  cached: number
  /** Floating-point operations of one layer for one new token with `context` tokens in the cache. */
  flops: number
}

/** Two operations for a multiplication and its addition. */
const operations = 2
/** bfloat16 or float16, as caches are kept. */
export const bytesPerNumber = 2

export function nameOf(variant: Variant, heads: number): VariantName {
  if (variant.kind === 'latent') return 'mla'
  if (variant.kvHeads === heads) return 'mha'
  return variant.kvHeads === 1 ? 'mqa' : 'gqa'
}

const kinds: Record<VariantName, string> = { mha: 'MHA', gqa: 'GQA', mqa: 'MQA', mla: 'MLA' }

/** As figures and text call it, in every language: GQA with 4 key/value heads is GQA 4. */
export function labelOf(variant: Variant, heads: number): string {
  const kind = kinds[nameOf(variant, heads)]
  if (variant.kind === 'latent') return `${kind} ${String(variant.rank)}`
  return kind === 'GQA' ? `${kind} ${String(variant.kvHeads)}` : kind
}

export const idOf = (variant: Variant): string =>
  variant.kind === 'latent'
    ? `latent ${String(variant.rank)}`
    : `grouped ${String(variant.kvHeads)}`

export function priceOf(
  variant: Variant,
  { dModel, heads, headDim }: LayerShape,
  context: number,
): Price {
  const width = heads * headDim
  if (variant.kind === 'latent') {
    const { rank } = variant
    const parameters = 2 * dModel * width + rank * (dModel + 2 * width)
    // Absorbed: the cache is read as latents, by every head, for scores and again for values.
    const perToken = 2 * heads * rank
    return { parameters, cached: rank, flops: operations * (parameters + perToken * context) }
  }
  const keyWidth = variant.kvHeads * headDim
  const parameters = 2 * dModel * width + 2 * dModel * keyWidth
  return {
    parameters,
    cached: 2 * keyWidth,
    flops: operations * (parameters + 2 * width * context),
  }
}

/** Bytes of the caches of all layers. */
export const cacheBytes = (cached: number, layers: number, context: number): number =>
  bytesPerNumber * cached * layers * context

/** Every grouping, from all heads to one. */
export function groupings(heads: number): number[] {
  return Array.from({ length: heads }, (_, place) => heads - place).filter(
    (kvHeads) => heads % kvHeads === 0,
  )
}

/** Latents that keep as much as a grouping does, as far as they are narrower than the model. */
export function latentWidths({ dModel, heads, headDim }: LayerShape, chosen: number): number[] {
  const alike = groupings(heads).map((kvHeads) => 2 * kvHeads * headDim)
  return [...new Set([...alike, chosen])].filter((rank) => rank <= dModel).sort((a, b) => b - a)
}
