// generation_config.json: what a checkpoint's makers found best for `generate`, with the meaning that
// Hugging Face's `transformers` gives it. Models without the file have none of it.
import type { GenerationDefaults, ModelConfig } from '../types/model-config.js'
import { HeadwiseError } from '../errors.js'
import { Fields } from './architectures/fields.js'
import { MissingFile } from './model-folder.js'
import type { ModelReader } from './read-model.js'

const file = 'generation_config.json'

/**
 * Entries that change which tokens are chosen and are not there in `generate`, with the values at
 * which they do nothing. The last ones only matter to those who sample.
 */
const neutral: Readonly<Record<string, readonly unknown[]>> = {
  num_beams: [1],
  penalty_alpha: [0],
  repetition_penalty: [1],
  encoder_repetition_penalty: [1],
  no_repeat_ngram_size: [0],
  encoder_no_repeat_ngram_size: [0],
  min_length: [0],
  min_new_tokens: [0],
  begin_suppress_tokens: [],
  forced_decoder_ids: [],
  sequence_bias: [],
  guidance_scale: [1],
  exponential_decay_length_penalty: [],
  watermarking_config: [],
}
const neutralForSamples: Readonly<Record<string, readonly unknown[]>> = {
  min_p: [0],
  typical_p: [1],
  epsilon_cutoff: [0],
  eta_cutoff: [0],
}

/** What `transformers` takes for a top_k that is left out, where it samples. */
const usualTopK = 50

type Generation = NonNullable<ModelConfig['generation']>

/** The model's configuration with what the file says, if it generates and there is such a file. */
export async function withGenerationConfig(
  config: ModelConfig,
  reader: ModelReader,
  warn: (message: string) => void,
): Promise<ModelConfig> {
  if (config.head !== 'lm' || config.generation === undefined) return config
  const json = await readIfThere(reader, warn)
  if (json === undefined) return config
  const fields = new Fields(json, { file })
  const ignored = ignoredEntries(fields)
  if (ignored.length > 0) {
    warn(
      `headwise: ${file} asks for ${ignored.join(', ')}, which generate does not do: ` +
        `its texts may differ from those of transformers.`,
    )
  }
  return { ...config, generation: generationOf(fields, config.generation, config.kind) }
}

async function readIfThere(
  reader: ModelReader,
  warn: (message: string) => void,
): Promise<object | undefined> {
  try {
    return await reader.json({ name: file }, 'config')
  } catch (error) {
    if (!(error instanceof HeadwiseError)) throw error
    if (error instanceof MissingFile || isPage(error)) return undefined
    // Offline nobody knows whether there is one; whatever else is missing is told by the next file.
    if (error.code !== 'NETWORK') throw error
    warn(`headwise: ${file} cannot be asked for, generate does without it (${error.message}).`)
    return undefined
  }
}

/** Servers of single-page applications answer with their page what they do not have. */
function isPage({ code, received }: HeadwiseError): boolean {
  return code === 'CORRUPT_FILE' && /'<(!doctype|html)/i.test(received)
}

function generationOf(fields: Fields, own: Generation, kind: ModelConfig['kind']): Generation {
  const startIds = () => [
    ...fields.ids('decoder_start_token_id', own.startIds.slice(0, 1)),
    ...fields.ids('forced_bos_token_id', own.startIds.slice(1)),
  ]
  return {
    startIds: kind === 'encoder-decoder' ? startIds() : own.startIds,
    endIds: fields.ids('eos_token_id', own.endIds),
    suppressedIds: [
      ...new Set([...own.suppressedIds, ...fields.ids('suppress_tokens'), ...badWords(fields)]),
    ],
    defaults: defaultsOf(fields),
  }
}

function defaultsOf(fields: Fields): GenerationDefaults {
  const stop = fields.texts('stop_strings')
  return {
    ...given(
      'maxTokens',
      optional(fields, 'max_new_tokens', (name) => fields.size(name)),
    ),
    ...given(
      'maxLength',
      optional(fields, 'max_length', (name) => fields.size(name)),
    ),
    ...(stop.length > 0 && { stop }),
    ...(samples(fields) && samplingOf(fields)),
  }
}

function samples(fields: Fields): boolean {
  return fields.flag('do_sample', false)
}

function samplingOf(fields: Fields): GenerationDefaults {
  const topK = fields.get('top_k') === 0 ? undefined : fields.size('top_k', usualTopK)
  const topP = optional(fields, 'top_p', (name) => fields.positive(name))
  if (topP !== undefined && topP > 1) {
    throw fields.fault('CORRUPT_FILE', 'top_p', 'a number up to 1', topP)
  }
  return {
    temperature: fields.positive('temperature', 1),
    ...given('topK', topK),
    ...given('topP', topP === 1 ? undefined : topP),
  }
}

/** Words of one token, which can be suppressed. */
function badWords(fields: Fields): number[] {
  return wordsOf(fields).flatMap((ids) => (ids.length === 1 ? ids : []))
}

function wordsOf(fields: Fields): number[][] {
  const words = fields.get('bad_words_ids') ?? []
  const isId = (id: unknown) => Number.isSafeInteger(id) && (id as number) >= 0
  const isWord = (ids: unknown) => Array.isArray(ids) && ids.length > 0 && ids.every(isId)
  if (Array.isArray(words) && words.every(isWord)) return words as number[][]
  throw fields.fault('CORRUPT_FILE', 'bad_words_ids', 'lists of ids of tokens', words)
}

/** What is left out, as `name value`. */
function ignoredEntries(fields: Fields): string[] {
  const table = samples(fields) ? { ...neutral, ...neutralForSamples } : neutral
  const names = Object.keys(table).filter((name) => {
    const value = fields.get(name)
    return value !== undefined && !(table[name] ?? []).includes(value)
  })
  const entries = names.map((name) => `${name} ${JSON.stringify(fields.get(name))}`)
  const isLong = wordsOf(fields).some((ids) => ids.length > 1)
  return isLong ? [...entries, 'bad_words_ids of several tokens'] : entries
}

function optional<T>(fields: Fields, name: string, read: (name: string) => T): T | undefined {
  return fields.get(name) === undefined ? undefined : read(name)
}

/** No entry for what is not there. */
function given<Name extends keyof GenerationDefaults>(
  name: Name,
  value: GenerationDefaults[Name] | undefined,
): GenerationDefaults {
  return value === undefined ? {} : { [name]: value }
}
