// Encoder-decoders of BART's kind: BART (learned positions, a norm on the embedding) and Marian
// (sinusoidal positions); a norm behind each part, one token table for both sides and the head.
import { modelDefaults } from '../model-config.js'
import { activations, headSizes, type Fields } from './fields.js'
import type { Architecture, Shape } from './index.js'
import { flattened, type Modules, type Names } from './names.js'

function attention(theirs: string, ours: string): Modules {
  return {
    [`${theirs}.q_proj`]: `${ours}.query`,
    [`${theirs}.k_proj`]: `${ours}.key`,
    [`${theirs}.v_proj`]: `${ours}.value`,
    [`${theirs}.out_proj`]: `${ours}.output`,
  }
}

const encoderModules: Modules = {
  ...attention('self_attn', 'attn'),
  self_attn_layer_norm: 'ln1',
  fc1: 'mlp.in',
  fc2: 'mlp.out',
  final_layer_norm: 'ln2',
}

const decoderModules: Modules = {
  ...encoderModules,
  ...attention('encoder_attn', 'cross_attn'),
  encoder_attn_layer_norm: 'ln2',
  final_layer_norm: 'ln3',
}

const names: Names = {
  root: 'model.',
  blocks: [
    ['encoder.layers.', 'encoder.blocks.', encoderModules],
    ['decoder.layers.', 'decoder.blocks.', decoderModules],
  ],
  modules: { lm_head: 'unembed' },
  tensors: {
    'shared.weight': 'embed.token',
    'encoder.embed_tokens.weight': 'embed.token',
    'decoder.embed_tokens.weight': 'embed.token',
    final_logits_bias: 'unembed.bias',
  },
  // Marian's positions are computed.
  skipped: /^(en|de)coder\.embed_positions\.weight$|^classification_head\./,
  layoutOf: (parameter) => (parameter === 'unembed.bias' ? flattened(1) : undefined),
}

/** A number that both sides have. */
function ofBothSides(fields: Fields, name: string): number {
  const value = fields.size(`encoder_${name}`)
  fields.expect(`decoder_${name}`, value)
  return value
}

function encoderDecoder(fields: Fields, suppressedIds: readonly number[]): Shape {
  // What Hugging Face's code for these types does, whatever files say that were converted to it.
  fields.expect('normalize_before', false)
  fields.expect('add_final_layer_norm', false)
  fields.expect('tie_word_embeddings', true)
  ofBothSides(fields, 'attention_heads')
  const sizes = headSizes(fields, { model: 'd_model', heads: 'encoder_attention_heads' })
  const padIds = fields.ids('pad_token_id')
  return {
    ...modelDefaults,
    ...sizes,
    kind: 'encoder-decoder',
    numLayers: fields.layers('encoder_layers'),
    decoderLayers: fields.layers('decoder_layers'),
    kvHeads: sizes.numHeads,
    dMlp: ofBothSides(fields, 'ffn_dim'),
    vocabulary: fields.size('vocab_size'),
    maxPositions: fields.size('max_position_embeddings', 1024),
    normEpsilon: 1e-5,
    normPlacement: 'post',
    finalNorm: false,
    activation: fields.word('activation_function', activations, 'gelu'),
    embeddingScale: fields.flag('scale_embedding', false) ? Math.sqrt(sizes.dModel) : 1,
    head: 'lm',
    headBias: fields.isSavedFrom('ForConditionalGeneration', 'MTModel'),
    generation: {
      startIds: [
        ...fields.ids('decoder_start_token_id', padIds),
        ...fields.ids('forced_bos_token_id'),
      ],
      endIds: fields.ids('eos_token_id'),
      suppressedIds,
    },
  }
}

const rowsBeforeBart = 2

export const bart: Architecture = {
  shape: (fields) => {
    fields.expect('normalize_embedding', true)
    fields.expect('static_position_embeddings', false)
    fields.expect('extra_pos_embeddings', rowsBeforeBart)
    return { ...encoderDecoder(fields, []), embeddingNorm: true, positionOffset: rowsBeforeBart }
  },
  names: {
    ...names,
    modules: {
      ...names.modules,
      'encoder.layernorm_embedding': 'encoder.embed.ln',
      'decoder.layernorm_embedding': 'decoder.embed.ln',
    },
    tensors: {
      ...names.tensors,
      'encoder.embed_positions.weight': 'encoder.embed.position',
      'decoder.embed_positions.weight': 'decoder.embed.position',
    },
  },
}

export const marian: Architecture = {
  shape: (fields) => {
    fields.expect('normalize_embedding', false)
    fields.expect('static_position_embeddings', true)
    fields.expect('share_encoder_decoder_embeddings', true)
    // Translations never hold the token that fills short rows, with which they begin.
    const shape = encoderDecoder(fields, fields.ids('pad_token_id'))
    fields.expect('decoder_vocab_size', shape.vocabulary)
    return { ...shape, positions: 'sinusoidal' }
  },
  names,
}
