import { invalidArgument } from '../errors.js'
import { attentionsOf } from '../model/attentions.js'
import type { ModelConfig } from '../types/model-config.js'
import { describe } from '../validate/describe.js'

/**
 * The attentions of a model, as the analyses of its heads count them: `blocks.{i}.attn` for each
 * layer; of an encoder-decoder `encoder.{i}.attn`, then `decoder.{i}.attn`, then
 * `decoder.{i}.cross_attn`. With `.hook_z` or `.hook_pattern` behind it, the name of an activation.
 *
 * @example
 * ```js
 * import { attentionNames } from 'headwise'
 *
 * const names = attentionNames({ kind: 'encoder-decoder', numLayers: 1, decoderLayers: 1 })
 * console.log(names.join(', ')) // encoder.0.attn, decoder.0.attn, decoder.0.cross_attn
 * ```
 *
 * @throws HeadwiseError `INVALID_ARGUMENT`
 */
export function attentionNames(
  config: Pick<ModelConfig, 'kind' | 'numLayers' | 'decoderLayers'>,
): string[] {
  const { kind, numLayers } = Object(config) as Partial<ModelConfig>
  if (typeof kind !== 'string' || !Number.isSafeInteger(numLayers)) {
    throw invalidArgument('config', "a model's config: kind, numLayers", describe(config))
  }
  return attentionsOf(config).map(({ name }) => name)
}
