// BERT checkpoints of Hugging Face: their config.json and parameter names in our terms.
import { HeadwiseError } from '../errors.js'
import type { ModelConfig } from '../types/model.js'
import { modelDefaults } from './model-config.js'

/** What the files of our own folders add to config.json. */
export interface HeadwiseFacts {
  quantization?: { scheme?: string; scaleSuffix?: string }
}

type Json = Record<string, unknown>

function unsupported(argument: string, expected: string, received: unknown): HeadwiseError {
  return new HeadwiseError({
    code: 'UNSUPPORTED',
    argument: `config.json: ${argument}`,
    expected,
    received: received === undefined ? 'nothing' : JSON.stringify(received),
  })
}

function size(config: Json, name: string): number {
  const value = config[name]
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number
  throw unsupported(name, 'a whole number', value)
}

/** Far beyond any model: a file that says more is broken, and would exhaust the memory. */
const mostLayers = 1024

function layers(config: Json): number {
  const count = size(config, 'num_hidden_layers')
  if (count <= mostLayers) return count
  throw unsupported('num_hidden_layers', `at most ${mostLayers} layers`, count)
}

function expectValue(config: Json, name: string, accepted: readonly unknown[]): void {
  if (!accepted.includes(config[name])) {
    throw unsupported(
      name,
      accepted.map((value) => JSON.stringify(value)).join(' or '),
      config[name],
    )
  }
}

export function factsOf(config: object): HeadwiseFacts {
  return (config as { headwise?: HeadwiseFacts }).headwise ?? {}
}

/** The shape of the model that config.json describes. */
export function bertConfig(source: object, wanted: 'auto' | 'float32' | 'int8'): ModelConfig {
  const config = source as Json
  expectValue(config, 'model_type', ['bert'])
  // Exact GELU only; position embeddings are learned unless the file says otherwise.
  expectValue(config, 'hidden_act', ['gelu', undefined])
  expectValue(config, 'position_embedding_type', ['absolute', undefined])
  const numHeads = size(config, 'num_attention_heads')
  const dModel = size(config, 'hidden_size')
  const own = factsOf(source).quantization?.scheme === undefined ? 'float32' : 'int8'
  return {
    ...modelDefaults,
    modelType: 'bert',
    kind: 'encoder',
    normPlacement: 'post',
    embeddingNorm: true,
    finalNorm: false,
    activation: 'gelu',
    numLayers: layers(config),
    numHeads,
    kvHeads: numHeads,
    dModel,
    dEmbedding: dModel,
    headDim: dModel / numHeads,
    attentionScale: 1 / Math.sqrt(dModel / numHeads),
    dMlp: size(config, 'intermediate_size'),
    vocabulary: size(config, 'vocab_size'),
    maxPositions: size(config, 'max_position_embeddings'),
    tokenTypes: size(config, 'type_vocab_size'),
    normEpsilon: typeof config['layer_norm_eps'] === 'number' ? config['layer_norm_eps'] : 1e-12,
    dtype: wanted === 'auto' ? own : wanted,
    source,
  }
}

const embeddings: Record<string, string> = {
  word_embeddings: 'embed.token',
  position_embeddings: 'embed.position',
  token_type_embeddings: 'embed.token_type',
}

const blockParts: Record<string, string> = {
  'attention.self.query': 'attn.query',
  'attention.self.key': 'attn.key',
  'attention.self.value': 'attn.value',
  'attention.output.dense': 'attn.output',
  'attention.output.LayerNorm': 'ln1',
  'intermediate.dense': 'mlp.in',
  'output.dense': 'mlp.out',
  'output.LayerNorm': 'ln2',
}

/** Older checkpoints say gamma and beta where newer ones say weight and bias. */
const kinds: Record<string, string> = {
  weight: 'weight',
  bias: 'bias',
  gamma: 'weight',
  beta: 'bias',
}

/** Our name of a parameter, without scales; undefined for what the model does not use (the pooler). */
export function bertParameter(name: string): string | undefined {
  const path = name.replace(/^bert\./, '')
  const dot = path.lastIndexOf('.')
  const [part, kind] = [path.slice(0, dot), kinds[path.slice(dot + 1)]]
  if (kind === undefined) return undefined
  if (part === 'embeddings.LayerNorm') return `embed.ln.${kind}`
  const table = embeddings[part.replace(/^embeddings\./, '')]
  if (table !== undefined && kind === 'weight') return table
  const [, layer, blockPart = ''] = /^encoder\.layer\.(\d+)\.(.+)$/.exec(part) ?? []
  const own = blockParts[blockPart]
  return layer === undefined || own === undefined ? undefined : `blocks.${layer}.${own}.${kind}`
}
