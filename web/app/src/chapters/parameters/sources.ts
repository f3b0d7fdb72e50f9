// What chapter 5 rests on. Titles and places are as published, the same in both languages.

export const sources = [
  {
    id: 'vaswani',
    citation: 'Vaswani et al. 2017, Attention Is All You Need',
    url: 'https://arxiv.org/abs/1706.03762',
  },
  {
    id: 'bhojanapalli',
    citation: 'Bhojanapalli et al. 2020, Low-Rank Bottleneck in Multi-head Attention Models',
    url: 'https://arxiv.org/abs/2002.07028',
  },
  {
    id: 'shazeer',
    citation: 'Shazeer 2019, Fast Transformer Decoding: One Write-Head is All You Need',
    url: 'https://arxiv.org/abs/1911.02150',
  },
  {
    id: 'ainslie',
    citation: 'Ainslie et al. 2023, GQA',
    url: 'https://arxiv.org/abs/2305.13245',
  },
  {
    id: 'deepseek',
    citation: 'DeepSeek-AI 2024, DeepSeek-V2',
    url: 'https://arxiv.org/abs/2405.04434',
  },
] as const

/** How fields and libraries write the same three numbers. */
export const conventions = [
  {
    id: 'vaswani',
    who: 'Vaswani et al. 2017',
    names: ['N', 'd_model', 'h', 'd_k, d_v'],
    url: 'https://arxiv.org/abs/1706.03762',
  },
  {
    id: 'bert',
    who: 'BERT (Devlin et al. 2019)',
    names: ['L', 'H', 'A', ''],
    url: 'https://aclanthology.org/N19-1423',
  },
  {
    id: 'vit',
    who: 'ViT (Dosovitskiy et al. 2021)',
    names: ['Layers', 'Hidden size D', 'Heads', ''],
    url: 'https://arxiv.org/abs/2010.11929',
  },
  {
    id: 'gpt3',
    who: 'GPT-3 (Brown et al. 2020)',
    names: ['n_layers', 'd_model', 'n_heads', 'd_head'],
    url: 'https://arxiv.org/abs/2005.14165',
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
