// Every publication that the page rests on, once: chapters cite from here, and chapter 15 lists it
// whole. Titles, names and places are as published, the same in both languages. Pure.

export interface Reference {
  /** As published: family name first. */
  authors: readonly string[]
  year: number
  title: string
  /** How chapters call it where the title is long. */
  short?: string
  /** Where it was published, with pages where there are any. */
  venue: string
  url: string
}

export const bibliography = {
  ainslie: {
    authors: [
      'Ainslie, J.',
      'Lee-Thorp, J.',
      'de Jong, M.',
      'Zemlyanskiy, Y.',
      'Lebrón, F.',
      'Sanghai, S.',
    ],
    year: 2023,
    title: 'GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints',
    short: 'GQA',
    venue: 'EMNLP 2023',
    url: 'https://arxiv.org/abs/2305.13245',
  },
  amsel: {
    authors: ['Amsel, N.', 'Yehudai, G.', 'Bruna, J.'],
    year: 2024,
    title: 'On the Benefits of Rank in Attention Layers',
    venue: 'arXiv 2407.16153',
    url: 'https://arxiv.org/abs/2407.16153',
  },
  bahdanau: {
    authors: ['Bahdanau, D.', 'Cho, K.', 'Bengio, Y.'],
    year: 2015,
    title: 'Neural Machine Translation by Jointly Learning to Align and Translate',
    venue: 'ICLR 2015',
    url: 'https://arxiv.org/abs/1409.0473',
  },
  bhojanapalli: {
    authors: ['Bhojanapalli, S.', 'Yun, C.', 'Rawat, A. S.', 'Reddi, S.', 'Kumar, S.'],
    year: 2020,
    title: 'Low-Rank Bottleneck in Multi-head Attention Models',
    venue: 'ICML 2020',
    url: 'https://arxiv.org/abs/2002.07028',
  },
  bibal: {
    authors: [
      'Bibal, A.',
      'Cardon, R.',
      'Alfter, D.',
      'Wilkens, R.',
      'Wang, X.',
      'François, T.',
      'Watrin, P.',
    ],
    year: 2022,
    title: 'Is Attention Explanation? An Introduction to the Debate',
    short: 'Is Attention Explanation?',
    venue: 'ACL 2022, 3889–3900',
    url: 'https://aclanthology.org/2022.acl-long.269',
  },
  bjorck: {
    authors: ['Björck, Å.', 'Golub, G. H.'],
    year: 1973,
    title: 'Numerical Methods for Computing Angles Between Linear Subspaces',
    short: 'Angles Between Linear Subspaces',
    venue: 'Mathematics of Computation 27, 579–594',
    url: 'https://doi.org/10.1090/S0025-5718-1973-0348991-3',
  },
  britz: {
    authors: ['Britz, D.', 'Goldie, A.', 'Luong, M.-T.', 'Le, Q.'],
    year: 2017,
    title: 'Massive Exploration of Neural Machine Translation Architectures',
    venue: 'EMNLP 2017',
    url: 'https://arxiv.org/abs/1703.03906',
  },
  brown: {
    authors: ['Brown, T. B.', 'Mann, B.', 'Ryder, N.', 'et al.'],
    year: 2020,
    title: 'Language Models are Few-Shot Learners',
    venue: 'NeurIPS 2020',
    url: 'https://arxiv.org/abs/2005.14165',
  },
  clark: {
    authors: ['Clark, K.', 'Khandelwal, U.', 'Levy, O.', 'Manning, C. D.'],
    year: 2019,
    title: 'What Does BERT Look At? An Analysis of BERT’s Attention',
    short: 'What Does BERT Look At?',
    venue: 'BlackboxNLP at ACL 2019, 276–286',
    url: 'https://arxiv.org/abs/1906.04341',
  },
  dao: {
    authors: ['Dao, T.', 'Fu, D. Y.', 'Ermon, S.', 'Rudra, A.', 'Ré, C.'],
    year: 2022,
    title: 'FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness',
    short: 'FlashAttention',
    venue: 'NeurIPS 2022',
    url: 'https://arxiv.org/abs/2205.14135',
  },
  deepseek: {
    authors: ['DeepSeek-AI'],
    year: 2024,
    title: 'DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model',
    short: 'DeepSeek-V2',
    venue: 'arXiv 2405.04434',
    url: 'https://arxiv.org/abs/2405.04434',
  },
  devlin: {
    authors: ['Devlin, J.', 'Chang, M.-W.', 'Lee, K.', 'Toutanova, K.'],
    year: 2019,
    title: 'BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding',
    short: 'BERT',
    venue: 'NAACL-HLT 2019, 4171–4186',
    url: 'https://aclanthology.org/N19-1423',
  },
  dosovitskiy: {
    authors: ['Dosovitskiy, A.', 'Beyer, L.', 'Kolesnikov, A.', 'et al.'],
    year: 2021,
    title: 'An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale',
    short: 'An Image is Worth 16x16 Words',
    venue: 'ICLR 2021',
    url: 'https://arxiv.org/abs/2010.11929',
  },
  eckart: {
    authors: ['Eckart, C.', 'Young, G.'],
    year: 1936,
    title: 'The Approximation of One Matrix by Another of Lower Rank',
    venue: 'Psychometrika 1, 211–218',
    url: 'https://doi.org/10.1007/BF02288367',
  },
  efron: {
    authors: ['Efron, B.'],
    year: 1979,
    title: 'Bootstrap Methods: Another Look at the Jackknife',
    short: 'Bootstrap Methods',
    venue: 'The Annals of Statistics 7, 1–26',
    url: 'https://doi.org/10.1214/aos/1176344552',
  },
  elhage: {
    authors: ['Elhage, N.', 'Nanda, N.', 'Olsson, C.', 'et al.'],
    year: 2021,
    title: 'A Mathematical Framework for Transformer Circuits',
    venue: 'Transformer Circuits Thread',
    url: 'https://transformer-circuits.pub/2021/framework/index.html',
  },
  fan: {
    authors: ['Fan, A.', 'Lewis, M.', 'Dauphin, Y.'],
    year: 2018,
    title: 'Hierarchical Neural Story Generation',
    venue: 'ACL 2018',
    url: 'https://arxiv.org/abs/1805.04833',
  },
  henderson: {
    authors: ['Henderson, M.', 'Al-Rfou, R.', 'Strope, B.', 'et al.'],
    year: 2017,
    title: 'Efficient Natural Language Response Suggestion for Smart Reply',
    venue: 'arXiv 1705.00652',
    url: 'https://arxiv.org/abs/1705.00652',
  },
  holtzman: {
    authors: ['Holtzman, A.', 'Buys, J.', 'Du, L.', 'Forbes, M.', 'Choi, Y.'],
    year: 2020,
    title: 'The Curious Case of Neural Text Degeneration',
    venue: 'ICLR 2020',
    url: 'https://arxiv.org/abs/1904.09751',
  },
  jain: {
    authors: ['Jain, S.', 'Wallace, B. C.'],
    year: 2019,
    title: 'Attention is not Explanation',
    venue: 'NAACL-HLT 2019, 3543–3556',
    url: 'https://aclanthology.org/N19-1357',
  },
  kobayashi: {
    authors: ['Kobayashi, G.', 'Kuribayashi, T.', 'Yokoi, S.', 'Inui, K.'],
    year: 2020,
    title: 'Attention is Not Only a Weight: Analyzing Transformers with Vector Norms',
    short: 'Attention is Not Only a Weight',
    venue: 'EMNLP 2020, 7057–7075',
    url: 'https://aclanthology.org/2020.emnlp-main.574',
  },
  kornblith: {
    authors: ['Kornblith, S.', 'Norouzi, M.', 'Lee, H.', 'Hinton, G.'],
    year: 2019,
    title: 'Similarity of Neural Network Representations Revisited',
    venue: 'ICML 2019',
    url: 'https://arxiv.org/abs/1905.00414',
  },
  marneffe: {
    authors: ['de Marneffe, M.-C.', 'Manning, C. D.', 'Nivre, J.', 'Zeman, D.'],
    year: 2021,
    title: 'Universal Dependencies',
    venue: 'Computational Linguistics 47(2), 255–308',
    url: 'https://aclanthology.org/2021.cl-2.11',
  },
  michel: {
    authors: ['Michel, P.', 'Levy, O.', 'Neubig, G.'],
    year: 2019,
    title: 'Are Sixteen Heads Really Better than One?',
    venue: 'NeurIPS 2019',
    url: 'https://arxiv.org/abs/1905.10650',
  },
  milakov: {
    authors: ['Milakov, M.', 'Gimelshein, N.'],
    year: 2018,
    title: 'Online normalizer calculation for softmax',
    venue: 'arXiv 1805.02867',
    url: 'https://arxiv.org/abs/1805.02867',
  },
  pearson: {
    authors: ['Pearson, K.'],
    year: 1901,
    title: 'On Lines and Planes of Closest Fit to Systems of Points in Space',
    short: 'On Lines and Planes of Closest Fit',
    venue: 'Philosophical Magazine 2, 559–572',
    url: 'https://doi.org/10.1080/14786440109462720',
  },
  reimers: {
    authors: ['Reimers, N.', 'Gurevych, I.'],
    year: 2019,
    title: 'Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks',
    short: 'Sentence-BERT',
    venue: 'EMNLP-IJCNLP 2019, 3982–3992',
    url: 'https://arxiv.org/abs/1908.10084',
  },
  shazeer: {
    authors: ['Shazeer, N.'],
    year: 2019,
    title: 'Fast Transformer Decoding: One Write-Head is All You Need',
    venue: 'arXiv 1911.02150',
    url: 'https://arxiv.org/abs/1911.02150',
  },
  'shazeer-experts': {
    authors: [
      'Shazeer, N.',
      'Mirhoseini, A.',
      'Maziarz, K.',
      'Davis, A.',
      'Le, Q.',
      'Hinton, G.',
      'Dean, J.',
    ],
    year: 2017,
    title: 'Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer',
    short: 'The Sparsely-Gated Mixture-of-Experts Layer',
    venue: 'ICLR 2017',
    url: 'https://arxiv.org/abs/1701.06538',
  },
  song: {
    authors: ['Song, L.', 'Smola, A.', 'Gretton, A.', 'Bedo, J.', 'Borgwardt, K.'],
    year: 2012,
    title: 'Feature Selection via Dependence Maximization',
    venue: 'Journal of Machine Learning Research 13, 1393–1434',
    url: 'https://www.jmlr.org/papers/v13/song12a.html',
  },
  vaswani: {
    authors: [
      'Vaswani, A.',
      'Shazeer, N.',
      'Parmar, N.',
      'Uszkoreit, J.',
      'Jones, L.',
      'Gomez, A. N.',
      'Kaiser, Ł.',
      'Polosukhin, I.',
    ],
    year: 2017,
    title: 'Attention Is All You Need',
    venue: 'NeurIPS 2017',
    url: 'https://arxiv.org/abs/1706.03762',
  },
  voita: {
    authors: ['Voita, E.', 'Talbot, D.', 'Moiseev, F.', 'Sennrich, R.', 'Titov, I.'],
    year: 2019,
    title:
      'Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be Pruned',
    short: 'Analyzing Multi-Head Self-Attention',
    venue: 'ACL 2019, 5797–5808',
    url: 'https://aclanthology.org/P19-1580',
  },
  wang: {
    authors: ['Wang, W.', 'Wei, F.', 'Dong, L.', 'Bao, H.', 'Yang, N.', 'Zhou, M.'],
    year: 2020,
    title:
      'MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained Transformers',
    short: 'MiniLM',
    venue: 'NeurIPS 2020',
    url: 'https://arxiv.org/abs/2002.10957',
  },
  wiegreffe: {
    authors: ['Wiegreffe, S.', 'Pinter, Y.'],
    year: 2019,
    title: 'Attention is not not Explanation',
    venue: 'EMNLP-IJCNLP 2019, 11–20',
    url: 'https://aclanthology.org/D19-1002',
  },
  williams: {
    authors: ['Williams, S.', 'Waterman, A.', 'Patterson, D.'],
    year: 2009,
    title: 'Roofline: An Insightful Visual Performance Model for Multicore Architectures',
    short: 'Roofline',
    venue: 'Communications of the ACM 52(4), 65–76',
    url: 'https://doi.org/10.1145/1498765.1498785',
  },
  wu: {
    authors: ['Wu, Y.', 'Schuster, M.', 'Chen, Z.', 'Le, Q. V.', 'Norouzi, M.', 'et al.'],
    year: 2016,
    title:
      'Google’s Neural Machine Translation System: Bridging the Gap between Human and Machine Translation',
    short: 'Google’s Neural Machine Translation System',
    venue: 'arXiv 1609.08144',
    url: 'https://arxiv.org/abs/1609.08144',
  },
} as const satisfies Record<string, Reference>

