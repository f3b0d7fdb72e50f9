// Chapter 15 in English. Its type is the contract for the other language.
import { key, number, part, query, term, type Inline } from '../../i18n/inline'
import type { PaperId, PlaceId } from '../../state/glossaryView'
import type { Findings } from './findings'
import type { LevelWords } from './levelsScene'
import type { DifferenceId } from './sources'
import type { LevelId } from './terms'
import { definitions } from './terms.en'

export const glossary = {
  title: 'What is called what?',
  windowTitle: 'Glossary and references',

  answer: (): Inline[] => [
    term('Attention'),
    ' is a principle, ',
    term('multi-head attention'),
    ' a way to arrange it, and a ',
    term('transformer'),
    ' the network ',
    part('levels', 'that contains it'),
    '. Self and cross say where keys and values come from, and are ',
    part('levels', 'another question'),
    '.',
  ],
  about: (): Inline[] => [
    'Papers use these words side by side, and a sentence goes wrong when their levels are mixed: a transformer is no kind of attention, and cross-attention has heads too. ',
    part('terms', 'Every term'),
    ' stands below in both languages, with the chapter that shows it at work.',
  ],
  around: (): Inline[] => [
    part('neighbours', 'The map of neighbours'),
    ' says what came before, what contains it and what varies it. ',
    part('differences', 'Where the usual account and the measurement differ'),
    ' is told as well, with numbers that this tab computes.',
  ],

  parts: {
    levels: 'Levels',
    terms: 'Terms',
    neighbours: 'Neighbours',
    tries: 'Things to try',
    paper: 'In a paper',
    differences: 'Account and measurement',
    explanation: 'Is it an explanation?',
    formula: 'The formula',
    references: 'References',
  },

  levels: {
    title: 'Four levels and one axis',
    fileTitle: 'Levels: attention, multi-head attention, layer, transformer',
    transformer: ['transformer', 'the network'],
    layer: ['layer', 'attention, feed-forward, residuals, norms'],
    multiHead: ['multi-head attention', 'the arrangement: h at once, then W_O'],
    attention: ['attention', 'the principle'],
    axis: 'an axis of its own: whose keys and values?',
    self: 'self-attention: the same sequence',
    cross: 'cross-attention: another one',
    caption: 'Levels, from the inside out',
    columns: ['level', 'is', 'contains'],
    help: 'Each box contains what is drawn in it. The axis crosses all of them: attention of any kind can be self or cross.',
  } satisfies LevelWords & Record<string, unknown>,

  terms: {
    title: 'Terms',
    find: 'Find a term',
    none: 'No term is called so, or explained with it.',
    found: (shown: number, all: number) => `${String(shown)} of ${String(all)} terms`,
    columns: ['English', 'Korean', 'meaning', 'shown in'],
    chapter: (place: number, name: string) => `${String(place)} · ${name}`,
    link: (name: string) => `Link to ${name}`,
    here: 'here',
    levels: {
      input: 'What is read',
      attention: 'Attention',
      heads: 'Several heads',
      kinds: 'Self, cross, causal',
      transformer: 'What contains it',
      sharing: 'Sharing, storing, computing',
      claims: 'What is claimed and how it is tested',
    } satisfies Record<LevelId, string>,
    definitions,
  },

  neighbours: {
    title: 'Its place among its neighbours',
    fileTitle: 'Multi-head attention among its neighbours',
    help: 'Choose a neighbour, by pointer or with the arrow keys.',
    caption: 'Neighbours of multi-head attention',
    columns: ['neighbour', 'relation'],
    names: {
      'multi-head': 'multi-head attention',
      transformer: 'transformer',
      alignment: 'attention in RNNs',
      recurrence: 'recurrence',
      convolution: 'convolution',
      'dot-product': 'scaled dot-product',
      self: 'self-attention',
      cross: 'cross-attention',
      gqa: 'GQA',
      mqa: 'MQA',
      mla: 'MLA',
      flash: 'FlashAttention',
      mixture: 'mixture of experts',
    } satisfies Record<PlaceId, string>,
    relations: {
      'multi-head': 'the concept itself',
      transformer: 'contains it',
      alignment: 'came before',
      recurrence: 'took its place before',
      convolution: 'another way to mix tokens',
      'dot-product': 'is what each head computes',
      self: 'one end of the axis',
      cross: 'the other end of the axis',
      gqa: 'variant: keys and values in groups',
      mqa: 'variant: one key and value head',
      mla: 'variant: keys and values from a latent',
      flash: 'the same result, computed in tiles',
      mixture: 'also parallel, but chosen',
    } satisfies Record<PlaceId, string>,
    about: {
      'multi-head':
        'h attentions of width d_k on the same input, joined by W_O. With d_k = d_model / h it costs what one wide head costs.',
      transformer:
        'Every layer has one or two multi-head attentions. Feed-forward layers, residuals and norms belong to the transformer, not to attention.',
      alignment:
        'Bahdanau et al. let a decoder look back at all states of a recurrent encoder. One set of weights, a small network for the score: attention, but neither heads nor dot products.',
      recurrence:
        'A recurrent network passes a state from token to token: n steps one after the other, where attention reaches every token in one.',
      convolution:
        'Mixes a fixed neighbourhood with fixed weights. In attention the weights come from the content, and reach has no limit.',
      'dot-product':
        'softmax(Q Kᵀ / √d_k) V: the form of attention that multi-head attention arranges. Others exist, with additive scores for one.',
      self: 'Queries, keys and values from one sequence. An encoder has nothing else.',
      cross:
        'Queries from one sequence, keys and values from another; the maps are rectangles. It is as multi-headed as self-attention.',
      gqa: 'Query heads in groups, each group with one key and one value head: a smaller cache at nearly the same quality.',
      mqa: 'The extreme of sharing: one key head and one value head for all. The cache is 1/h of before.',
      mla: 'One small latent per token, from which keys and values of every head are made. The cache holds the latent.',
      flash:
        'Not another attention: the same numbers, without the map ever being stored. It saves memory traffic, not multiplications.',
      mixture:
        'Several networks side by side too, but a router chooses a few for each token. Heads are never chosen; all of them compute.',
    } satisfies Record<PlaceId, string>,
    readMore: 'Source',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    search: (): Inline[] => [
      'Look for “mask”. Which of the terms found is part of the principle, and which of the arrangement?',
    ],
    searchEvidence: (count: string): Inline[] => [
      number(count),
      ' terms are called so or explained with it: it belongs to the kind of attention, not to its heads.',
    ],
    flash: (): Inline[] => [
      'Is FlashAttention a variant of attention, as GQA is? Find it on the map.',
    ],
    flashEvidence: (): Inline[] => [
      'It computes the same numbers in another order; GQA changes the numbers.',
    ],
    cross: (): Inline[] => [
      'How is a decoder’s cross-attention written up? Read the sentence, and see which lengths it has to name.',
    ],
    crossEvidence: (): Inline[] => [
      'Two lengths: queries come from the target, keys and values from the source.',
    ],
  },

  paper: {
    title: 'How it is written in a paper',
    help: 'Sentences made up to show the form; the numbers are of no real model. Name layers, h, d_model, d_k, what attends to what, and the mask.',
    madeUp: 'Made up',
    kinds: {
      encoder: 'Encoder',
      vision: 'Vision transformer',
      cross: 'Cross-attention',
    } satisfies Record<PaperId, string>,
    choose: 'Kind of model',
  },

  differences: {
    title: 'Where the usual account and the measurement differ',
    intro:
      'Introductions say some things more strongly than one finds them. Numbers with “computed now” come from the kernels in this tab, on “The cat sat on the mat because it was tired”.',
    columns: ['one often reads', 'one finds'],
    computed: 'computed now',
    rows: {
      verb: [
        'A head links *it* to its verb, *sat*.',
        'The verb of *it* in this sentence is *was*.',
      ],
      rest: [
        'Heads that have nothing to do rest on [SEP].',
        'In BERT they do (Clark et al. 2019: over half of the attention in layers 6–10). In this model, on this sentence, it is [CLS] that takes the weight.',
      ],
      noun: [
        'A head with a large weight from *it* to *cat* resolves the pronoun.',
        'In 5.11 the weight is large, but so it is for every other row: the head marks the main noun.',
      ],
      objects: [
        'Clark et al. found a head that finds direct objects with 75 %.',
        'The paper prints 86.8 % for head 8-10, against 40.0 % for the best fixed offset.',
      ],
      rank: [
        'd_k bounds the rank of the attention map.',
        'It bounds the rank of the scores. Softmax is not linear and can raise it, so the weights may have full rank.',
      ],
      roles: [
        'Many heads act as an ensemble, and narrow heads regularise.',
        'Hypotheses with mixed evidence. Michel et al. 2019 could remove most heads one at a time: 8 of 96 made a significant difference, and half of those for the better.',
      ],
      latent: [
        'MLA shrinks the key-value cache by 93.3 % against multi-head attention.',
        'The paper’s 93.3 % compares DeepSeek-V2 with DeepSeek 67B, which has grouped keys and values already, and counts quantisation.',
      ],
      names: [
        'H, A and d mean the same everywhere.',
        'In BERT’s paper H is the width of the model; chapter 5 lists the conventions.',
      ],
    } satisfies Record<DifferenceId, readonly [string, string]>,
    evidence: {
      verb: ({ verb }: Findings): Inline[] => [
        query('it'),
        ' → ',
        key('was'),
        ' ',
        number(verb.own.weight),
        ` at most (${verb.own.head}); `,
        query('it'),
        ' → ',
        key('sat'),
        ' ',
        number(verb.other.weight),
        ` at most (${verb.other.head})`,
      ],
      rest: ({ rest }: Findings): Inline[] => [
        'the words give [CLS] ',
        number(rest.opening),
        ' and [SEP] ',
        number(rest.closing),
        ', mean over all heads',
      ],
      noun: ({ noun }: Findings): Inline[] => [
        query('it'),
        ' → ',
        key('cat'),
        ' ',
        number(noun.pronoun),
        '; the other rows give ',
        key('cat'),
        ' ',
        number(noun.least),
        ' to ',
        number(noun.most),
      ],
    },
  },

  explanation: {
    title: 'Is attention an explanation?',
    positions: [
      {
        name: 'No',
        by: 'jain',
        says: 'Weights often correlate weakly with other measures of importance, and very different weights can be found that leave the prediction as it was. So one picture of weights is not the reason.',
      },
      {
        name: 'It depends',
        by: 'wiegreffe',
        says: 'Such other weights must be found by a whole model that was trained, and then they do worse. Whether weights explain depends on what one calls an explanation: a plausible one is less than a faithful one.',
      },
    ],
    here: 'What this page does about it: it shows the contribution beside the weight (Kobayashi et al. 2020), and the other rows beside a striking one, and never says that a head understands. What a head does to the result only shows when one changes it and measures.',
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is.',
    now: 'in this model',
    symbols: {
      multihead: ['multi-head attention', 'The arrangement: h heads and one output matrix.'],
      query: ['queries', 'One row for each token that looks.'],
      key: ['keys', 'One row for each token that is looked at.'],
      value: ['values', 'One row for each key: what it hands over.'],
      concatenation: ['concatenation', 'Outputs of the heads, side by side.'],
      output: ['output projection', 'Joins the heads.'],
      head: ['head i', 'The same principle with projections of its own.'],
      attention: ['attention', 'The principle, without heads.'],
      projection: ['projection of head i', 'Makes the head’s queries out of the input.'],
      softmax: ['softmax', 'Makes each row sum to 1.'],
      scale: ['scale', 'Keeps scores from growing with d_k.'],
    },
    matrix: (rows: number, columns: number) => `${String(rows)} × ${String(columns)}`,
  },

  references: {
    title: 'References',
    help: 'Everything that the chapters cite.',
  },
}

export type GlossaryMessages = typeof glossary
