// The attentions of a model whose heads can be changed: what they are called and where they run.
import type { ModelConfig } from '../types/model-config.js'

/** One multi-head attention of a model. */
export interface Attention {
  /** What the names of its activations begin with: `decoder.0.cross_attn` of `….hook_z`. */
  name: string
  /** The block that it stands in, counted through both stacks of an encoder-decoder. */
  block: number
}

type Sizes = Pick<ModelConfig, 'kind' | 'numLayers' | 'decoderLayers'>

/**
 * All of them: one for each layer; of an encoder-decoder the encoder's, the decoder's own, then those
 * with which the decoder reads the encoder.
 */
export function attentionsOf({ kind, numLayers, decoderLayers }: Sizes): Attention[] {
  const layers = (count: number, first: number, name: (layer: number) => string) =>
    Array.from({ length: count }, (_, layer) => ({ name: name(layer), block: first + layer }))
  if (kind !== 'encoder-decoder') return layers(numLayers, 0, (layer) => `blocks.${layer}.attn`)
  return [
    ...layers(numLayers, 0, (layer) => `encoder.${layer}.attn`),
    ...layers(decoderLayers, numLayers, (layer) => `decoder.${layer}.attn`),
    ...layers(decoderLayers, numLayers, (layer) => `decoder.${layer}.cross_attn`),
  ]
}

/** The blocks of all stacks. */
export function blocksOf({ kind, numLayers, decoderLayers }: Sizes): number {
  return kind === 'encoder-decoder' ? numLayers + decoderLayers : numLayers
}
