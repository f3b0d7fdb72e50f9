// T5: an encoder-decoder with RMSNorm before each part, relative positions as a bias, no other biases
// and unscaled scores.
import { modelDefaults } from '../model-config.js'
import { headSizes } from './fields.js'
import type { Architecture } from './index.js'
import type { Modules, Names } from './names.js'

function attention(theirs: string, ours: string): Modules {
  return {
    [`${theirs}.q`]: `${ours}.query`,
    [`${theirs}.k`]: `${ours}.key`,
    [`${theirs}.v`]: `${ours}.value`,
    [`${theirs}.o`]: `${ours}.output`,
  }
}

/** The feed-forward layer is the block's last part, number `index` from 0. */
function feedForward(index: number): Modules {
  const layer = `layer.${index}`
  return {
    [`${layer}.layer_norm`]: `ln${index + 1}`,
    [`${layer}.DenseReluDense.wi`]: 'mlp.in',
    [`${layer}.DenseReluDense.wi_0`]: 'mlp.gate',
    [`${layer}.DenseReluDense.wi_1`]: 'mlp.in',
    [`${layer}.DenseReluDense.wo`]: 'mlp.out',
  }
}

const selfAttention: Modules = {
  'layer.0.layer_norm': 'ln1',
  ...attention('layer.0.SelfAttention', 'attn'),
}

const crossAttention: Modules = {
  'layer.1.layer_norm': 'ln2',
  ...attention('layer.1.EncDecAttention', 'cross_attn'),
}

const bias = 'block.0.layer.0.SelfAttention.relative_attention_bias.weight'

const names: Names = {
  blocks: [
    ['encoder.block.', 'encoder.blocks.', { ...selfAttention, ...feedForward(1) }],
    [
      'decoder.block.',
      'decoder.blocks.',
      { ...selfAttention, ...crossAttention, ...feedForward(2) },
    ],
  ],
  modules: {
    'encoder.final_layer_norm': 'encoder.ln_final',
    'decoder.final_layer_norm': 'decoder.ln_final',
    lm_head: 'unembed',
  },
  tensors: {
    'shared.weight': 'embed.token',
    'encoder.embed_tokens.weight': 'embed.token',
    'decoder.embed_tokens.weight': 'embed.token',
    [`encoder.${bias}`]: 'encoder.relative_bias',
    [`decoder.${bias}`]: 'decoder.relative_bias',
  },
  skipped: /^decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight$/,
}

/** "gated-gelu" has always meant the approximation. */
const projections = {
  relu: { activation: 'relu', gatedMlp: false },
  'gated-gelu': { activation: 'gelu-tanh', gatedMlp: true },
  'gated-silu': { activation: 'silu', gatedMlp: true },
} as const

export const t5: Architecture = {
  shape: (fields) => {
    const sizes = headSizes(fields, { model: 'd_model', heads: 'num_heads', head: 'd_kv' })
    const numLayers = fields.layers('num_layers')
    const tiedHead = fields.flag('tie_word_embeddings', true)
    return {
      ...modelDefaults,
      ...sizes,
      ...fields.word('feed_forward_proj', projections, 'relu'),
      kind: 'encoder-decoder',
      numLayers,
      decoderLayers: fields.layers('num_decoder_layers', numLayers),
      kvHeads: sizes.numHeads,
      dMlp: fields.size('d_ff'),
      vocabulary: fields.size('vocab_size'),
      maxPositions: 0,
      norm: 'rms',
      normEpsilon: fields.positive('layer_norm_epsilon', 1e-6),
      positions: 'relative',
      relative: {
        buckets: fields.size('relative_attention_num_buckets', 32),
        maxDistance: fields.size('relative_attention_max_distance', 128),
      },
      attentionBias: false,
      outputBias: false,
      mlpBias: false,
      attentionScale: 1,
      head: 'lm',
      tiedHead,
      logitScale: tiedHead ? sizes.dModel ** -0.5 : 1,
      generation: {
        startIds: fields.ids('decoder_start_token_id', fields.ids('pad_token_id', [0])),
        endIds: fields.ids('eos_token_id', [1]),
        suppressedIds: [],
      },
    }
  },
  names,
}
