// Every architecture that a checkpoint of Hugging Face may have, by its `model_type`: config.json and
// the names of tensors in our terms.
import type { ModelConfig } from '../../types/model.js'
import { bart, marian } from './bart.js'
import { bert, distilbert, electra, roberta } from './bert.js'
import { Fields } from './fields.js'
import { gpt2 } from './gpt2.js'
import { gemma, gemma2, llama, mistral, qwen2 } from './llama.js'
import { placeOf, type Names, type Place } from './names.js'
import { t5 } from './t5.js'
import { deit, vit } from './vit.js'

/** A config without what every architecture has alike. */
export type Shape = Omit<ModelConfig, 'modelType' | 'dtype' | 'source'>

export interface Architecture {
  shape: (fields: Fields) => Shape
  names: Names
}

const architectures: Readonly<Record<string, Architecture>> = {
  bert,
  distilbert,
  roberta,
  electra,
  gpt2,
  llama,
  mistral,
  qwen2,
  gemma,
  gemma2,
  vit,
  deit,
  marian,
  bart,
  t5,
}

export interface Checkpoint {
  config: ModelConfig
  /** Where a tensor goes; undefined for what the model does not need. */
  placeOf: (name: string) => Place | undefined
}

/** What config.json says; `wanted` is the type of the model's matrices. */
export function checkpointOf(source: object, wanted: 'auto' | 'float32' | 'int8'): Checkpoint {
  const fields = new Fields(source)
  const { shape, names } = fields.word('model_type', architectures)
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
