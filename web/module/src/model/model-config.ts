// What a config says that has nothing to say: an architecture's mapping spreads this and sets what
// differs.
import type { ModelConfig } from '../types/model-config.js'

export const modelDefaults = {
  decoderLayers: 0,
  tokenTypes: 0,
  norm: 'layer',
  normPlacement: 'pre',
  embeddingNorm: false,
  finalNorm: true,
  positions: 'learned',
  positionOffset: 0,
  gatedMlp: false,
  attentionBias: true,
  outputBias: true,
  mlpBias: true,
  attentionSoftcap: 0,
  window: 0,
  globalEvery: 0,
  embeddingScale: 1,
  head: 'none',
  tiedHead: true,
  headBias: false,
  logitScale: 1,
  logitSoftcap: 0,
  labels: 0,
} satisfies Partial<ModelConfig>

/** The fields that choose among words, each with its words in C++'s order. */
export const configWords = {
  kind: ['encoder', 'decoder', 'encoder-decoder', 'vision'],
  norm: ['layer', 'rms'],
  normPlacement: ['post', 'pre', 'sandwich'],
  positions: ['none', 'learned', 'sinusoidal', 'rotary', 'relative'],
  activation: ['identity', 'gelu', 'relu', 'gelu-tanh', 'silu'],
  head: ['none', 'lm', 'masked-lm', 'classifier'],
} as const
