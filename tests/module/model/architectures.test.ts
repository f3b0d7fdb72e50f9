// config.json and the names of tensors, as Hugging Face's checkpoints have them, in our terms.
import { describe, expect, test } from 'vitest'

import { checkpointOf } from '../../../web/module/dist/model/architectures/index.js'
import { filesOf, type Checkpoint } from '../support/architectures.js'

type Json = Record<string, unknown>

const shapeOf = async (config: Json) => (await checkpointOf(config, 'auto')).config
const changed = (name: Checkpoint, changes: Json) =>
  shapeOf({ ...filesOf(name).config, ...changes })

describe('what config.json says', () => {
  test.each<[string, Checkpoint, Json, Json]>([
    ['a head from the class it was saved from', 'bert', {}, { head: 'masked-lm', headBias: true }],
    ['no head of a bare encoder', 'bert', { architectures: ['BertModel'] }, { head: 'none' }],
    ['int8 from our own entry', 'bert', { headwise: { quantization: {} } }, { dtype: 'int8' }],
    ['positions behind the padding row', 'roberta', {}, { maxPositions: 32, positionOffset: 2 }],
    ['a narrower embedding', 'electra', {}, { dEmbedding: 16, dModel: 24 }],
    ['four times the width', 'gpt2', { n_inner: null }, { dMlp: 80 }],
    ['fewer key heads', 'llama', {}, { numHeads: 4, kvHeads: 2, headDim: 8 }],
    ['ends by several ids', 'llama', { eos_token_id: [3, 7] }, { generation: { endIds: [3, 7] } }],
    [
      'the newer object of rotary positions',
      'mistral',
      { rope_parameters: { rope_type: 'linear', factor: 2, rope_theta: 1000 } },
      { rotary: { dim: 8, base: 1000, interleaved: false, scaling: 2 } },
    ],
    [
      'scaling as Llama 3.1',
      'llama',
      {},
      {
        rotary: {
          scaling: {
            factor: 8,
            lowFrequencyFactor: 1,
            highFrequencyFactor: 4,
            originalPositions: 28,
          },
        },
      },
    ],
    ['a window', 'mistral', {}, { window: 4, globalEvery: 0 }],
    ['none where it is null', 'mistral', { sliding_window: null }, { window: 0 }],
    [
      'biases of query, key and value only',
      'qwen2',
      {},
      { attentionBias: true, outputBias: false },
    ],
    ['a window that is not used', 'qwen2', { sliding_window: 4 }, { window: 0 }],
    [
      'one that is',
      'qwen2',
      { use_sliding_window: true, sliding_window: 4, max_window_layers: 0 },
      { window: 4, globalEvery: 0 },
    ],
    [
      'windows by turns',
      'gemma2',
      { layer_types: ['sliding_attention', 'full_attention', 'sliding_attention'] },
      { window: 4, globalEvery: 2, attentionScale: 12 ** -0.5, attentionSoftcap: 2 },
    ],
    ['patches', 'deit', {}, { image: { size: 24, patch: 8, channels: 3, classTokens: 2 } }],
    ['labels', 'vit', {}, { head: 'classifier', labels: 5 }],
    [
      'how an output begins',
      'bart',
      {},
      { generation: { startIds: [2, 0], endIds: [2], suppressedIds: [] } },
    ],
    [
      'what is never chosen',
      'marian',
      {},
      { generation: { startIds: [59], endIds: [0], suppressedIds: [59] } },
    ],
    ['a smaller logit for a tied head', 't5', {}, { logitScale: 20 ** -0.5, gatedMlp: false }],
    ['and none for a free one', 't5-gated', {}, { logitScale: 1, gatedMlp: true }],
  ])('%s', async (_what, name, changes, expected) => {
    expect(await changed(name, changes)).toMatchObject(expected)
  })
})

describe('what is refused names the field', () => {
  test.each<[string, Checkpoint, Json, string]>([
    ['an architecture', 'bert', { model_type: 'mamba' }, 'model_type'],
    ['a name that every object has', 'bert', { model_type: 'toString' }, 'model_type'],
    ['no architecture', 'bert', { model_type: undefined }, 'model_type'],
    ['packed weights', 'llama', { quantization_config: {} }, 'quantization_config'],
    ['an activation', 'bert', { hidden_act: 'mish' }, 'hidden_act'],
    [
      'relative keys',
      'bert',
      { position_embedding_type: 'relative_key' },
      'position_embedding_type',
    ],
    ['an encoder as a decoder', 'bert', { is_decoder: true }, 'is_decoder'],
    [
      'scores by layer',
      'gpt2',
      { scale_attn_by_inverse_layer_idx: true },
      'scale_attn_by_inverse_layer_idx',
    ],
    [
      'a scaling of positions',
      'llama',
      { rope_scaling: { type: 'yarn', factor: 2 } },
      'rope_scaling.type',
    ],
    [
      'a part of a head that turns',
      'llama',
      { partial_rotary_factor: 0.5 },
      'partial_rotary_factor',
    ],
    [
      'windows from a layer on',
      'qwen2',
      { use_sliding_window: true, sliding_window: 4, max_window_layers: 1 },
      'max_window_layers',
    ],
    ['other turns', 'gemma2', { layer_types: ['full_attention'] }, 'layer_types'],
    ['sides of different heads', 'bart', { decoder_attention_heads: 2 }, 'decoder_attention_heads'],
    ['norms before the parts', 'bart', { normalize_before: true }, 'normalize_before'],
    [
      'two vocabularies',
      'marian',
      { share_encoder_decoder_embeddings: false },
      'share_encoder_decoder_embeddings',
    ],
    ['a projection', 't5', { feed_forward_proj: 'gated-relu' }, 'feed_forward_proj'],
    ['more layers than any model has', 't5', { num_layers: 1e9 }, 'num_layers'],
    ['a width beyond the memory', 'gpt2', { n_embd: 4e9 }, 'n_embd'],
    [
      'heads beyond the memory',
      't5',
      { d_kv: 2 ** 24, num_heads: 2 ** 24, d_model: 2 ** 24 },
      'head_dim',
    ],
  ])('%s', async (_what, name, changes, field) => {
    const expected = { code: 'UNSUPPORTED', argument: `config.json: ${field}` }
    await expect(changed(name, changes)).rejects.toMatchObject(expected)
  })
})

