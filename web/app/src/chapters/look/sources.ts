// What chapter 1 rests on. Titles and places are as published, the same in both languages.

export const sources = [
  {
    id: 'vaswani',
    citation: 'Vaswani et al. 2017, Attention Is All You Need',
    url: 'https://arxiv.org/abs/1706.03762',
  },
  {
    id: 'clark',
    citation: 'Clark et al. 2019, What Does BERT Look At?',
    url: 'https://arxiv.org/abs/1906.04341',
  },
  {
    id: 'kobayashi',
    citation: 'Kobayashi et al. 2020, Attention is Not Only a Weight',
    url: 'https://aclanthology.org/2020.emnlp-main.574',
  },
  {
    id: 'jain',
    citation: 'Jain and Wallace 2019, Attention is not Explanation',
    url: 'https://aclanthology.org/N19-1357',
  },
  {
    id: 'wiegreffe',
    citation: 'Wiegreffe and Pinter 2019, Attention is not not Explanation',
    url: 'https://aclanthology.org/D19-1002',
  },
  {
    id: 'wang',
    citation: 'Wang et al. 2020, MiniLM',
    url: 'https://arxiv.org/abs/2002.10957',
  },
  {
    id: 'reimers',
    citation: 'Reimers and Gurevych 2019, Sentence-BERT',
    url: 'https://arxiv.org/abs/1908.10084',
  },
] as const
