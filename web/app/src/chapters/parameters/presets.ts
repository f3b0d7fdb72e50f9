// Shapes of known models, each with the place it was read from. The shipped model is not here: its
// shape is read from the model that was loaded.
import type { ModelConfig } from 'headwise'
import { bibliography } from '../../references/bibliography'
import type { ParametersView } from '../../state/parametersView'

export type PresetShape = Pick<
  ParametersView,
  'width' | 'heads' | 'size' | 'kvHeads' | 'latent' | 'bias' | 'layers' | 'dropout'
>

export interface Preset {
  id: string
  name: string
  shape: PresetShape
  /** Where the figures stand. */
  source: { text: string; url: string }
}

const plain = { size: null, kvHeads: null, latent: false, bias: false } as const

export const presets: readonly Preset[] = [
  {
    id: 'vaswani-base',
    name: 'Transformer base',
    shape: { ...plain, width: 512, heads: 8, layers: 6, dropout: 0.1 },
    source: { text: 'Vaswani et al. 2017, Table 3', url: bibliography.vaswani.url },
  },
  {
    id: 'vaswani-big',
    name: 'Transformer big',
    shape: { ...plain, width: 1024, heads: 16, layers: 6, dropout: 0.3 },
    source: { text: 'Vaswani et al. 2017, Table 3', url: bibliography.vaswani.url },
  },
  {
    id: 'bert-base',
    name: 'BERT-base',
    shape: { ...plain, width: 768, heads: 12, bias: true, layers: 12, dropout: 0.1 },
    source: {
      text: 'Devlin et al. 2019, section 3 and A.2',
      url: bibliography.devlin.url,
    },
  },
  {
    id: 'gpt2',
    name: 'GPT-2 small',
    shape: { ...plain, width: 768, heads: 12, bias: true, layers: 12, dropout: 0.1 },
    source: {
      text: 'openai-community/gpt2, config.json',
      url: 'https://huggingface.co/openai-community/gpt2/blob/main/config.json',
    },
  },
  {
    id: 'llama-2-70b',
    name: 'Llama 2 70B',
    shape: { ...plain, width: 8192, heads: 64, kvHeads: 8, layers: 80, dropout: 0 },
    source: {
      text: 'meta-llama/Llama-2-70b-hf, config.json',
      url: 'https://huggingface.co/meta-llama/Llama-2-70b-hf/blob/main/config.json',
    },
  },
  {
    id: 'deepseek-v2',
    name: 'DeepSeek-V2',
    shape: { ...plain, width: 5120, heads: 128, size: 128, latent: true, layers: 60, dropout: 0 },
    source: {
      text: 'DeepSeek-AI 2024, section 3.1.2',
      url: bibliography.deepseek.url,
    },
  },
]

/** The model in this tab, as its config.json has it. */
export function shippedPreset(config: ModelConfig, name: string): Preset {
  const dropout =
    'attention_probs_dropout_prob' in config.source
      ? Number(config.source.attention_probs_dropout_prob)
      : 0
  return {
    id: 'shipped',
    name,
    shape: {
      ...plain,
      width: config.dModel,
      heads: config.numHeads,
      kvHeads: config.kvHeads === config.numHeads ? null : config.kvHeads,
      bias: config.modelType === 'bert',
      layers: config.numLayers,
      dropout,
    },
    source: { text: 'config.json', url: 'models/minilm-l6/config.json' },
  }
}

export function isShown(preset: Preset, view: ParametersView): boolean {
  return Object.entries(preset.shape).every(
    ([name, value]) => view[name as keyof PresetShape] === value,
  )
}
