// A BERT of two blocks with made-up weights and a tokenizer of some dozen words.
import type { ModelFiles } from 'headwise'

import { safetensors, type StoredArray } from './safetensors.js'
import { noise } from './tensors.js'

const [dModel, dMlp, layers, positions] = [16, 24, 2, 12]
export const words = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  'the',
  'cat',
  'sat',
  '##s',
  'i',
  'e',
]

export const config = {
  model_type: 'bert',
  hidden_act: 'gelu',
  hidden_size: dModel,
  num_hidden_layers: layers,
  num_attention_heads: 4,
  intermediate_size: dMlp,
  layer_norm_eps: 1e-12,
  max_position_embeddings: positions,
  type_vocab_size: 2,
  vocab_size: words.length,
}

export const tokenizer = {
  version: '1.0',
  truncation: { max_length: 4, strategy: 'LongestFirst', stride: 0 },
  padding: { strategy: { Fixed: 9 }, pad_id: 0, pad_type_id: 0, pad_token: '[PAD]' },
  added_tokens: words.slice(0, 5).map((content, id) => ({ id, content, special: true })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '[SEP]', type_id: 1 } },
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
}

let seed = 0
function floats(dims: number[]): StoredArray {
  return { dtype: 'F32', dims, array: noise(dims, ++seed).data }
}

function block(i: number): Record<string, StoredArray> {
  const prefix = `encoder.layer.${i}.`
  const linear = (name: string, rows: number, columns: number) => ({
    [`${prefix}${name}.weight`]: floats([rows, columns]),
    [`${prefix}${name}.bias`]: floats([rows]),
  })
  const norm = (name: string) => ({
    [`${prefix}${name}.weight`]: floats([dModel]),
    [`${prefix}${name}.bias`]: floats([dModel]),
  })
  return {
    ...linear('attention.self.query', dModel, dModel),
    ...linear('attention.self.key', dModel, dModel),
    ...linear('attention.self.value', dModel, dModel),
    ...linear('attention.output.dense', dModel, dModel),
    ...norm('attention.output.LayerNorm'),
    ...linear('intermediate.dense', dMlp, dModel),
    ...linear('output.dense', dModel, dMlp),
    ...norm('output.LayerNorm'),
  }
}

/** In the order of use, the words last. */
export const tensors: Record<string, StoredArray> = {
  ...block(0),
  ...block(1),
  'pooler.dense.weight': floats([dModel, dModel]),
  'embeddings.LayerNorm.weight': floats([dModel]),
  'embeddings.LayerNorm.bias': floats([dModel]),
  'embeddings.token_type_embeddings.weight': floats([2, dModel]),
  'embeddings.position_embeddings.weight': floats([positions, dModel]),
  'embeddings.word_embeddings.weight': floats([words.length, dModel]),
}

export function smallBert(): ModelFiles {
  return { config, weights: safetensors(tensors), tokenizer }
}

/** One matrix of the model in int8 with two outliers, and the same in float32. */
export function int8Matrix() {
  const name = 'encoder.layer.0.output.dense.weight'
  const values = Int8Array.from({ length: dModel * dMlp }, (_, i) => ((i * 37) % 255) - 127)
  const scales = Float32Array.from({ length: dModel }, (_, row) => 2 ** -8 * (1 + row / dModel))
  const outliers = [
    { row: 3, column: 5, value: 7.875 },
    { row: dModel - 1, column: dMlp - 1, value: -4.5 },
  ]
  for (const { row, column } of outliers) values[row * dMlp + column] = 0
  const floats = Float32Array.from(values, (v, i) => v * (scales[Math.floor(i / dMlp)] ?? NaN))
  for (const { row, column, value } of outliers) floats[row * dMlp + column] = value
  const places = outliers.flatMap(({ row, column }) => [row, column])
  const stored: Record<string, StoredArray> = {
    [name]: { dtype: 'I8', dims: [dModel, dMlp], array: values },
    [`${name}_outlier_positions`]: { dtype: 'I32', dims: [2, 2], array: Int32Array.from(places) },
    [`${name}_outliers`]: {
      dtype: 'F32',
      dims: [2],
      array: Float32Array.from(outliers, ({ value }) => value),
    },
    [`${name}_scale`]: { dtype: 'F32', dims: [dModel], array: scales },
  }
  return { name, stored, widened: { dtype: 'F32', dims: [dModel, dMlp], array: floats } }
}

/** The weights with other tensors in the place of one of them. */
export function withMatrix(name: string, instead: Record<string, StoredArray>): Uint8Array {
  const entries = Object.entries(tensors).flatMap((entry) =>
    entry[0] === name ? Object.entries(instead) : [entry],
  )
  return safetensors(Object.fromEntries(entries))
}

/** What can be run before the weights: embeddings of some words, and what all words need. */
export function firstRows(ids: readonly number[]): Uint8Array {
  const table = tensors['embeddings.word_embeddings.weight']?.array ?? new Float32Array()
  const rows = ids.flatMap((id) => [...table.subarray(id * dModel, (id + 1) * dModel)])
  const shared = Object.entries(tensors).filter(
    ([name]) => name.startsWith('embeddings.') && !name.includes('word'),
  )
  return safetensors({
    'embeddings.word_embeddings.row_ids': {
      dtype: 'I32',
      dims: [ids.length],
      array: Int32Array.from(ids),
    },
    'embeddings.word_embeddings.weight': {
      dtype: 'F32',
      dims: [ids.length, dModel],
      array: Float32Array.from(rows),
    },
    ...Object.fromEntries(shared),
  })
}