describe('absurd values are faults of the file', () => {
  test.each<[string, Checkpoint, Json, string]>([
    ['no heads', 'bert', { num_attention_heads: 0 }, 'num_attention_heads'],
    ['heads that do not divide', 'bert', { num_attention_heads: 5 }, 'num_attention_heads'],
    ['a negative width', 'bert', { hidden_size: -24 }, 'hidden_size'],
    ['half a layer', 'gpt2', { n_layer: 1.5 }, 'n_layer'],
    ['a word for a number', 'gpt2', { vocab_size: '60' }, 'vocab_size'],
    ['a missing size', 'vit', { intermediate_size: undefined }, 'intermediate_size'],
    ['key heads that do not divide', 'llama', { num_key_value_heads: 3 }, 'num_key_value_heads'],
    ['an epsilon that is none', 'llama', { rms_norm_eps: NaN }, 'rms_norm_eps'],
    ['a base of 0', 'llama', { rope_theta: 0 }, 'rope_theta'],
    [
      'a scaling without factor',
      'llama',
      { rope_scaling: { type: 'linear' } },
      'rope_scaling.factor',
    ],
    ['a scaling that is a word', 'llama', { rope_scaling: 'linear' }, 'rope_scaling'],
    ['patches that do not fit', 'vit', { patch_size: 7 }, 'patch_size'],
    ['a word for a flag', 't5', { tie_word_embeddings: 'yes' }, 'tie_word_embeddings'],
    ['ids that are none', 'bart', { eos_token_id: [-1] }, 'eos_token_id'],
    ['padding behind the positions', 'roberta', { pad_token_id: 99 }, 'pad_token_id'],
  ])('%s', async (_what, name, changes, field) => {
    const expected = { code: 'CORRUPT_FILE', argument: `config.json: ${field}` }
    await expect(changed(name, changes)).rejects.toMatchObject(expected)
  })
})

describe('where tensors go', () => {
  const parameterOf = async (name: Checkpoint, tensor: string, changes: Json = {}) => {
    const { placeOf } = await checkpointOf({ ...filesOf(name).config, ...changes }, 'auto')
    return placeOf(tensor)?.parameter
  }

  test.each<[Checkpoint, string, string | undefined]>([
    ['bert', 'bert.encoder.layer.1.attention.self.query.weight', 'blocks.1.attn.query.weight'],
    ['bert', 'encoder.layer.1.output.LayerNorm.gamma', 'blocks.1.ln2.weight'],
    ['bert', 'embeddings.LayerNorm.beta', 'embed.ln.bias'],
    ['bert', 'cls.predictions.bias', 'unembed.bias'],
    ['bert', 'cls.predictions.decoder.weight', undefined],
    ['bert', 'bert.pooler.dense.bias', undefined],
    ['electra', 'electra.embeddings_project.weight', 'embed.project.weight'],
    ['gpt2', 'h.0.mlp.c_fc.weight', 'blocks.0.mlp.in.weight'],
    ['gpt2', 'h.0.attn.masked_bias', undefined],
    ['llama', 'model.layers.1.mlp.up_proj.weight', 'blocks.1.mlp.in.weight'],
    ['llama', 'lm_head.weight', 'unembed.weight'],
    ['llama-linear', 'lm_head.weight', undefined],
    ['gemma2', 'model.layers.0.post_attention_layernorm.weight', 'blocks.0.ln1_post.weight'],
    ['vit', 'vit.embeddings.cls_token', 'embed.class'],
    ['vit', 'classifier.weight', 'head.weight'],
    ['bart', 'decoder.layers.1.encoder_attn.q_proj.bias', 'decoder.blocks.1.cross_attn.query.bias'],
    ['marian', 'model.encoder.embed_positions.weight', undefined],
    ['t5', 'decoder.block.1.layer.2.DenseReluDense.wo.weight', 'decoder.blocks.1.mlp.out.weight'],
  ])('%s: %s is %s', async (name, tensor, expected) => {
    expect(await parameterOf(name, tensor)).toBe(expected)
  })

  test('a head that the model was not made with is left out', async () => {
    const bare = { architectures: ['BertModel'] }
    const parameter = await parameterOf('bert', 'cls.predictions.transform.dense.weight', bare)
    expect(parameter).toBeUndefined()
  })

  test.each<[Checkpoint, string]>([
    ['bert', 'bert.encoder.layer.0.adapter.weight'],
    ['bert', 'bert.encoder.layer.2.output.dense.weight'],
    ['llama', 'model.layers.0.self_attn.q_norm.weight'],
    ['bart', 'model.encoder.layers.2.fc1.weight'],
    ['gpt2', 'h.0.toString.weight'],
    ['t5', 'weight'],
  ])('%s: %s is none of its tensors', async (name, tensor) => {
    const expected = { code: 'CORRUPT_FILE', argument: tensor }
    await expect(parameterOf(name, tensor)).rejects.toMatchObject(expected)
  })
})
