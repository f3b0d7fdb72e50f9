// Encoders of BERT's kind: BERT, RoBERTa, ELECTRA, DistilBERT; a norm behind each part.
import { modelDefaults } from '../model-config.js'
import { activations, headSizes, type Fields } from './fields.js'
import type { Modules, Names } from './names.js'
import type { Architecture, Shape } from './index.js'

const blockModules: Modules = {
  'attention.self.query': 'attn.query',
  'attention.self.key': 'attn.key',
  'attention.self.value': 'attn.value',
  'attention.output.dense': 'attn.output',
  'attention.output.LayerNorm': 'ln1',
  'intermediate.dense': 'mlp.in',
  'output.dense': 'mlp.out',
  'output.LayerNorm': 'ln2',
}

const embeddingTables = {
  'embeddings.word_embeddings.weight': 'embed.token',
  'embeddings.position_embeddings.weight': 'embed.position',
  'embeddings.token_type_embeddings.weight': 'embed.token_type',
}

/** `head`: the modules of the masked-LM head. */
function names(root: string, head: Modules): Names {
  return {
    root,
    blocks: [['encoder.layer.', 'blocks.', blockModules]],
    modules: {
      'embeddings.LayerNorm': 'embed.ln',
      embeddings_project: 'embed.project',
      ...head,
    },
    tensors: embeddingTables,
    skipped:
      /^(pooler|cls\.seq_relationship|classifier|qa_outputs|discriminator_predictions)\.|^embeddings\.(position|token_type)_ids$/,
  }
}

function encoder(fields: Fields): Omit<Shape, 'maxPositions' | 'head'> {
  fields.expect('position_embedding_type', 'absolute')
  fields.expect('is_decoder', false)
  fields.expect('add_cross_attention', false)
  const sizes = headSizes(fields, { model: 'hidden_size', heads: 'num_attention_heads' })
  return {
    ...modelDefaults,
    ...sizes,
    kind: 'encoder',
    numLayers: fields.layers('num_hidden_layers'),
    kvHeads: sizes.numHeads,
    dMlp: fields.size('intermediate_size'),
    vocabulary: fields.size('vocab_size'),
    tokenTypes: fields.size('type_vocab_size'),
    normEpsilon: fields.positive('layer_norm_eps', 1e-12),
    normPlacement: 'post',
    embeddingNorm: true,
    finalNorm: false,
    activation: fields.word('hidden_act', activations, 'gelu'),
    tiedHead: fields.flag('tie_word_embeddings', true),
  }
}

/** The head that the class has which the checkpoint was saved from. */
function maskedHead(fields: Fields, ...endings: string[]): Pick<Shape, 'head' | 'headBias'> {
  const isThere = fields.isSavedFrom('ForMaskedLM', ...endings)
  return { head: isThere ? 'masked-lm' : 'none', headBias: isThere }
}

export const bert: Architecture = {
  shape: (fields) => ({
    ...encoder(fields),
    ...maskedHead(fields, 'BertForPreTraining'),
    maxPositions: fields.size('max_position_embeddings'),
  }),
  names: names('bert.', {
    'cls.predictions.transform.dense': 'mlm_head.dense',
    'cls.predictions.transform.LayerNorm': 'mlm_head.ln',
    'cls.predictions.decoder': 'unembed',
    'cls.predictions': 'unembed',
  }),
}

export const roberta: Architecture = {
  shape: (fields) => {
    fields.expect('hidden_act', 'gelu')
    const rows = fields.size('max_position_embeddings')
    const [padId = 1] = fields.ids('pad_token_id', [1])
    const positionOffset = padId + 1
    if (positionOffset >= rows) {
      throw fields.fault('CORRUPT_FILE', 'pad_token_id', `below ${rows - 1}`, padId)
    }
    return {
      ...encoder(fields),
      ...maskedHead(fields),
      positionOffset,
      maxPositions: rows - positionOffset,
    }
  },
  names: names('roberta.', {
    'lm_head.dense': 'mlm_head.dense',
    'lm_head.layer_norm': 'mlm_head.ln',
    'lm_head.decoder': 'unembed',
    lm_head: 'unembed',
  }),
}

export const electra: Architecture = {
  shape: (fields) => {
    fields.expect('hidden_act', 'gelu')
    return {
      ...encoder(fields),
      ...maskedHead(fields),
      dEmbedding: fields.size('embedding_size'),
      maxPositions: fields.size('max_position_embeddings'),
    }
  },
  names: names('electra.', {
    'generator_predictions.dense': 'mlm_head.dense',
    'generator_predictions.LayerNorm': 'mlm_head.ln',
    generator_lm_head: 'unembed',
  }),
}

export const distilbert: Architecture = {
  shape: (fields) => {
    const sizes = headSizes(fields, { model: 'dim', heads: 'n_heads' })
    return {
      ...modelDefaults,
      ...sizes,
      ...maskedHead(fields),
      kind: 'encoder',
      numLayers: fields.layers('n_layers'),
      kvHeads: sizes.numHeads,
      dMlp: fields.size('hidden_dim'),
      vocabulary: fields.size('vocab_size'),
      maxPositions: fields.size('max_position_embeddings'),
      normEpsilon: 1e-12,
      normPlacement: 'post',
      embeddingNorm: true,
      finalNorm: false,
      activation: fields.word('activation', activations, 'gelu'),
      tiedHead: fields.flag('tie_word_embeddings', true),
    }
  },
  names: {
    root: 'distilbert.',
    blocks: [
      [
        'transformer.layer.',
        'blocks.',
        {
          'attention.q_lin': 'attn.query',
          'attention.k_lin': 'attn.key',
          'attention.v_lin': 'attn.value',
          'attention.out_lin': 'attn.output',
          sa_layer_norm: 'ln1',
          'ffn.lin1': 'mlp.in',
          'ffn.lin2': 'mlp.out',
          output_layer_norm: 'ln2',
        },
      ],
    ],
    modules: {
      'embeddings.LayerNorm': 'embed.ln',
      vocab_transform: 'mlm_head.dense',
      vocab_layer_norm: 'mlm_head.ln',
      vocab_projector: 'unembed',
    },
    tensors: embeddingTables,
    skipped: /^(pre_classifier|classifier|qa_outputs)\.|^embeddings\.position_ids$/,
  },
}
