// Every architecture that a checkpoint of Hugging Face may have, by its `model_type`: config.json and
// the names of tensors in our terms.
import type { ModelConfig } from '../../types/model-config.js'
import { imported } from '../../import-file.js'
import { Fields } from './fields.js'
import { placeOf, type Names, type Place } from './names.js'

/** A config without what every architecture has alike. */
export type Shape = Omit<ModelConfig, 'modelType' | 'dtype' | 'source'>

export interface Architecture {
  shape: (fields: Fields) => Shape
  names: Names
}

/** Each family is fetched when a checkpoint is of it. */
const families = {
  bert: () => imported('model/architectures/bert.js', import('./bert.js')),
  gpt2: () => imported('model/architectures/gpt2.js', import('./gpt2.js')),
  llama: () => imported('model/architectures/llama.js', import('./llama.js')),
  vit: () => imported('model/architectures/vit.js', import('./vit.js')),
  bart: () => imported('model/architectures/bart.js', import('./bart.js')),
  t5: () => imported('model/architectures/t5.js', import('./t5.js')),
}

const architectures: Readonly<Record<string, () => Promise<Architecture>>> = {
  bert: async () => (await families.bert()).bert,
  distilbert: async () => (await families.bert()).distilbert,
  roberta: async () => (await families.bert()).roberta,
  electra: async () => (await families.bert()).electra,
  gpt2: async () => (await families.gpt2()).gpt2,
  llama: async () => (await families.llama()).llama,
  mistral: async () => (await families.llama()).mistral,
  qwen2: async () => (await families.llama()).qwen2,
  gemma: async () => (await families.llama()).gemma,
  gemma2: async () => (await families.llama()).gemma2,
  vit: async () => (await families.vit()).vit,
  deit: async () => (await families.vit()).deit,
  marian: async () => (await families.bart()).marian,
  bart: async () => (await families.bart()).bart,
  t5: async () => (await families.t5()).t5,
}

export interface Checkpoint {
  config: ModelConfig
  /** Where a tensor goes; undefined for what the model does not need. */
  placeOf: (name: string) => Place | undefined
}

/** What config.json says; `wanted` is the type of the model's matrices. */
export async function checkpointOf(
  source: object,
  wanted: 'auto' | 'float32' | 'int8',
): Promise<Checkpoint> {
  const fields = new Fields(source)
  const { shape, names } = await fields.word('model_type', architectures)()
  // Weights of other packings, which would be read as if they were numbers.
  fields.expect('quantization_config')
  const ownType =
    fields.inside('headwise')?.inside('quantization') === undefined ? 'float32' : 'int8'
  const config: ModelConfig = {
    ...shape(fields),
    modelType: fields.get('model_type') as string,
    dtype: wanted === 'auto' ? ownType : wanted,
    source,
  }
  checkHeads(config, fields)
  return { config, placeOf: (name) => placeOf(name, names, config) }
}

function checkHeads(config: ModelConfig, fields: Fields): void {
  const { numHeads, kvHeads, headDim, dModel, positions } = config
  if (numHeads % kvHeads !== 0) {
    throw fields.fault('CORRUPT_FILE', 'num_key_value_heads', `a divisor of ${numHeads}`, kvHeads)
  }
  if (positions === 'rotary' && headDim % 2 !== 0) {
    throw fields.unsupported('head_dim', ['an even number'], headDim)
  }
  // Beyond it the sizes of matrices are not exact.
  if (numHeads * headDim * dModel > Number.MAX_SAFE_INTEGER) {
    throw fields.fault('UNSUPPORTED', 'head_dim', 'heads that fit the memory', headDim)
  }
}
