// Chapter 7 in English. Its type is the contract for the other language.
import { number, part, term, type Inline } from '../../i18n/inline'

/** A role with its numbers ready to be set. */
export interface RoleFacts {
  head: string
  /** As Universal Dependencies calls it, with its meaning: obj, direct object. */
  role: string
  gloss: string
  score: string
  low: string
  high: string
  baseline: string
  /** With its sign. */
  offset: string
  n: string
}

/** What is looked at in the list of examples. */
export interface AskedFacts extends RoleFacts {
  kind: 'relation' | 'measure' | 'coreference'
  upward: boolean
}

const relationNames: Record<string, string> = {
  acl: 'clause modifying a noun',
  'acl:relcl': 'relative clause',
  advcl: 'adverbial clause',
  'advcl:relcl': 'clause on a whole clause',
  advmod: 'adverb',
  amod: 'adjective',
  appos: 'apposition',
  aux: 'auxiliary',
  'aux:pass': 'passive auxiliary',
  case: 'preposition or ’s',
  cc: 'conjunction word',
  'cc:preconj': 'first half of a conjunction',
  ccomp: 'clause as object',
  compound: 'compound',
  'compound:prt': 'particle of a verb',
  conj: 'conjunct',
  cop: 'copula',
  csubj: 'clause as subject',
  dep: 'unspecified',
  det: 'determiner',
  'det:predet': 'predeterminer',
  discourse: 'interjection',
  dislocated: 'dislocated',
  expl: 'expletive',
  fixed: 'fixed expression',
  flat: 'name in several words',
  goeswith: 'rest of a split word',
  iobj: 'indirect object',
  list: 'list',
  mark: 'word that opens a clause',
  nmod: 'noun modifying a noun',
  'nmod:desc': 'title or description',
  'nmod:poss': 'possessor',
  'nmod:unmarked': 'noun without preposition',
  nsubj: 'subject',
  'nsubj:outer': 'subject of a clause with a clause in it',
  'nsubj:pass': 'subject of a passive',
  nummod: 'number',
  obj: 'direct object',
  obl: 'oblique',
  'obl:agent': 'agent of a passive',
  'obl:unmarked': 'oblique without preposition',
  orphan: 'orphan',
  parataxis: 'parataxis',
  punct: 'punctuation',
  reparandum: 'slip that is put right',
  vocative: 'address',
  xcomp: 'open complement',
  previous: 'previous token',
  next: 'next token',
  first: '[CLS]',
  separator: '[SEP]',
  punctuation: 'punctuation',
  self: 'the token itself',
  duplicate: 'the same word again',
  entropy: 'broad attention',
  coreference: 'antecedent of a pronoun',
}

