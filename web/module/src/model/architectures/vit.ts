// Vision transformers: ViT and DeiT, patches of an image behind one or two learned tokens.
import { modelDefaults } from '../model-config.js'
import { activations, headSizes, type Fields } from './fields.js'
import type { Architecture, Shape } from './index.js'
import { flattened, type Layout, type Names } from './names.js'

/** The learned tokens are tensors of their own here, rows of one table with us. */
const row =
  (index: number): Layout =>
  ({ values }) => [
    {
      parameter: 'embed.class',
      values,
      dims: [1, values.length],
      rowIds: Int32Array.of(index),
    },
  ]

const layouts: Readonly<Record<string, Layout>> = {
  'embed.class': row(0),
  'embed.distillation': row(1),
  'embed.position': flattened(2),
  'embed.patch.weight': flattened(2),
}

function names(root: string): Names {
  return {
    root,
    blocks: [
      [
        'encoder.layer.',
        'blocks.',
        {
          layernorm_before: 'ln1',
          'attention.attention.query': 'attn.query',
          'attention.attention.key': 'attn.key',
          'attention.attention.value': 'attn.value',
          'attention.output.dense': 'attn.output',
          layernorm_after: 'ln2',
          'intermediate.dense': 'mlp.in',
          'output.dense': 'mlp.out',
        },
      ],
    ],
    modules: {
      'embeddings.patch_embeddings.projection': 'embed.patch',
      layernorm: 'ln_final',
      classifier: 'head',
    },
    tensors: {
      'embeddings.cls_token': 'embed.class',
      'embeddings.distillation_token': 'embed.distillation',
      'embeddings.position_embeddings': 'embed.position',
    },
    skipped: /^(pooler|(cls|distillation)_classifier|decoder)\.|^embeddings\.mask_token$/,
    layoutOf: (parameter) => layouts[parameter],
  }
}

/** Hugging Face writes the names of the labels, unless there are two that are called nothing. */
function labels(fields: Fields): number {
  const table = fields.get('id2label')
  return typeof table === 'object'
    ? Object.keys(table as object).length
    : fields.size('num_labels', 2)
}

function vision(fields: Fields, classTokens: number): Shape {
  const sizes = headSizes(fields, { model: 'hidden_size', heads: 'num_attention_heads' })
  const size = fields.size('image_size', 224, 2 ** 14)
  const patch = fields.size('patch_size', 16, size)
  if (size % patch !== 0)
    throw fields.fault('CORRUPT_FILE', 'patch_size', `a divisor of ${size}`, patch)
  const isClassifier = fields.isSavedFrom('ForImageClassification')
  return {
    ...modelDefaults,
    ...sizes,
    kind: 'vision',
    numLayers: fields.layers('num_hidden_layers'),
    kvHeads: sizes.numHeads,
    dMlp: fields.size('intermediate_size'),
    vocabulary: 0,
    maxPositions: 0,
    normEpsilon: fields.positive('layer_norm_eps', 1e-12),
    activation: fields.word('hidden_act', activations, 'gelu'),
    attentionBias: fields.flag('qkv_bias', true),
    head: isClassifier ? 'classifier' : 'none',
    headBias: isClassifier,
    labels: isClassifier ? labels(fields) : 0,
    image: { size, patch, channels: fields.size('num_channels', 3, 64), classTokens },
  }
}

export const vit: Architecture = { shape: (fields) => vision(fields, 1), names: names('vit.') }

export const deit: Architecture = { shape: (fields) => vision(fields, 2), names: names('deit.') }
