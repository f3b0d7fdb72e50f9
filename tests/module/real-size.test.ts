// Models of a real size load and generate within the memory of a page: 1.5 GB.
import { expect, test } from 'vitest'

import { randomHub, type Dims } from './support/random-checkpoint.js'
import { core } from './support/runtimes.js'
import { sizeOf } from './support/tensors.js'

const maximumMemory = 1.5e9

function layered(count: number, prefix: string, block: Dims): Dims {
  const entries = Array.from({ length: count }, (_, i) =>
    Object.entries(block).map(([name, dims]) => [`${prefix}.${i}.${name}`, dims] as const),
  )
  return Object.fromEntries(entries.flat())
}

function gpt2Small(): [object, Dims] {
  const [width, vocabulary, positions, layers] = [768, 50257, 1024, 12]
  const block = {
    'ln_1.weight': [width],
    'ln_1.bias': [width],
    'attn.c_attn.weight': [width, 3 * width],
    'attn.c_attn.bias': [3 * width],
    'attn.c_proj.weight': [width, width],
    'attn.c_proj.bias': [width],
    'ln_2.weight': [width],
    'ln_2.bias': [width],
    'mlp.c_fc.weight': [width, 4 * width],
    'mlp.c_fc.bias': [4 * width],
    'mlp.c_proj.weight': [4 * width, width],
    'mlp.c_proj.bias': [width],
  }
  const config = {
    model_type: 'gpt2',
    n_embd: width,
    n_layer: layers,
    n_head: 12,
    n_positions: positions,
    vocab_size: vocabulary,
  }
  const ends = { 'ln_f.weight': [width], 'ln_f.bias': [width] }
  const tables = { 'wte.weight': [vocabulary, width], 'wpe.weight': [positions, width] }
  return [config, { ...tables, ...layered(layers, 'h', block), ...ends }]
}

function smallLlama(): [object, Dims] {
  const [width, keys, inner, vocabulary, layers] = [640, 320, 1792, 32000, 18]
  const block = {
    'input_layernorm.weight': [width],
    'self_attn.q_proj.weight': [width, width],
    'self_attn.k_proj.weight': [keys, width],
    'self_attn.v_proj.weight': [keys, width],
    'self_attn.o_proj.weight': [width, width],
    'post_attention_layernorm.weight': [width],
    'mlp.gate_proj.weight': [inner, width],
    'mlp.up_proj.weight': [inner, width],
    'mlp.down_proj.weight': [width, inner],
  }
  const config = {
    model_type: 'llama',
    hidden_size: width,
    num_hidden_layers: layers,
    num_attention_heads: 10,
    num_key_value_heads: 5,
    intermediate_size: inner,
    vocab_size: vocabulary,
    max_position_embeddings: 2048,
    tie_word_embeddings: true,
  }
  const ends = {
    'model.embed_tokens.weight': [vocabulary, width],
    'model.norm.weight': [width],
  }
  return [config, { ...layered(layers, 'model.layers', block), ...ends }]
}

test.each([
  ['the shape of GPT-2 small', ...gpt2Small()],
  ['a Llama of 100 million', ...smallLlama()],
])('%s', async (_what, config, dims) => {
  const hw = await core.open({ build: 'simd', maximumMemory })
  const hub = randomHub(config, dims)
  const model = await hw.loadModel('any/name', { hub, cache: false })
  const numbers = Object.values(dims).reduce((sum, shape) => sum + sizeOf(shape), 0)
  expect(model.parameters).toBe(numbers)
  expect(numbers).toBeGreaterThan(100e6)
  const ids: number[] = []
  for await (const { id } of model.generate([1, 2, 3], { maxTokens: 4 })) ids.push(id)
  expect(ids).toHaveLength(4)
  expect(hw.info.memory.peak).toBeLessThan(maximumMemory)
  hw.dispose()
})