export const roles = {
  title: (): Inline[] => ['What do the heads do?'],
  windowTitle: 'What heads do',

  answer: (facts: {
    all: string
    /** Heads that find a relation; that only look at one kind of place; that do neither. */
    related: string
    placed: string
    none: string
    sentences: string
    first: RoleFacts | null
  }): Inline[] => [
    `On ${facts.sentences} sentences `,
    number(facts.related),
    ` of ${facts.all} heads find `,
    part('rolegrid', 'a relation between words'),
    ', ',
    number(facts.placed),
    ' only look at one kind of place, and ',
    number(facts.none),
    ' have no role.',
    ...(facts.first
      ? [
          ` The clearest: ${facts.first.head} finds the head of `,
          part('examples', `${facts.first.role} (${facts.first.gloss})`),
          ' in ',
          number(facts.first.score),
          ' of the cases, the best fixed distance in ',
          number(facts.first.baseline),
          '.',
        ]
      : []),
  ],
  answerPlain: (facts: { all: string; some: string; sentences: string }): Inline[] => [
    `Without labels, on ${facts.sentences} sentences: `,
    number(facts.some),
    ` of ${facts.all} heads do something that `,
    part('rolemap', 'can be seen without knowing the grammar'),
    '. For roles along grammatical relations choose sentences that have them marked.',
  ],
  answerWaiting: (): Inline[] => ['Measuring what every head looks at …'],
  answerNothing: (): Inline[] => ['Nothing is measured yet.'],

  method: (): Inline[] => [
    'A sentence whose grammar is marked says of every word which other word it belongs to: an object to its verb, a determiner to its noun. A head ',
    term('finds'),
    ' a relation where the word with most of its attention is the right one. That alone says little: a determiner’s noun mostly stands right behind it, and ',
    part('examples', 'a fixed distance'),
    ' finds it too. So every number stands beside the best fixed distance.',
  ],
  halves: (): Inline[] => [
    'With this many heads and relations some head is good at something by luck. Heads are therefore chosen on one half of the sentences and reported on the other, with an interval. A role is shown where a head was ahead of the best distance by 10 points in the first half and certainly ahead in the second. ',
    part('coreference', 'Looking at the right word'),
    ' can still have other reasons.',
  ],

  parts: {
    bank: 'Sentences',
    grid: 'Roles of all heads',
    examples: 'For and against',
    map: 'All relations',
    coreference: 'Pronouns',
    recorded: 'On public treebanks',
    tries: 'Things to try',
    evidence: 'Cite this',
    formula: 'The formula',
    sources: 'Sources',
  },

  relationNames,
  /** In the small cells of the grid. */
  shortNames: {
    previous: 'previous',
    next: 'next',
    first: '[CLS]',
    separator: '[SEP]',
    punctuation: 'punct.',
    self: 'itself',
    duplicate: 'same word',
    entropy: 'broad',
    coreference: 'pronoun',
  },

  bank: {
    title: 'Measured on',
    banks: { own: 'the lab’s sentences', text: 'your text', file: 'your file' },
    open: 'Open a treebank (CoNLL-U) or a text',
    help: 'Or drop it here. Any language of Universal Dependencies; text without labels is fine and gets the measures that need none. The file stays in this tab.',
    broken: 'This file could not be read.',
    ownFailed: 'The lab’s sentences could not be loaded.',
    missing:
      'This link was made with a file of its author. Open that file here to see the same numbers.',
    start: 'Measure',
    used: (facts: { used: string; given: string; words: string }) =>
      `${facts.used} of ${facts.given} sentences, ${facts.words} words`,
    left: (short: string, long: string) =>
      `left out: ${short} of one word, ${long} of more than 128 tokens`,
    split: (split: string, lost: string) =>
      `${split} words are cut into several tokens, ${lost} have no token of their own`,
    time: (seconds: string) => `measured in ${seconds} s`,
    own: 'Written for this page, 212 sentences with their grammar after Universal Dependencies 2 and 100 with a pronoun, each checked twice.',
    seed: 'Seed of the halves',
    another: 'Other halves',
    noLabels: 'There are no labels here: relations need marked sentences.',
  },

  grid: {
    title: 'Roles of all heads',
    label: 'All heads with their roles. Arrow keys move, Enter opens a head.',
    named: (name: string, count: string) => `${name}: ${count} roles`,
    none: (name: string) => `${name}: no role`,
    badge: (facts: RoleFacts) => `${facts.head}, ${facts.gloss}: ${facts.score}`,
    more: (count: string) => `+${count}`,
    list: 'Role by role',
    axes: 'Rows are layers, columns heads, counted from 0.',
    noRole: (none: string, all: string) =>
      `${none} of ${all} heads have no role by these rules. That is a result: a head need not do anything that we have a name for.`,
    rules:
      'A role along a relation: at least 10 dependents in the half that is reported; on the other half 10 points ahead of the best fixed distance; on the reported half surely ahead (95 % interval of the difference). A role without labels: more than half of the weight, or for broad attention an entropy of at least 85 % of the most there can be; surely so. Pronouns: surely ahead of the nearer candidate, and more so than the other words of the sentence.',
    fileTitle: 'Roles of all heads',
    columns: ['Head', 'Role', 'Score', '95 % interval', 'To beat', 'n'],
    waiting: 'Roles are shown when everything is measured.',
  },

  examples: {
    title: (facts: AskedFacts): string =>
      facts.kind === 'relation'
        ? `${facts.head} on ${facts.role}: ${facts.gloss}`
        : `${facts.head}: ${facts.gloss}`,
    relation: (facts: AskedFacts): Inline[] => [
      facts.upward
        ? 'Of the other words, the dependent looks most at its head in '
        : 'Of the other words, it is its head that looks most at the dependent in ',
      number(facts.score),
      ` of ${facts.n} cases (95 % interval ${facts.low} to ${facts.high}); the word at the best fixed distance, ${facts.offset}, is right in `,
      number(facts.baseline),
      '.',
    ],
    measure: (facts: AskedFacts, about: string): Inline[] => [
      `${about}: `,
      number(facts.score),
      `, mean of ${facts.n} rows (95 % interval ${facts.low} to ${facts.high}); a role from ${facts.baseline}.`,
    ],
    coreference: (facts: AskedFacts): Inline[] => [
      'The pronoun has more weight on its antecedent than on the other candidate in ',
      number(facts.score),
      ` of ${facts.n} sentences (95 % interval ${facts.low} to ${facts.high}); the nearer candidate is right in `,
      number(facts.baseline),
      '. These sentences are not cut into halves.',
    ],
    isRole: 'Counts as a role by the rules above.',
    notRole: 'Not a role by the rules above.',
    filters: { all: 'all', right: 'for', wrong: 'against' },
    show: 'Which cases',
    more: 'More',
    right: (from: string, looked: string) => `${from} → ${looked}`,
    wrong: (from: string, looked: string, wanted: string) => `${from} → ${looked}, not ${wanted}`,
    rightMark: 'for it',
    wrongMark: 'against it',
    look: 'See its map',
    lookWhat: (text: string) => `See the map of this head on: ${text}`,
    none: 'No case of this kind.',
    noList: 'For this role there is no list of cases; chapter 1 shows the map of the head.',
    tooMany: (words: string) =>
      `Lists are kept for up to ${words} words. Measure a part of the file to read its cases.`,
    legend:
      'The looking word is coloured, the right one underlined, the one that has most attention dotted.',
    reported: 'Cases of the half that is reported.',
    fileTitle: (what: string) => `Cases of ${what}`,
    columns: ['Sentence', 'Looks', 'At', 'Right would be', 'Verdict'],
  },

  map: {
    title: 'Every head on every relation',
    show: 'What is compared',
    ways: {
      up: 'from dependent to head',
      down: 'from head to dependent',
      measures: 'without labels',
    },
    about: {
      up: 'How often the word that a dependent looks at most is its head, on the reported half.',
      down: 'How often the word that looks most at a dependent is its head, on the reported half.',
      measures:
        'Mean weight on one kind of place, over all rows; broad attention as a share of the largest entropy there could be.',
    },
    label:
      'Rows are relations, columns heads, layer by layer. Arrow keys move, Enter opens the cases of a cell.',
    readout: (facts: RoleFacts) =>
      `${facts.role} (${facts.gloss}) in ${facts.head}: ${facts.score} [${facts.low}, ${facts.high}]; best distance ${facts.offset}: ${facts.baseline}; n = ${facts.n}`,
    readoutMeasure: (facts: RoleFacts) =>
      `${facts.gloss} in ${facts.head}: ${facts.score} [${facts.low}, ${facts.high}]; n = ${facts.n} rows`,
    fileTitle: 'Heads and relations',
    columns: ['Relation', 'Best head', 'Accuracy', '95 % interval', 'Best distance', 'n'],
    measureColumns: ['Measure', 'Largest in', 'Mean', '95 % interval', 'Role from', 'Rows'],
    few: (count: string) =>
      `Relations with fewer than ${count} dependents in the reported half are only in the table and the files.`,
    waiting: 'Measuring …',
    none: 'These sentences have no labels.',
  },

  measures: {
    previous: 'Weight on the token before',
    next: 'Weight on the token behind',
    first: 'Weight on [CLS]',
    separator: 'Weight on [SEP]',
    punctuation: 'Weight on punctuation',
    self: 'Weight on the token itself',
    duplicate: 'Weight on other tokens of the same form',
    entropy: 'Entropy of the row in nats',
  },

  coreference: {
    title: 'Does the pronoun look at what it means?',
    text: (facts: {
      second: string
      accuracy: string
      weight: string
      otherWeight: string
      first: string
      firstAccuracy: string
      firstControl: string
      excess: string
    }): Inline[] => [
      `In ${facts.second} pronouns put `,
      number(facts.weight),
      ' of their weight on their antecedent, the other words of the sentence ',
      number(facts.otherWeight),
      ': the head marks a noun for everyone, and of the two candidates it has the right one in ',
      number(facts.accuracy),
      ` of the cases. In ${facts.first} pronouns are right in `,
      number(facts.firstAccuracy),
      ', the other words prefer that candidate in ',
      number(facts.firstControl),
      `; the difference has a 95 % interval of ${facts.excess}.`,
    ],
    x: 'weight of the other words on the antecedent',
    y: 'weight of the pronoun on its antecedent',
    rule: 'no difference',
    help: 'Each square is a head. On the line the pronoun looks at its antecedent no more than the other words of the sentence do; heads above it look there because it is this word that looks. Pronoun right: more weight on the antecedent than on the other candidate; other words: how often they prefer it, too. The difference has a 95 % interval; with this many heads some leave 0 out by chance.',
    columns: [
      'Head',
      'Pronoun right',
      '95 % interval',
      'Other words',
      'Difference',
      'Weight of the pronoun',
      'Weight of other words',
    ],
    open: (name: string) => `Cases of ${name}`,
    waiting: 'Measuring 100 sentences with a pronoun …',
    fileTitle: 'Heads on pronouns',
    start: 'Measure the pronouns',
  },

  recorded: {
    names: { 'ewt-dev': 'EWT dev', 'ewt-test': 'EWT test', 'gap-development': 'GAP' },
    title: 'On public treebanks',
    text: (date: string, version: string): Inline[] => [
      `Not computed here: recorded on ${date} with headwise ${version} by `,
      'npm run record',
      ', from treebanks that are too large for this page and not part of it. Numbers only.',
    ],
    columns: ['Relation', 'Best head', 'Accuracy', '95 % interval', 'Best distance', 'n'],
    gap: (facts: {
      head: string
      accuracy: string
      low: string
      high: string
      nearer: string
      n: string
    }): Inline[] => [
      `${facts.head} on ambiguous pronouns: the right one of two names in `,
      number(facts.accuracy),
      ` of ${facts.n} cases (95 % interval ${facts.low} to ${facts.high}); the nearer name is right in `,
      number(facts.nearer),
      '.',
    ],
    sentences: (used: string, words: string) => `${used} sentences, ${words} words.`,
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    object: (): Inline[] => ['Which head finds the direct object? Read cases for and against.'],
    objectEvidence: (facts: RoleFacts): Inline[] => [
      `${facts.head}: `,
      number(facts.score),
      ', best distance ',
      number(facts.baseline),
    ],
    determiner: (): Inline[] => [
      'Determiners: the next word is often right as well. How much does the best head add to it?',
    ],
    determinerEvidence: (facts: RoleFacts): Inline[] => [
      `${facts.head}: `,
      number(facts.score),
      `; the word at distance ${facts.offset}: `,
      number(facts.baseline),
    ],
    pronoun: (): Inline[] => [
      'Open 5.11 on pronouns. Does the larger weight mean that it knows the antecedent?',
    ],
    pronounEvidence: (facts: {
      weight: string
      otherWeight: string
      accuracy: string
    }): Inline[] => [
      'pronouns put ',
      number(facts.weight),
      ' there, other words ',
      number(facts.otherWeight),
      '; right in ',
      number(facts.accuracy),
    ],
  },

  honesty: (): Inline[] => [
    'Where a head looks is not what the model makes of it: ',
    part('coreference', 'attention can be high for other reasons'),
    ', and a head that is switched off may not be missed. What is missed is measured in chapter 8. The labels are those of one theory of grammar, the sentences are short and in one language; on other text the numbers differ.',
  ],

  evidence: { about: 'What the head that is opened does on these sentences.' },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      accuracy: ['accuracy of head h', 'The share of dependents whose prediction is right.'],
      count: ['number of dependents', 'Of one relation, in the half that is reported.'],
      dependent: ['a dependent', 'Every word that has the relation to its head.'],
      other: [
        'another word',
        'A word never counts as its own prediction; special tokens such as [CLS] are no words.',
      ],
      right: ['the right word', 'The word that the treebank says i depends on.'],
      weight: [
        'attention between words',
        'From dependent i to word j; in the other direction from j to i.',
      ],
      from: ['tokens of the looking word', 'The mean over them.'],
      to: ['tokens of the word looked at', 'The sum over them.'],
      token: ['weight between tokens', 'As chapter 1 shows it.'],
      baseline: ['best fixed distance', 'Chosen on the one half, reported on the other.'],
      offset: ['a distance in words', 'From 5 words before to 5 words behind.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      clark:
        'The measure: attention between words, accuracy against the best fixed offset. For BERT-base a head finds direct objects in 86.8 % (best offset 40.0 %).',
      voita:
        'Roles of heads in translation, counted where they are clearly above the baseline; and that heads with a role are the last to be pruned.',
      marneffe: 'Universal Dependencies: the relations and their names.',
      jain: 'Why attention alone is no explanation.',
      efron: 'The bootstrap: intervals by drawing the sentences again and again.',
    },
  },
}

export type RolesMessages = typeof roles
