// Chapter 10 in English. Its type is the contract for the other language.
import { key, number, part, query, term, type Inline } from '../../i18n/inline'
import type { VariantName } from './prices'
import type { PublishedId } from './published'

/** The chosen variant, in numbers ready to be set. */
export interface VariantFacts {
  variant: string
  isOriginal: boolean
  layer: string
  /** Numbers that a token leaves in the cache of a layer, and how many of the trained layer. */
  kept: string
  all: string
  /** Null while it is computed. */
  error: string | null
}

export const variants = {
  title: 'What do shared keys and values cost?',
  windowTitle: 'Variants and their price',

  answer: (facts: VariantFacts): Inline[] => {
    if (facts.isOriginal) {
      return [
        `As it was trained, layer ${facts.layer} keeps `,
        number(facts.all),
        ' numbers for every token: a key and a value for each head. Choose a variant below that keeps less.',
      ]
    }
    return [
      `As ${facts.variant}, layer ${facts.layer} keeps `,
      number(facts.kept),
      ` numbers for every token instead of ${facts.all}`,
      ...(facts.error === null
        ? ['. What that does to its output is being computed.']
        : [
            '. On your sentence its ',
            part('errors', 'output'),
            ' is then off by ',
            number(facts.error),
            ' of its own length, without any training afterwards.',
          ]),
    ]
  },
  failed: 'This could not be computed:',

  saving: (): Inline[] => [
    'While a model writes, it keeps the keys and values of all earlier tokens: the ',
    term('key-value cache'),
    '. It grows with the context until it is larger than the weights and each new token has to wait for it to be read. ',
    part('cache', 'Keeping less'),
    ' is what these variants are for: ',
    term('grouped-query attention'),
    ' (GQA) lets groups of query heads share one key and value head, multi-query attention (MQA) has one for all, and multi-head latent attention (MLA) keeps one small latent from which all heads make theirs.',
  ],
  converting: (): Inline[] => [
    'Here a real layer is converted, and runs on its real input. For GQA and MQA the key and value matrices of each group are averaged, as the paper does; for MLA both matrices together are replaced by ',
    part('spectrum', 'the nearest matrix of low rank'),
    ', so that a token keeps only a latent of d_c numbers. Queries stay as they are. The papers train such models further, or from the start; this shows where that training begins.',
  ],

  parts: {
    shape: 'The variant',
    errors: 'What is lost',
    cache: 'The cache',
    maps: 'One head',
    spectrum: 'Inside the latent',
    prices: 'All prices',
    tries: 'Things to try',
    published: 'Published figures',
    formula: 'The formula',
    sources: 'Sources',
  },

  controls: {
    title: 'The variant',
    variant: 'Variant',
    names: {
      mha: 'Multi-head attention: keys and values for each head',
      gqa: 'Grouped-query attention: shared by groups',
      mqa: 'Multi-query attention: one for all',
      mla: 'Multi-head latent attention: from one latent',
    } satisfies Record<VariantName, string>,
    kvHeads: 'h_kv',
    rank: 'd_c',
    context: 'Tokens in the cache',
  },

  errors: {
    title: 'What is lost by keeping less',
    series: { grouped: 'pooled heads (GQA, MQA)', latent: 'one latent (MLA)' },
    cached: 'numbers kept for a token',
    error: 'error of the output',
    help: 'Length of the difference to the output of the trained layer, divided by the length of that output, before the output’s bias. 0: the same; 1: as far off as an output of nothing. A click chooses a variant.',
    fileTitle: 'Error of the output against numbers kept for a token',
    waiting: 'Decomposing [W_K W_V] and running every variant …',
  },

  cache: {
    title: 'The cache as the context grows',
    context: 'tokens in the cache',
    bytes: 'bytes, all layers',
    help: (layers: string) =>
      `2 bytes for each number, ${layers} layers, one sequence. Both axes are logarithmic, so every line has the same slope: variants differ by a factor, whatever the context.`,
    fileTitle: 'Bytes of the key-value cache against tokens in it',
  },

  maps: {
    title: (head: string) => `Head ${head}, before and after`,
    trained: 'as it was trained',
    key: 'key',
    caption: (head: string, token: string) => `Weights of head ${head}, the row of ${token}`,
    help: 'Only keys and values were changed. The row of the fixed token is marked.',
    waiting: 'Running the variant …',
  },

  spectrum: {
    title: 'What fits into a latent',
    number: 'number of the singular value',
    value: 'singular value of [W_K W_V]',
    help: (rank: string, share: string) =>
      `The first ${rank} hold ${share} of the sum of squares. The flatter the curve, the more a narrow latent loses. A click chooses d_c.`,
    fileTitle: 'Singular values of the key and value matrices side by side',
    waiting: 'Decomposing [W_K W_V] …',
  },

  prices: {
    title: 'All prices',
    variant: 'variant',
    flops: 'operations for a new token',
    columns: (context: string): string[] => [
      'variant',
      'parameters',
      `operations, ${context} tokens cached`,
      'cache, all layers',
      'error of the output',
    ],
    help: 'Parameters without biases and operations are of one layer; a multiplication with its addition counts as two. MLA is counted as it is served: every head reads the latents themselves, which saves memory and costs arithmetic.',
    fileTitle: 'What every variant costs and loses',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    latent: (rank: string): Inline[] => [
      `Let a latent of ${rank} numbers take the place of pooled heads that keep as much. Which loses less?`,
    ],
    latentEvidence: (kvHeads: string, pooled: string, latent: string): Inline[] => [
      `error with ${kvHeads} pooled heads `,
      number(pooled),
      ', with the latent ',
      number(latent),
    ],
    one: (): Inline[] => [
      'Give all heads one and the same key and value. What becomes of the map of the opened head?',
    ],
    oneEvidence: (
      error: string,
      from: string,
      to: string,
      before: string,
      after: string,
    ): Inline[] => [
      'error ',
      number(error),
      '; ',
      query(from),
      ' → ',
      key(to),
      ' goes from ',
      number(before),
      ' to ',
      number(after),
    ],
    long: (): Inline[] => ['Fill the cache with 131,072 tokens.'],
    longEvidence: (context: string, whole: string, small: string): Inline[] => [
      `${context} tokens take `,
      number(whole),
      ' with keys and values for each head, ',
      number(small),
      ' in the chosen variant',
    ],
  },

  honesty: (own: string | null): Inline[] => [
    'The error is of one layer on one sentence, right after the conversion. It does not say how well a model trained in this way reads or writes: ',
    part('published', 'the papers'),
    ' find little loss after training. This encoder has no cache of its own, because it does not write; its layers have the shape that is priced here.',
    ...(own === null
      ? []
      : [
          ' The trained layer itself is run here in floats; what the model computes with weights and activations of 8 bits differs from it by ',
          number(own),
          '.',
        ]),
  ],

  published: {
    title: 'What the papers report',
    intro: 'Quoted as published, each of the paper’s own models; nothing of it was measured here.',
    columns: {
      shazeer: ['BLEU', 'decoder, µs per token'],
      ainslie: ['average', 'seconds per sample'],
      deepseek: ['numbers per token and layer', 'of MHA'],
    } satisfies Record<PublishedId, [string, string]>,
    notes: {
      shazeer:
        'WMT14 En–De, 8 heads, all models with 211 million parameters; BLEU on the test set with beam 4, time of greedy decoding on a TPUv2.',
      ainslie:
        'T5 models, Table 1; GQA and MQA converted by mean pooling and trained further with 5 % of the original compute.',
      deepseek:
        'From Table 1 and the sizes of DeepSeek-V2: 512 + 64 against 2 · 128 · 128. The paper’s “93.3 %” compares with another model, DeepSeek 67B.',
    } satisfies Record<PublishedId, string>,
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    matrix: (rows: string, columns: string) => `${rows} × ${columns} numbers`,
    groups: (groups: string) => `${groups} groups`,
    bytes: (count: string) => `${count} bytes`,
    symbols: {
      pooled: ['key matrix of group g', 'The mean of those of its heads; values likewise.'],
      share: ['heads in a group', 'Query heads that share a key and a value.'],
      group: ['a group of neighbouring heads', 'All of them together are h heads.'],
      trained: ['as it was trained', 'Keys and values of all heads side by side.'],
      down: ['down to the latent', 'The first d_c left singular vectors: x U is what is kept.'],
      up: ['up from the latent', 'Makes keys and values of all heads again.'],
      bytes: ['bytes of the cache', 'For one sequence.'],
      two: ['bytes for a number', '16-bit floats.'],
      kept: ['numbers kept for a token', 'In one layer.'],
      layers: ['layers', 'Each has a cache of its own.'],
      context: ['tokens in the cache', 'The context so far.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani: 'Multi-head attention.',
      shazeer: 'Multi-query attention, and why decoding waits for memory.',
      ainslie: 'Grouped-query attention, and its conversion by mean pooling.',
      deepseek: 'Multi-head latent attention.',
      eckart: 'The truncated decomposition is the nearest matrix of its rank.',
    },
  },
}

export type VariantsMessages = typeof variants
