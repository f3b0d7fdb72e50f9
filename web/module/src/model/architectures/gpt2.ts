// GPT-2: learned positions, its matrices stored [in, out], query, key and value in one.
import { modelDefaults } from '../model-config.js'
import { activations, headSizes, languageHead } from './fields.js'
import type { Architecture } from './index.js'
import { transposed, type Layout } from './names.js'

/** The joined matrix [3 dModel, dModel] or bias [3 dModel], cut into three. */
const separated: Layout = (part) => {
  const { parameter, values, dims } = part
  const [rows = 0, ...rest] = dims
  // What cannot be cut is no parameter's.
  if (rows % 3 !== 0) return [part]
  return ['query', 'key', 'value'].map((name, i) => ({
    parameter: parameter.replace('joined', name),
    values: values.subarray((i * values.length) / 3, ((i + 1) * values.length) / 3),
    dims: [rows / 3, ...rest],
  }))
}

const matrix = /\.(attn|mlp)\.\w+\.weight$/

function layoutOf(parameter: string): Layout | undefined {
  const isJoined = parameter.includes('.joined.')
  if (!matrix.test(parameter)) return isJoined ? separated : undefined
  return isJoined ? (part) => transposed(part).flatMap(separated) : transposed
}

export const gpt2: Architecture = {
  shape: (fields) => {
    fields.expect('scale_attn_weights', true)
    fields.expect('scale_attn_by_inverse_layer_idx', false)
    fields.expect('add_cross_attention', false)
    const sizes = headSizes(fields, { model: 'n_embd', heads: 'n_head' })
    return {
      ...modelDefaults,
      ...sizes,
      kind: 'decoder',
      numLayers: fields.layers('n_layer'),
      kvHeads: sizes.numHeads,
      dMlp: fields.size('n_inner', 4 * sizes.dModel),
      vocabulary: fields.size('vocab_size'),
      maxPositions: fields.size('n_positions'),
      normEpsilon: fields.positive('layer_norm_epsilon', 1e-5),
      activation: fields.word('activation_function', activations, 'gelu_new'),
      head: languageHead(fields),
      tiedHead: fields.flag('tie_word_embeddings', true),
      generation: {
        startIds: [],
        endIds: fields.ids('eos_token_id', [50256]),
        suppressedIds: [],
      },
    }
  },
  names: {
    root: 'transformer.',
    blocks: [
      [
        'h.',
        'blocks.',
        {
          ln_1: 'ln1',
          'attn.c_attn': 'attn.joined',
          'attn.c_proj': 'attn.output',
          ln_2: 'ln2',
          'mlp.c_fc': 'mlp.in',
          'mlp.c_proj': 'mlp.out',
        },
      ],
    ],
    modules: { ln_f: 'ln_final', lm_head: 'unembed' },
    tensors: { 'wte.weight': 'embed.token', 'wpe.weight': 'embed.position' },
    // The causal mask, once a block.
    skipped: /^h\.\d+\.attn\.(masked_)?bias$/,
    layoutOf,
  },
}
