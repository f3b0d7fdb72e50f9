// Chapter 8 in English. Its type is the contract for the other language.
import { number, part, type Inline } from '../../i18n/inline'
import { subjects } from './subjects.en'

/** The loss with all heads and with some switched off, ready to be set. */
export interface ChangeFacts {
  /** The heads that are off, by name; how many where they are many. */
  off: string
  count: string
  /** What it was measured on: `200 pairs`. */
  set: string
  before: string
  after: string
  change: string
  low: string
  high: string
  accuracyBefore: string
  accuracyAfter: string
  /** Of a translator: the share of sentences translated as one of the answers; else empty. */
  matchBefore: string
  matchAfter: string
  /** Of a language model: bits for each byte with all heads; else empty. */
  bitsBefore: string
  /** Whether the interval leaves 0 out. */
  sure: boolean
}

export const ablation = {
  title: (): Inline[] => ['Which heads would be missed?'],
  windowTitle: 'Switching heads off',

  answer: (facts: ChangeFacts): Inline[] => [
    `Without ${facts.off} the model’s `,
    part('switches', 'loss'),
    ` on ${facts.set} goes from `,
    number(facts.before),
    ' to ',
    number(facts.after),
    `, a change of `,
    number(facts.change),
    ` (95 % interval ${facts.low} to ${facts.high}): `,
    facts.sure ? 'more than chance would do.' : 'no more than chance could do.',
  ],
  answerWaiting: (): Inline[] => ['Measuring the loss with and without heads …'],

  subjects,
  /** Before the layer of a head, where there are several stacks. */
  groups: { encoder: 'enc', decoder: 'dec', cross: 'cross' },

  claims: (): Inline[] => [
    'Michel et al. asked whether sixteen heads are really better than one, and found that most can be left out ',
    part('importance', 'one at a time'),
    ' and many ',
    part('pruning', 'together'),
    ', if they go in the right order. It is often said that heads work like an ensemble, where the others step in. That can be measured: make a head go wrong instead of silent, and switch off several at once.',
  ],

  parts: {
    pairs: 'Model and texts',
    switches: 'Switches',
    behind: 'Attention behind them',
    meaning: 'What is near in meaning',
    importance: 'One at a time',
    pruning: 'Many at once',
    groups: 'Encoder, decoder, between',
    tries: 'Things to try',
    evidence: 'Cite this',
    formula: 'The formula',
    sources: 'Sources',
  },

  pairs: {
    title: 'Measured on',
    file: (name: string, set: string) => `${name}: ${set}`,
    arriving: (model: string, share: string) => `${model} is on its way: ${share}.`,
    broken: 'This file could not be read.',
    ownFailed: 'What the lab measures on could not be loaded.',
    missing:
      'This link was made with a file of its author. Open that file here to see the same numbers.',
    failed: 'It could not be measured.',
    seed: 'Seed',
  },

  switches: {
    title: 'Switch heads off',
    label: 'All heads as switches: layers down, heads across. Arrow keys move, Enter switches.',
    head: (name: string) => `Head ${name}`,
    how: 'How',
    ways: { zero: 'zero', mean: 'mean', noise: 'noise', shuffle: 'shuffled' },
    about: {
      zero: 'The head hands on zeros.',
      mean: 'It hands on the same at every token: the mean of its output over all texts.',
      noise: (level: string) =>
        `Normal noise with a standard deviation of ${level} is added to its output, about as much as the output itself.`,
      shuffle: 'Its output is handed to the wrong tokens, in a fixed random order.',
    },
    all: 'All on',
    layer: (layer: string) => `Layer ${layer} off`,
    layerOn: (layer: string) => `Layer ${layer} on`,
    row: (row: string) => `${row} off`,
    rowOn: (row: string) => `${row} on`,
    least: (count: string) => `The ${count} least important off`,
    leastWaiting: 'The least important off (measure “One at a time” first)',
    random: (count: string) => `${count} random ones off`,
    columns: ['Heads', 'Loss'],
    match: 'Translated',
    rows: { before: 'All heads on', after: (count: string) => `${count} off`, change: 'Change' },
    interval: (low: string, high: string) => `95 % interval ${low} to ${high}`,
    waiting: 'Measuring …',
    compare: 'Compare all four ways',
    compareTitle: 'Silent, or going wrong',
    compareColumns: ['The heads that are off', 'Loss', 'Change', '95 % interval'],
    compareNote:
      'If the others stepped in for a head, noise and shuffling would cost about as much as silence. Where they cost more, what goes wrong is passed on.',
    alone: (facts: { sum: string; together: string }): Inline[] => [
      'One at a time these heads would cost ',
      number(facts.sum),
      ' together; at once they cost ',
      number(facts.together),
      '. More at once means that they made good for each other.',
    ],
    named: (names: string) => names,
    many: (count: string) => `${count} heads`,
    fileTitle: 'Loss with heads switched off',
  },

  behind: {
    title: 'What it does to the attention of the others',
    text: (facts: { most: string; moved: string }): Inline[] => [
      `On your sentence, ${facts.most} changes most: `,
      number(facts.moved),
      ' of the weight of its rows lies elsewhere.',
    ],
    nothing:
      'Attention in the layers before a switched-off head cannot change. Switch one off that has layers behind it.',
    allOn: 'All heads are on: nothing changes.',
    label: 'How far each head’s attention moved. Arrow keys move, Enter opens a head.',
    readout: (name: string, moved: string) => `${name}: ${moved} of the weight moved`,
    before: (name: string) => `${name} with all heads`,
    after: (name: string) => `${name} without them`,
    mapLabel: 'Rows are queries, columns keys. Arrow keys move.',
    help: 'Share of a row’s weight that lies on other keys, mean over the rows of your sentence.',
    long: 'The two maps are shown for sentences of up to 40 tokens.',
    waiting: 'Computing …',
    columns: ['Head', 'Weight moved'],
    fileTitle: 'How far attention moved',
  },

  meaning: {
    title: 'What is near to your sentence',
    text: (text: string): Inline[] => [
      `Of the pairs’ first sentences those that are nearest to “${text}”, with all heads and without those that are off.`,
    ],
    empty: 'Type a sentence to see what is near to it.',
    columns: ['Sentence', 'With all heads', 'Rank', 'Without', 'Rank'],
    same: (kept: string, of: string) =>
      `${kept} of the ${of} nearest stay among the ${of} nearest.`,
    help: 'Cosine of the mean vectors.',
    waiting: 'Computing …',
    fileTitle: 'Nearest sentences',
  },

  importance: {
    title: 'One at a time',
    start: 'Leave out every head once',
    text: (facts: { sure: string; all: string; chance: string; base: string }): Inline[] => [
      'For ',
      number(facts.sure),
      ` of ${facts.all} heads the 95 % interval of the change leaves 0 out; by chance alone one expects about ${facts.chance}. The whole model’s loss on the reported half is ${facts.base}.`,
    ],
    label:
      'Change of the loss without each head: layers down, heads across. Arrow keys move, Enter switches the head off.',
    readout: (facts: { head: string; change: string; low: string; high: string }) =>
      `Without ${facts.head}: ${facts.change} [${facts.low}, ${facts.high}]`,
    help: 'Change of the loss on the half that is reported, with 95 % intervals. Blue: the loss rises without the head; brown: it falls.',
    columns: ['Head', 'Change', '95 % interval', 'On the other half'],
    waiting:
      'Not measured yet. While it runs, what is known is shown, and how long the rest will take.',
    fileTitle: 'Change of the loss without each head',
  },

  pruning: {
    title: 'Many at once',
    start: 'Prune',
    greedy: 'Also greedily (takes much longer)',
    text: (facts: { half: string; kept: string; random: string; all: string }): Inline[] => [
      `Half of the heads (${facts.half}) gone in order of importance: loss `,
      number(facts.kept),
      '; gone at random: ',
      number(facts.random),
      '; with all heads ',
      number(facts.all),
      '.',
    ],
    x: 'heads switched off',
    y: 'loss',
    importance: 'least important first',
    randomMean: 'random, mean',
    randomLow: 'random, lowest',
    randomHigh: 'random, highest',
    greedyCurve: 'greedy',
    base: 'all heads',
    help: 'Ordered by one half, measured on the other. Random: five orders. A click switches that many heads off above.',
    about: {
      zero: 'Heads that are gone hand on zeros.',
      mean: 'Heads that are gone hand on their mean.',
    },
    waiting:
      'Not measured yet. Shorter where “One at a time” is measured already; how long it takes is shown while it runs.',
    fileTitle: 'Loss as heads go',
    layersTitle: 'All heads of a layer, or all but one',
    match: (facts: { kept: string; random: string; all: string }): Inline[] => [
      'Translated word for word: ',
      number(facts.kept),
      ' in order of importance, ',
      number(facts.random),
      ' at random, ',
      number(facts.all),
      ' with all heads.',
    ],
    layersColumns: [
      'Layer',
      'All gone: change',
      '95 % interval',
      'Kept',
      'All others gone: change',
      '95 % interval',
    ],
    layersHelp:
      'As Michel et al. tried: of one layer only the head is kept that does best alone, chosen on one half and reported on the other. Here the other layers keep all their heads.',
  },

  groupsPart: {
    title: 'Encoder, decoder, and between them',
    names: {
      encoder: 'Encoder, self-attention',
      decoder: 'Decoder, self-attention',
      cross: 'Cross-attention',
    },
    columns: ['Heads', 'Number', '95 % interval leaves 0 out', 'Mean change', 'Largest change'],
    headColumns: ['Head', 'Change of the loss', 'Change of the share translated', '95 % interval'],
    largest: (head: string, change: string) => `${head}: ${change}`,
    waiting: 'Measure “One at a time” to see which kind of attention is missed most.',
    papersTitle: 'Beside the papers',
    papersColumns: ['Model', 'Heads', 'Alone', 'Together'],
    papers: [
      [
        'Michel et al. 2019, English–French, WMT14',
        '96 in the encoder: 6 layers of 16',
        '8 of the 96 change BLEU significantly (p < 0.01), 4 of these for the better',
        'up to 20 % of all heads without a noticeable loss',
      ],
      ['Voita et al. 2019, WMT', '48 in the encoder', 'not reported', '38 of 48 for 0.15 BLEU'],
      [
        'Voita et al. 2019, OpenSubtitles',
        '48 in the encoder',
        'not reported',
        '44 of 48 for 0.25 BLEU',
      ],
    ],
    ours: (facts: { model: string }) => `This page, ${facts.model}`,
    oursHeads: (facts: { all: string; encoder: string; heads: string; width: string }) =>
      `${facts.all} in all (${facts.encoder} in the encoder): ${facts.heads} in a layer, d_k = ${facts.width}`,
    oursAlone: (facts: { sure: string; all: string; chance: string }) =>
      `${facts.sure} of ${facts.all} change the loss (about ${facts.chance} would by chance)`,
    oursTogether: (facts: { gone: string; all: string; before: string; after: string }) =>
      `${facts.gone} of ${facts.all} in order of importance: loss ${facts.before} → ${facts.after}`,
    notMeasured: 'not measured yet',
    size: (facts: { parameters: string; layers: string }): Inline[] => [
      'The sizes differ by far: this translator has ',
      number(facts.parameters),
      ` parameters and ${facts.layers} layers and knows short everyday sentences. The papers count BLEU on long news sentences or subtitles, Voita et al. with gates that are learnt while the encoder goes on training; here heads are switched off in a trained model, and the loss is that of the next token. What is alike is the question, not the measure.`,
    ],
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    changeEvidence: (facts: ChangeFacts): Inline[] => [
      'loss ',
      number(facts.before),
      ' → ',
      number(facts.after),
      `, change ${facts.change} [${facts.low}, ${facts.high}]`,
    ],
  },

  honesty: (): Inline[] => [
    'All of this is measured on these texts and this one task; on other text other heads may matter. A head that is not missed here may do something that another does as well, or something that this task does not need. Switching off after training is not training without: a smaller model trained anew would divide its work otherwise.',
  ],

  evidence: {
    about: 'What the loss is without the heads that are off.',
    importance: 'The change for every head, one at a time.',
    pruning: 'The curves of pruning.',
    which: 'What is cited',
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      loss: ['loss', 'In nats, mean over pairs; ln n for a model that guesses.'],
      tokenloss: ['loss', 'In nats, mean over all tokens; ln of the vocabulary for a guess.'],
      tokens: ['number of tokens', 'Of all texts together.'],
      token: ['token', 'The right one at its place.'],
      before: ['what is given', 'The right tokens before it; for a translator the source as well.'],
      count: ['number of pairs', 'Every pair’s second sentence is a candidate for all.'],
      scale: ['scale', 'Fixed at 20, as the model was trained.'],
      cosine: ['cosine', 'Of the mean vectors of two sentences.'],
      first: ['first sentence', 'Its tokens’ last vectors, mean, of length 1.'],
      second: ['its partner', 'The sentence with the same meaning.'],
      other: ['every candidate', 'The partner and the second sentences of all other pairs.'],
      mask: ['switch of head h', '1 for on, 0 for off.'],
      output: ['output of head h', 'Before W_O: what is switched.'],
      projection: ['rows of W_O of head h', 'They stay as they are.'],
      change: ['change without head h', 'Above 0 where the head is missed.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      michel:
        'Heads left out one at a time and together: in a translation model only 8 of the 96 heads in the encoder make a significant difference alone; 20 % of its heads, and 40 % of BERT’s, can go without a noticeable loss.',
      voita:
        'Pruning with learnt gates: 38 of 48 encoder heads for 0.15 BLEU. Heads with a role go last.',
      henderson: 'The loss: the right answer among those of the whole batch.',
      reimers: 'Sentence vectors as means over tokens, compared by cosine.',
      efron: 'The bootstrap: intervals by drawing the pairs again and again.',
    },
  },
}

export type AblationMessages = typeof ablation