export type ReferenceId = keyof typeof bibliography

/** As a list of references prints it: all authors, the year, the place. */
export function fullReference({ authors, year, title, venue }: Reference): string {
  const last = authors.at(-1) ?? ''
  const before = authors.slice(0, -1).join(', ')
  const names = before === '' || last === 'et al.' ? [before, last] : [before, `and ${last}`]
  return `${names.filter((each) => each !== '').join(' ')} (${String(year)}). ${title}. ${venue}.`
}

/** What chapters name under "Sources". */
export interface Source<Id extends ReferenceId = ReferenceId> {
  id: Id
  citation: string
  url: string
}

/** Clark et al. 2019, Jain and Wallace 2019, Shazeer 2019. */
export function authorsAndYear({ authors, year }: Reference): string {
  const family = authors.map((name) => name.replace(/,.*/, ''))
  const [first = '', second = ''] = family
  if (family.length > 2) return `${first} et al. ${String(year)}`
  return `${family.length === 2 ? `${first} and ${second}` : first} ${String(year)}`
}

/** The named publications, in this order, as a chapter lists them. */
export function cite<Id extends ReferenceId>(...ids: readonly Id[]): Source<Id>[] {
  return ids.map((id) => {
    const reference: Reference = bibliography[id]
    const { short, title, url } = reference
    return { id, citation: `${authorsAndYear(reference)}, ${short ?? title}`, url }
  })
}
