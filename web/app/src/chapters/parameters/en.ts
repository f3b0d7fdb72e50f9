// Chapter 5 in English. Its type is the contract for the other language.
import { number, part, term, type Inline } from '../../i18n/inline'
import type { MatrixId, VariantKind } from './counts'
import type { CheckId } from './methods'

/** The shape on screen, in numbers ready to be set. */
export interface ShapeFacts {
  dModel: string
  heads: string
  headDim: string
  weights: string
  kind: VariantKind
  kvHeads: string
  /** Weights with one head and with the most heads that there can be, both in the same way. */
  one: string
  most: string
  mostHeads: string
}

export const parameters = {
  title: 'Do more heads cost more?',
  windowTitle: 'Heads and parameters',

  answer: (facts: ShapeFacts): Inline[] => {
    const start: Inline[] = [
      `With d_model = ${facts.dModel} and h = ${facts.heads}, a head is `,
      part('slice', `${facts.headDim} wide`),
      ' and the layer has ',
      number(facts.weights),
      ' weights',
    ]
    if (facts.kind === 'mla') return [...start, '. Keys and values come out of one small latent.']
    if (facts.one !== facts.most) {
      return [
        ...start,
        `. From h = 1 to h = ${facts.mostHeads} the number goes from `,
        number(facts.one),
        ' to ',
        number(facts.most),
        '.',
      ]
    }
    return [
      ...start,
      ': ',
      part('every', `as many as with any other h`),
      ', from one head to ',
      facts.mostHeads,
      '.',
    ]
  },
  impossible: (facts: {
    dModel: string
    heads: string
    columns: string
    left: string
    quotient: string
  }): Inline[] => [
    `${facts.dModel} / ${facts.heads} = ${facts.quotient} is not a whole number. With ${facts.columns} columns for each head, `,
    part('slice', `${facts.left} of ${facts.dModel} columns`),
    ' would belong to no head, so frameworks refuse it.',
  ],
  cannot: (heads: string, dModel: string) =>
    `There is no such layer: at d_model = ${dModel}, h = ${heads} cannot be built.`,
  rotary: (headDim: string): Inline[] => [
    `Latent attention rotates half of each head, in pairs of columns: d_h must be a multiple of 4, and ${headDim} is not.`,
  ],
  take: (heads: string) => `h = ${heads}`,

  slices: (): Inline[] => [
    term('Multi-head attention'),
    ' does not add matrices. It cuts ',
    part('matrices', 'the same four'),
    ' into slices: with d_k = d_model / h, each head owns d_k columns of W_Q, W_K and W_V and d_k rows of W_O. Twice the heads, half the width.',
  ],
  work: (): Inline[] => [
    'The multiplications stay the same too, because every weight is used once for every token. What does grow is the number of softmax rows, h for each token; and each head has fewer numbers to ask with. ',
    part('variants', 'Sharing keys and values'),
    ' is what really saves weights, and memory while decoding.',
  ],

  parts: {
    shape: 'The shape',
    every: 'Every h',
    variants: 'GQA, MQA, MLA',
    tries: 'Things to try',
    models: 'Known models',
    methods: 'For a paper',
    formula: 'The formula',
    sources: 'Sources',
  },

  controls: {
    title: 'The shape',
    model: 'Model',
    ownShape: 'Own shape',
    width: 'd_model',
    heads: 'h, heads',
    headsSlider: 'h: divisors of d_model',
    sliderText: (heads: string, headDim: string) => `h = ${heads}, d_k = ${headDim}`,
    size: 'd_k',
    sizeDivided: 'd_model / h',
    sizeFixed: 'fixed at',
    sizeValue: 'd_k, fixed',
    kv: 'Key and value heads',
    kvText: (kv: string, kind: string) => `${kv}: ${kind}`,
    kinds: {
      mha: 'one for each head (MHA)',
      gqa: 'shared by groups (GQA)',
      mqa: 'one for all (MQA)',
      mla: 'from one latent (MLA)',
    } satisfies Record<VariantKind, string>,
    latent: 'From one latent (MLA)',
    bias: 'Count biases',
  },

  matrices: {
    title: 'One layer, drawn to scale',
    help: 'Area is the number of weights. The strongest colour is the first head’s share.',
    thin: (slices: string) => `${slices} slices, too thin to be drawn one by one.`,
    nobody: 'Orange: columns that belong to no head.',
    fileTitle: (heads: string, dModel: string) => `Weights of ${heads} heads at d_model ${dModel}`,
    caption: 'The matrices of the layer',
    columns: { matrix: 'matrix', shape: 'inputs × outputs', heads: 'slices', weights: 'weights' },
    names: {
      query: 'query',
      key: 'key',
      value: 'value',
      output: 'output',
      queryDown: 'query, down to its latent',
      queryUp: 'query, up from its latent',
      queryRotary: 'query, rotary part',
      latentDown: 'keys and values, down to their latent',
      keyRotary: 'key, rotary part, shared',
      keyUp: 'key, up from the latent',
      valueUp: 'value, up from the latent',
    } satisfies Record<MatrixId, string>,
  },

  numbers: {
    label: 'What this shape costs',
    headDim: 'width of a head, d_k',
    weights: 'weights of the layer',
    biases: 'biases',
    total: 'parameters with biases',
    multiplications: 'multiplications for a token',
    multiplicationsHow: 'each weight once',
    perKey: 'more, for each token it looks at',
    rows: 'softmax rows for a token',
    cache: 'numbers kept for a token (cache)',
    shipped: (attention: string, all: string, share: string): Inline[] => [
      'The model loaded in this tab has ',
      number(all),
      ' parameters; ',
      number(attention),
      ` of them (${share}) are in the projections of its attention layers.`,
    ],
  },

  every: {
    title: 'Every h',
    help: 'One bar for each h that divides d_model: as long as its number of weights, cut into its heads.',
    thinned: (shown: string, all: string) =>
      `${shown} of ${all} divisors are shown; the table and the files have all.`,
    fileTitle: 'Weights for every number of heads',
    caption: 'Costs for every number of heads',
    columns: ['h', 'd_k', 'weights', 'biases', 'multiplications per token', 'kept per token'],
  },

  variants: {
    title: 'The same heads, keys and values shared',
    help: 'Bars by matrix: queries, keys and values, output.',
    parts: { query: 'queries', keyValue: 'keys and values', output: 'output' },
    fileTitle: 'Weights of the variants of attention',
    caption: 'Costs of the variants',
    columns: ['variant', 'kv heads', 'weights', 'kept per token'],
    names: { mha: 'MHA', gqa: 'GQA', mqa: 'MQA', mla: 'MLA' } satisfies Record<VariantKind, string>,
    latentRule: (latent: string, queryLatent: string, rotary: string) =>
      `MLA in the proportions of DeepSeek-V2: d_c = 4 d_h = ${latent}, d'_c = 12 d_h = ${queryLatent}, rotary part d_h / 2 = ${rotary}; norms are not counted. Its point is the cache, not the weights.`,
    noLatent: 'MLA needs a d_k that is a multiple of 4.',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    thin: (): Inline[] => [
      'Go to the extreme: h = 512 at d_model = 512. Each head is a single column. Do 512 heads cost more than 8?',
    ],
    thinEvidence: (eight: string, most: string): Inline[] => [
      'h = 8: ',
      number(eight),
      ' weights, d_k = 64; h = 512: ',
      number(most),
      ' weights, d_k = 1. The same bill, but a query is now one number.',
    ],
    fixed: (): Inline[] => [
      'Hold d_k at 64 instead, and take 16 heads in place of 8. Is that still a comparison of heads?',
    ],
    fixedEvidence: (eight: string, sixteen: string, times: string): Inline[] => [
      number(eight),
      ' weights with 8 heads, ',
      number(sixteen),
      ' with 16: ',
      number(times),
      ' times as many. A better result could come from the weights alone.',
    ],
    shared: (): Inline[] => [
      'Let all 8 heads share one key and one value (MQA). Which of the four matrices shrink, and by how much?',
    ],
    sharedEvidence: (before: string, after: string, cache: string): Inline[] => [
      number(before),
      ' weights become ',
      number(after),
      ': W_K and W_V are an eighth as wide. A token keeps ',
      number(cache),
      ' as many numbers in the cache.',
    ],
  },

  models: {
    title: 'Known models',
    help: 'A click takes the shape. Parameters are of the attention projections of one layer.',
    columns: {
      model: 'model',
      layers: 'layers',
      width: 'd_model',
      heads: 'h',
      kv: 'kv heads',
      size: 'd_k',
      bias: 'biases',
      dropout: 'dropout',
      total: 'parameters',
      source: 'figures from',
    },
    yes: 'yes',
    no: 'no',
    latent: 'MLA',
    shipped: (name: string) => `${name} (in this tab)`,
    loaded: 'config.json of the loaded model',
    waiting: 'The model in this tab is on its way.',
    note: 'The Transformer of 2017 has its 6 layers twice, and each layer of the decoder attends twice. DeepSeek-V2’s dropout is from its config.json.',
  },

  methods: {
    title: 'For a paper: the methods sentence',
    help: 'From the shape above. State all five; readers cannot guess them from h alone.',
    layers: 'layers',
    dropout: 'dropout',
  },

  ablation: {
    title: 'A fair ablation over h',
    help: 'An ablation over h changes h and nothing else. The shape above decides the first two answers.',
    fields: {
      compared: 'h compared',
      optimiser: 'optimiser',
      rate: 'learning rate',
      tuned: 'learning rate is',
      budget: 'steps or epochs',
      seeds: 'seeds',
    },
    tuned: { '': 'choose', same: 'the same for all h', each: 'tuned for each h' },
    checks: {
      width: 'd_model is fixed, and every h divides it',
      matched: 'parameters are matched',
      optimiser: 'the optimiser is stated',
      rate: 'the learning rate is stated, and whether it was tuned for each h',
      budget: 'the training budget is stated and the same',
      seeds: 'at least two seeds, so that a spread can be given',
    } satisfies Record<CheckId, string>,
    met: 'yes',
    unmet: 'not yet',
    impossible: (list: string) => `${list} cannot be built at this d_model.`,
    matched: (weights: string) => `${weights} weights for every h.`,
    unmatched: (least: string, most: string) =>
      `From ${least} to ${most} weights: the sentence says so.`,
    progress: (done: string, all: string) => `${done} of ${all}`,
    incomplete: 'Square brackets mark what is still to be said.',
  },

  conventions: {
    title: 'Fields write it differently',
    intro:
      'The same numbers have other names elsewhere, and some names mean something else. Say which you use.',
    columns: ['who', 'layers', 'model width', 'heads', 'head width'],
    notes: {
      vaswani: 'the notation of this page',
      bert: 'H is the width here, not the number of heads',
      vit: 'vision: patches are tokens; the head width is left to the reader',
      gpt3: 'language models: the head width is printed',
      t5: 'd_kv is set by itself: in T5-11B 128 heads of 128 at d_model 1024',
      torch: 'embed_dim is split among the heads; biases by default',
      keras: 'key_dim is the width of one head: more heads, more parameters',
    },
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      total: ['weights of the layer', 'Biases come on top, one for each output.'],
      three: ['W_Q, W_K and W_V', 'Three matrices of h · d_k columns.'],
      heads: ['number of heads', 'It cancels out as long as d_k = d_model / h.'],
      width: ['width of the model', 'Each token is a vector of so many numbers.'],
      size: ['width of a head', 'DeepSeek-V2 writes d_h.'],
      output: ['W_O', 'It takes the h · d_k concatenated numbers back to d_model.'],
      kvheads: ['heads of keys and values', 'h in MHA, 1 in MQA, a divisor of h in GQA.'],
      latent: [
        'latent of keys and values',
        'MLA keeps this, and the rotary part, instead of keys and values.',
      ],
      querylatent: ['latent of the queries', 'It saves memory in training, not in decoding.'],
      rotary: ['rotary part of a head', 'It carries the position; its key is shared by all heads.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani: 'Section 3.2.2: d_k = d_model / h, so that the cost stays that of one wide head.',
      bhojanapalli: 'Why ever thinner heads are a limit, and the proposal to set d_k by itself.',
      shazeer: 'Multi-query attention.',
      ainslie: 'Grouped-query attention, and how to convert a model to it.',
      deepseek: 'Multi-head latent attention; the matrices counted here.',
    },
  },
}

export type ParametersMessages = typeof parameters
