// Chapter 1 in English. Its type is the contract for the other language.
import contribution from '../../figures/contribution.inline.tex'
import { key, math, number, part, query, type Inline } from '../../i18n/inline'

/** What the row of the fixed token holds, in words ready to be set. */
export interface RowFacts {
  /** Tokens that are not special: 0 for an empty text. */
  words: number
  head: string
  query: string
  key: string
  keyShare: string
  /** The word with the second largest weight, where there is one. */
  second: string | null
  secondShare: string
  specialShare: string
}

export const look = {
  title: (token: string): Inline[] => ['Where does ', query(token), ' look?'],
  windowTitle: 'Look',

  budget: (heads: number, layers: number): Inline[] => [
    'An attention head gives every token a weight of 1 to share out among all tokens of the sentence, itself included. ',
    `This model reads a sentence with ${String(heads * layers)} heads, ${String(heads)} in each of ${String(layers)} layers. `,
    part('grid', 'Each small map'),
    ' is one head.',
  ],
  reading: (): Inline[] => [
    part('row', 'Rows'),
    ' are queries, the tokens that look; ',
    part('column', 'columns'),
    ' are keys, the tokens looked at. The ',
    part('scale', 'stronger the colour'),
    ', the larger the weight. A head is called layer.head, both counted from 0. The tokenizer adds [CLS] and [SEP].',
  ],
  answer: (facts: RowFacts): Inline[] => [
    'In ',
    part('opened', `head ${facts.head}`),
    ', ',
    number(facts.keyShare),
    ' of the weight of ',
    query(facts.query),
    ' lies on ',
    key(facts.key),
    ...(facts.second === null
      ? []
      : [' and ', number(facts.secondShare), ' on ', key(facts.second)]),
    '. ',
    number(facts.specialShare),
    ' lies on the special tokens, where a head can rest.',
  ],
  titleEmpty: 'Where does a head look when there are no words?',
  answerEmpty: (facts: RowFacts): Inline[] => [
    'There is no text, so each row can only share its weight among the special tokens. In ',
    part('opened', `head ${facts.head}`),
    ', ',
    query(facts.query),
    ' puts ',
    number(facts.keyShare),
    ' on ',
    key(facts.key),
    '. Type a sentence to see more.',
  ],
  answerWaiting: (head: string): Inline[] => [
    'What ',
    part('opened', `head ${head}`),
    ' does with your sentence stands here as soon as its layer has arrived.',
  ],

  parts: {
    grid: 'All heads',
    opened: 'One head',
    tries: 'Things to try',
    formula: 'The formula',
    sources: 'Sources',
  },

  grid: {
    title: 'All heads',
    label: 'All heads. Arrow keys move, Enter opens a head.',
    headName: (name: string) => `Head ${name}`,
    headWithValue: (name: string, value: string) => `Head ${name}, ${value}`,
    waiting: (name: string) => `Head ${name}, not there yet`,
    measuring: (done: number, all: number) => `Measured ${String(done)} of ${String(all)} heads …`,
    axes: 'Rows: layers. Columns: heads.',
    sortBy: 'Order by',
    sorts: {
      place: 'layer and head',
      target: 'weight on the pair',
      entropy: 'breadth of the rows',
      distance: 'distance looked',
      previous: 'weight on the previous token',
      next: 'weight on the next token',
      special: 'weight on special tokens',
    },
    sortTarget: (from: string, to: string) => `weight ${from} → ${to}`,
    /** What the numbers under the maps are. */
    explain: {
      place: '',
      target: 'The weight of this pair in every head, largest first.',
      entropy: 'Entropy of a row in nats, mean over the rows, largest first.',
      distance: 'Tokens between query and key, weighted, mean over the rows; largest first.',
      previous: 'Weight on the token before, mean over the rows, largest first.',
      next: 'Weight on the token after, mean over the rows, largest first.',
      special: 'Weight on [CLS] and [SEP] together, mean over the rows, largest first.',
    },
    fileTitle: 'Attention weights of all heads',
    fixedRow: (token: string) => `mark at the row of ${token}`,
  },

  map: {
    title: (name: string) => `Head ${name}`,
    label: (name: string) =>
      `Map of head ${name}: rows are queries, columns are keys. Arrow keys move the crosshair, Enter fixes the pair, Escape goes back to the grid.`,
    quantity: 'Colour shows',
    quantities: { weight: 'weight', contribution: 'contribution' },
    dim: 'Dim special tokens',
    gamma: 'Bring out small weights',
    hidden: (share: string) => `${share} of this row lies on the dimmed tokens`,
    fileTitle: (name: string) => `Attention weights of head ${name}`,
    fileTitleContribution: (name: string) => `Contributions in head ${name}`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    wholeMap: 'Whole map',
    filter: 'Only tokens that contain',
    filterNone: 'No token contains this.',
    filtered: (shown: number, all: number) => `${String(shown)} of ${String(all)} tokens`,
    longHelp: 'Drag to move, zoom with the wheel, the buttons or + and −.',
  },

  bars: {
    title: (token: string, head: string): Inline[] => ['The row of ', query(token), ` in ${head}`],
    key: 'key',
    weight: 'weight',
    contribution: 'contribution',
    others: (count: number) => (count === 1 ? '1 other key' : `${String(count)} other keys`),
    help: (): Inline[] => [
      'The weight says how much a key is looked at. The contribution ',
      math(contribution, '‖α v W_O‖'),
      ' is the length of the vector it adds: a large weight on a short value adds little.',
    ],
  },

  softmax: {
    score: (from: string, to: string, headDim: number) =>
      `score of ${from} and ${to}: q · k / √${String(headDim)}`,
    largest: (token: string) => `largest score in the row, at ${token}`,
    sum: (count: number) => `sum of all ${String(count)} exponentials in the row`,
    contribution: 'length of v W_O of this key',
    waiting: 'The scores behind this number are being computed.',
  },

  table: {
    caption: (name: string) => `Weights in head ${name}: rows are queries, columns are keys`,
    captionContribution: (name: string) =>
      `Contributions in head ${name}: rows are queries, columns are keys`,
    query: 'query',
    sum: 'sum',
    long: 'The text is long: the table shows the fixed row. The CSV file has everything.',
    gridCaption: 'All heads, measured on this text',
    head: 'head',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    back: 'Back to “tired”',
    soft: (): Inline[] => [
      'Change ',
      key('tired'),
      ' to ',
      key('soft'),
      '. Now ',
      query('it'),
      ' can hardly be the cat. Does its row in 3.1 follow?',
    ],
    softEvidence: (cat: string, mat: string): Inline[] => [
      query('it'),
      ' → ',
      key('cat'),
      ' ',
      number(cat),
      ', ',
      query('it'),
      ' → ',
      key('mat'),
      ' ',
      number(mat),
    ],
    noun: (): Inline[] => [
      '5.11 puts more of ',
      query('it'),
      ' on ',
      key('cat'),
      ' than 3.1 does. But read down the column: does a large number show that a head resolves the pronoun?',
    ],
    nounEvidence: (pronoun: string, least: string, most: string): Inline[] => [
      query('it'),
      ' → ',
      key('cat'),
      ' ',
      number(pronoun),
      '; the other rows give ',
      key('cat'),
      ' ',
      number(least),
      ' to ',
      number(most),
      '. This head marks the main noun, for every query.',
    ],
    previous: (): Inline[] => [
      '0.2 looks one token back, whatever the sentence says. Look, then type a sentence of your own.',
    ],
    previousEvidence: (least: string): Inline[] => [
      'each row after the first gives the token before it ',
      number(least),
      ' or more',
    ],
  },

  honesty: (): Inline[] => [
    'A weight says where a head looks. It does not say how much of what is there gets used: ',
    part('bars', 'compare it with the contribution'),
    '. And neither explains what the model does; for that, one has to change something and measure.',
  ],

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    symbols: {
      alpha: ['weight of key j for query i', 'One cell of the map. Each row sums to 1.'],
      score: ['score of the pair', 'Large where query and key point the same way.'],
      query: ['query vector of token i', 'What token i asks for, in this head.'],
      key: ['key vector of token j', 'What token j can be found by, in this head.'],
      width: ['width of a head', 'How many numbers a query or a key has.'],
      sum: ['sum over all keys', 'It makes the weights of a row add up to 1.'],
      value: ['value vector of token j', 'What token j hands over when it is looked at.'],
      output: ['output matrix of the head', 'It takes a value back into the space of the model.'],
      contribution: ['contribution of key j to token i', 'How long the vector is that key j adds.'],
    },
    now: 'now',
    vector: (length: number) => `${String(length)} numbers`,
    matrix: (rows: number, columns: number) => `${String(rows)} × ${String(columns)} numbers`,
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani: 'Scaled dot-product attention, and several heads of it.',
      clark: 'What the heads of BERT look at; among it, the rests on special tokens.',
      kobayashi: 'Weight against contribution: the norm of the weighted, transformed value.',
      jain: 'The case that a weight is no explanation.',
      wiegreffe: 'The reply: it depends on what one calls an explanation.',
      wang: 'How the model this one was made from was distilled.',
      reimers: 'How such a model learns to compare sentences.',
    },
  },
}

export type LookMessages = typeof look
