// What chapter 5 rests on, and how others write its numbers.
import { authorsAndYear, bibliography, cite } from '../../references/bibliography'

const { brown, devlin, dosovitskiy, vaswani } = bibliography

export const sources = cite('vaswani', 'bhojanapalli', 'shazeer', 'ainslie', 'deepseek')

/** How fields and libraries write the same three numbers. */
export const conventions = [
  {
    id: 'vaswani',
    who: authorsAndYear(vaswani),
    names: ['N', 'd_model', 'h', 'd_k, d_v'],
    url: vaswani.url,
  },
  {
    id: 'bert',
    who: `BERT (${authorsAndYear(devlin)})`,
    names: ['L', 'H', 'A', ''],
    url: devlin.url,
  },
  {
    id: 'vit',
    who: `ViT (${authorsAndYear(dosovitskiy)})`,
    names: ['Layers', 'Hidden size D', 'Heads', ''],
    url: dosovitskiy.url,
  },
  {
    id: 'gpt3',
    who: `GPT-3 (${authorsAndYear(brown)})`,
    names: ['n_layers', 'd_model', 'n_heads', 'd_head'],
    url: brown.url,
  },
  {
    id: 't5',
    who: 'T5 (config.json)',
    names: ['num_layers', 'd_model', 'num_heads', 'd_kv'],
    url: 'https://huggingface.co/google-t5/t5-11b/blob/main/config.json',
  },
  {
    id: 'torch',
    who: 'torch.nn.MultiheadAttention',
    names: ['', 'embed_dim', 'num_heads', ''],
    url: 'https://pytorch.org/docs/stable/generated/torch.nn.MultiheadAttention.html',
  },
  {
    id: 'keras',
    who: 'keras.layers.MultiHeadAttention',
    names: ['', '', 'num_heads', 'key_dim'],
    url: 'https://keras.io/api/layers/attention_layers/multi_head_attention/',
  },
] as const
