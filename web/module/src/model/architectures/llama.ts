// Decoders of Llama's kind: Llama, Mistral, Qwen2, Gemma and Gemma 2; rotary positions, RMSNorm, gated
// MLP, grouped heads.
import type { ModelConfig, RotaryShape } from '../../types/model-config.js'
import { modelDefaults } from '../model-config.js'
import { activations, headSizes, languageHead, type Fields } from './fields.js'
import type { Architecture, Shape } from './index.js'
import type { Layout, Names } from './names.js'

const blockModules = {
  input_layernorm: 'ln1',
  'self_attn.q_proj': 'attn.query',
  'self_attn.k_proj': 'attn.key',
  'self_attn.v_proj': 'attn.value',
  'self_attn.o_proj': 'attn.output',
  post_attention_layernorm: 'ln2',
  'mlp.gate_proj': 'mlp.gate',
  'mlp.up_proj': 'mlp.in',
  'mlp.down_proj': 'mlp.out',
}

const names: Names = {
  root: 'model.',
  blocks: [['layers.', 'blocks.', blockModules]],
  modules: { norm: 'ln_final', lm_head: 'unembed' },
  tensors: { 'embed_tokens.weight': 'embed.token' },
  // Frequencies of the rotary positions; heads of classifiers.
  skipped: /\.rotary_emb\.inv_freq$|^score\./,
}

type Scaling = RotaryShape['scaling']

function rotaryScaling(fields: Fields | undefined): Scaling {
  const kind = fields?.get('rope_type') ?? fields?.get('type') ?? 'default'
  if (fields === undefined || kind === 'default') return 1
  const factor = fields.positive('factor')
  if (kind === 'linear') return factor
  if (kind !== 'llama3') throw fields.unsupported('type', ['default', 'linear', 'llama3'], kind)
  return {
    factor,
    lowFrequencyFactor: fields.positive('low_freq_factor'),
    highFrequencyFactor: fields.positive('high_freq_factor'),
    originalPositions: fields.size('original_max_position_embeddings'),
  }
}

/** Newer files have one object for base and scaling. */
function rotary(fields: Fields, dim: number): RotaryShape {
  const joined = fields.inside('rope_parameters')
  for (const place of [fields, joined]) place?.expect('partial_rotary_factor', 1)
  return {
    dim,
    base: joined?.positive('rope_theta', 10000) ?? fields.positive('rope_theta', 10000),
    interleaved: false,
    scaling: rotaryScaling(joined ?? fields.inside('rope_scaling')),
  }
}

type Windows = Pick<ModelConfig, 'window' | 'globalEvery'>

const noWindow: Windows = { window: 0, globalEvery: 0 }

function windowed(fields: Fields, globalEvery: 0 | 2): Windows {
  if (fields.get('sliding_window') === undefined) return noWindow
  return { window: fields.size('sliding_window'), globalEvery }
}

/** Newer files have a word for each layer: they must say what the windows are taken for. */
function checkLayerTypes(fields: Fields, { window, globalEvery }: Windows): void {
  const types = fields.get('layer_types')
  if (types === undefined) return
  const isGlobal = (layer: number) =>
    window === 0 || (globalEvery > 0 && layer % globalEvery === globalEvery - 1)
  const expected = Array.from({ length: fields.layers('num_hidden_layers') }, (_, layer) =>
    isGlobal(layer) ? 'full_attention' : 'sliding_attention',
  )
  if (JSON.stringify(types) !== JSON.stringify(expected)) {
    throw fields.unsupported('layer_types', [expected], types)
  }
}

function decoder(fields: Fields, windows: Windows, isTied: boolean): Shape {
  fields.expect('rope_interleaved', false)
  checkLayerTypes(fields, windows)
  const sizes = headSizes(fields, { model: 'hidden_size', heads: 'num_attention_heads' })
  const bias = fields.flag('attention_bias', false)
  return {
    ...modelDefaults,
    ...sizes,
    ...windows,
    kind: 'decoder',
    numLayers: fields.layers('num_hidden_layers'),
    kvHeads: fields.size('num_key_value_heads', sizes.numHeads),
    dMlp: fields.size('intermediate_size'),
    vocabulary: fields.size('vocab_size'),
    maxPositions: fields.size('max_position_embeddings'),
    norm: 'rms',
    normEpsilon: fields.positive('rms_norm_eps', 1e-6),
    positions: 'rotary',
    rotary: rotary(fields, sizes.headDim),
    activation: fields.word('hidden_act', activations, 'silu'),
    gatedMlp: true,
    attentionBias: bias,
    outputBias: bias,
    mlpBias: fields.flag('mlp_bias', false),
    head: languageHead(fields),
    tiedHead: fields.flag('tie_word_embeddings', isTied),
    generation: { startIds: [], endIds: fields.ids('eos_token_id'), suppressedIds: [] },
  }
}

export const llama: Architecture = { shape: (fields) => decoder(fields, noWindow, false), names }

export const mistral: Architecture = {
  shape: (fields) => decoder(fields, windowed(fields, 0), false),
  names,
}

/** Qwen2 has a window in the layers from max_window_layers on, when it uses it at all. */
function qwen2Windows(fields: Fields): Windows {
  if (!fields.flag('use_sliding_window', false)) return noWindow
  const without = fields.get('max_window_layers') ?? 28
  if (without === 0) return windowed(fields, 0)
  const layers = fields.layers('num_hidden_layers')
  if (typeof without === 'number' && without >= layers) return noWindow
  throw fields.unsupported('max_window_layers', [0, layers], without)
}

export const qwen2: Architecture = {
  shape: (fields) => ({
    ...decoder(fields, qwen2Windows(fields), false),
    attentionBias: true,
    outputBias: false,
  }),
  names,
}

/** The norms of Gemma multiply by 1 + w. */
const plusOne: Layout = ({ parameter, values, dims }) => [
  { parameter, values: values.map((value) => value + 1), dims },
]

const gemmaNames: Names = {
  ...names,
  layoutOf: (parameter) => (/\bln\w+\.weight$/.test(parameter) ? plusOne : undefined),
}

/** GeGLU with the approximation of GELU, also where older files say gelu and mean it. */
function gemmaDecoder(fields: Fields, windows: Windows): Shape {
  fields.expect('hidden_act', 'gelu', 'gelu_pytorch_tanh')
  fields.expect('hidden_activation', 'gelu_pytorch_tanh')
  fields.expect('use_bidirectional_attention', false)
  return {
    ...decoder(fields, windows, true),
    activation: 'gelu-tanh',
    embeddingScale: Math.sqrt(fields.size('hidden_size')),
  }
}

export const gemma: Architecture = {
  shape: (fields) => gemmaDecoder(fields, noWindow),
  names: gemmaNames,
}

export const gemma2: Architecture = {
  shape: (fields) => {
    const cap = (name: string) => (fields.get(name) === undefined ? 0 : fields.positive(name))
    return {
      ...gemmaDecoder(fields, windowed(fields, 2)),
      normPlacement: 'sandwich',
      attentionScale: fields.positive('query_pre_attn_scalar') ** -0.5,
      attentionSoftcap: cap('attn_logit_softcapping'),
      logitSoftcap: cap('final_logit_softcapping'),
    }
  },
  names: {
    ...gemmaNames,
    blocks: [
      [
        'layers.',
        'blocks.',
        {
          ...blockModules,
          post_attention_layernorm: 'ln1_post',
          pre_feedforward_layernorm: 'ln2',
          post_feedforward_layernorm: 'ln2_post',
        },
      ],
    ],
  },
}
