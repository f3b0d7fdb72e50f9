// What the layers that read the text are called. Pure.
import type { ModelConfig } from 'headwise'

/** A layer in the names of activations and weights; in a model with two stacks the encoder's. */
export const blockOf = ({ kind }: Pick<ModelConfig, 'kind'>, layer: number | '*'): string =>
  `${kind === 'encoder-decoder' ? 'encoder' : 'blocks'}.${String(layer)}`
