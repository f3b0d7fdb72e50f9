// What is changed: models that load as they are, small enough for hundreds of loads in a second.

import { existsSync, readdirSync, readFileSync } from 'node:fs'

import { Random } from './random.mjs'
import { safetensors } from './safetensors.mjs'

const tests = new URL('../../', import.meta.url)
const [width, hidden, positions] = [8, 12, 64]

function read(path) {
  return new Uint8Array(readFileSync(new URL(path, tests)))
}

const encode = (value) => new TextEncoder().encode(JSON.stringify(value))

/** A WordPiece tokenizer of the words that the others have too. */
function wordPiece() {
  const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'the', 'cat', 'sat', '##s', 'a', '##b']
  const special = (id) => ({ SpecialToken: { id, type_id: 0 } })
  const text = (id, type_id) => ({ Sequence: { id, type_id } })
  const [cls, sep] = [special('[CLS]'), special('[SEP]')]
  return {
    added_tokens: words.slice(0, 4).map((content, id) => ({ id, content, special: true })),
    normalizer: { type: 'BertNormalizer', clean_text: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [cls, text('A', 0), sep],
      pair: [cls, text('A', 0), sep, text('B', 1), sep],
    },
    decoder: { type: 'WordPiece', prefix: '##' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  }
}

/** A BERT of one layer, whose vocabulary holds that of every tokenizer here. */
function bert(vocabulary) {
  const random = new Random(1)
  const floats = (...dims) => {
    const length = dims.reduce((a, b) => a * b)
    return [dims, Float32Array.from({ length }, () => random.next() - 0.5)]
  }
  const linear = (name, out, into) => ({
    [`encoder.layer.0.${name}.weight`]: floats(out, into),
    [`encoder.layer.0.${name}.bias`]: floats(out),
  })
  const norm = (name) => ({ [`${name}.weight`]: floats(width), [`${name}.bias`]: floats(width) })
  const tensors = {
    'embeddings.word_embeddings.weight': floats(vocabulary, width),
    'embeddings.position_embeddings.weight': floats(positions, width),
    'embeddings.token_type_embeddings.weight': floats(2, width),
    ...norm('embeddings.LayerNorm'),
    ...linear('attention.self.query', width, width),
    ...linear('attention.self.key', width, width),
    ...linear('attention.self.value', width, width),
    ...linear('attention.output.dense', width, width),
    ...norm('encoder.layer.0.attention.output.LayerNorm'),
    ...linear('intermediate.dense', hidden, width),
    ...linear('output.dense', width, hidden),
    ...norm('encoder.layer.0.output.LayerNorm'),
  }
  const config = {
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: width,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: hidden,
    max_position_embeddings: positions,
    type_vocab_size: 2,
    vocab_size: vocabulary,
  }
  return { 'config.json': encode(config), 'model.safetensors': safetensors(tensors) }
}

/** Models as their files by name: one of each tokenizer, and one of each golden architecture. */
export function corpus() {
  const small = bert(400)
  const fixtures = 'module/fixtures/tokenizers/'
  const tokenizers = readdirSync(new URL(fixtures, tests)).map((name) => read(fixtures + name))
  const models = [encode(wordPiece()), ...tokenizers].map((tokenizer) => ({
    ...small,
    'tokenizer.json': tokenizer,
  }))
  return [...models, ...goldenModels(encode(wordPiece()))]
}

function goldenModels(tokenizer) {
  const folder = new URL('golden/architectures/', tests)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(new URL(`${name}/model.safetensors`, folder)))
    .map((name) => {
      const file = (part) => new Uint8Array(readFileSync(new URL(`${name}/${part}`, folder)))
      return {
        'config.json': file('config.json'),
        'model.safetensors': file('model.safetensors'),
        'tokenizer.json': tokenizer,
      }
    })
}
