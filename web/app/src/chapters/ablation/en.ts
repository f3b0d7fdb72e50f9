// Chapter 8 in English. Its type is the contract for the other language.
import { number, part, term, type Inline } from '../../i18n/inline'

/** The loss with all heads and with some switched off, ready to be set. */
export interface ChangeFacts {
  /** The heads that are off, by name; how many where they are many. */
  off: string
  count: string
  pairs: string
  before: string
  after: string
  change: string
  low: string
  high: string
  accuracyBefore: string
  accuracyAfter: string
  /** Whether the interval leaves 0 out. */
  sure: boolean
}

export const ablation = {
  title: (): Inline[] => ['Which heads would be missed?'],
  windowTitle: 'Switching heads off',

  answer: (facts: ChangeFacts): Inline[] => [
    `Without ${facts.off} the model’s `,
    part('switches', 'loss'),
    ` on ${facts.pairs} pairs goes from `,
    number(facts.before),
    ' to ',
    number(facts.after),
    `, a change of `,
    number(facts.change),
    ` (95 % interval ${facts.low} to ${facts.high}): `,
    facts.sure ? 'more than chance would do.' : 'no more than chance could do.',
  ],
  answerAll: (facts: { pairs: string; before: string; accuracy: string }): Inline[] => [
    `With all heads the model finds the right one of ${facts.pairs} partners in `,
    number(facts.accuracy),
    ' of the cases; its loss is ',
    number(facts.before),
    '. ',
    part('switches', 'Switch heads off'),
    ' and see what it costs.',
  ],
  answerWaiting: (): Inline[] => ['Measuring the loss with and without heads …'],

  objective: (): Inline[] => [
    'Whether a head matters shows when it is gone. The model was trained to put sentences that mean the same close together; its ',
    term('loss'),
    ' here is exactly that task: among the second sentences of all pairs, how surely does it find the partner of the first? A head is switched off before W_O: what it would hand on is replaced by zeros, by its mean, by noise, or comes from other tokens.',
  ],
  claims: (): Inline[] => [
    'Michel et al. asked whether sixteen heads are really better than one, and found that most can be left out ',
    part('importance', 'one at a time'),
    ' and many ',
    part('pruning', 'together'),
    ', if they go in the right order. It is often said that heads work like an ensemble, where the others step in. That can be measured: make a head go wrong instead of silent, and switch off several at once.',
  ],

  parts: {
    pairs: 'Pairs of sentences',
    switches: 'Switches',
    behind: 'Attention behind them',
    meaning: 'What is near in meaning',
    importance: 'One at a time',
    pruning: 'Many at once',
    tries: 'Things to try',
    evidence: 'Cite this',
    formula: 'The formula',
    sources: 'Sources',
  },

  pairs: {
    title: 'Measured on',
    sets: { own: 'the lab’s pairs', file: 'your file' },
    own: (count: string) =>
      `${count} pairs of sentences with the same meaning, written for this page; they stand in groups on one topic that differ in a negation, in who does what, or in a detail.`,
    file: (name: string, count: string) => `${name}: ${count} pairs`,
    open: 'Open pairs of sentences',
    help: 'A text file, one pair on a line with a tab between the two. Or drop it here. It stays in this tab.',
    broken: 'This file could not be read.',
    ownFailed: 'The lab’s pairs could not be loaded.',
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
      mean: 'It hands on the same at every token: the mean of its output over all sentences.',
      noise: (level: string) =>
        `Normal noise with a standard deviation of ${level} is added to its output, about as much as the output itself.`,
      shuffle: 'Its output is handed to the wrong tokens, in a fixed random order.',
    },
    all: 'All on',
    layer: (layer: string) => `Layer ${layer} off`,
    layerOn: (layer: string) => `Layer ${layer} on`,
    least: (count: string) => `The ${count} least important off`,
    leastWaiting: 'The least important off (measure “One at a time” first)',
    random: (count: string) => `${count} random ones off`,
    columns: ['Heads', 'Loss', 'Found at once'],
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
    help: 'Found at once: the share of first sentences whose partner is the nearest of all. Losses depend on how many pairs there are.',
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
    help: 'Change of the loss on the half of the pairs that is reported, with intervals over pairs. Blue: the loss rises without the head; brown: it falls.',
    columns: ['Head', 'Change', '95 % interval', 'On the other half'],
    waiting: 'Not measured yet. It takes a minute or more; a part is shown while it runs.',
    fileTitle: 'Change of the loss without each head',
  },

  pruning: {
    title: 'Many at once',
    start: 'Prune',
    greedy: 'Also greedily (takes minutes)',
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
    help: 'Ordered by one half of the pairs, measured on the other. Random: five orders. A click switches that many heads off above.',
    about: {
      zero: 'Heads that are gone hand on zeros.',
      mean: 'Heads that are gone hand on their mean.',
    },
    waiting:
      'Not measured yet. It takes a minute or more, longer where importance is not measured yet.',
    fileTitle: 'Loss as heads go',
    layersTitle: 'All heads of a layer, or all but one',
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

  tries: {
    title: 'Things to try',
    now: 'Now:',
    noun: (): Inline[] => [
      'Head 5.11 marks the main noun for every token. Switch it off. Is it missed?',
    ],
    changeEvidence: (facts: ChangeFacts): Inline[] => [
      'loss ',
      number(facts.before),
      ' → ',
      number(facts.after),
      `, change ${facts.change} [${facts.low}, ${facts.high}]`,
    ],
    first: (): Inline[] => [
      'Switch off all heads of layer 0. Can the model do without its first looks?',
    ],
    wrong: (): Inline[] => [
      'Let head 3.1 go wrong instead of silent: noise on its output. Do the others make good for it?',
    ],
  },

  honesty: (): Inline[] => [
    'All of this is measured on these pairs and this one task; on other text other heads may matter. A head that is not missed here may do something that another does as well, or something that this task does not need. Switching off after training is not training without: a smaller model trained anew would divide its work otherwise.',
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
