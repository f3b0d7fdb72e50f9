// Chapter 2 in English. Its type is the contract for the other language.
import { key, number, part, query, term, type Inline } from '../../i18n/inline'

/** A key that is asked for, in words and numbers ready to be set. */
export interface WantedFacts {
  key: string
  head: string
  weight: string
  mean: string
}

export interface AnswerFacts {
  query: string
  layer: string
  first: WantedFacts
  second: WantedFacts
  /** Where the one wide head looks most; null while it is computed. */
  wide: { key: string; weight: string } | null
}

export interface RaiseFacts {
  key: string
  by: string
  before: string
  after: string
  /** What all other weights are multiplied with. */
  factor: string
}

export const why = {
  title: 'Why many heads?',
  windowTitle: 'Why many heads',

  answer: ({ query: token, layer, first, second, wide }: AnswerFacts): Inline[] => [
    `In layer ${layer}, `,
    part('heads', `head ${first.head}`),
    ' gives ',
    number(first.weight),
    ' of the weight of ',
    query(token),
    ' to ',
    key(first.key),
    first.head === second.head ? ', and the same head gives ' : `, and head ${second.head} gives `,
    number(second.weight),
    ' to ',
    key(second.key),
    '. In the mean of all heads ',
    part('lost', 'they are left with'),
    ' ',
    number(first.mean),
    ' and ',
    number(second.mean),
    '.',
    ...(wide
      ? [' One wide head puts ', number(wide.weight), ' on ', key(wide.key), ' instead.']
      : []),
  ],
  answerWaiting: 'The kernels are computing this layer …',

  budget1: (): Inline[] => [
    'Softmax turns the scores of a row into weights that sum to 1. So every row is a ',
    term('budget'),
    ': ',
    part('budget', 'what one key gains'),
    ', all others lose. A word that depends on two others at once, as a pronoun does on its noun and its verb, has to split it.',
  ],
  budget2: (): Inline[] => [
    'A layer with several heads has several budgets. Each has queries and keys of its own, and so can spend its 1 elsewhere: ',
    part('grid', 'the same sentence, another map'),
    '. What they found stays apart until W_O mixes it. One softmax for everything would have to settle for one map, and ',
    part('lost', 'a mean of the maps'),
    ' blurs what single heads pick out.',
  ],

  parts: {
    budget: 'A budget of 1',
    maps: 'One head, or many',
    heads: 'Which head does which',
    lost: 'What the mean loses',
    tries: 'Things to try',
    formula: 'The formula',
    sources: 'Sources',
  },

  key: 'key',
  weight: 'weight',
  score: 'score',
  waiting: 'Computing …',
  failed: 'This could not be computed:',

  budget: {
    title: (token: string, head: string): Inline[] => [
      'The budget of ',
      query(token),
      ` in head ${head}`,
    ],
    file: (head: string) => `A row of head ${head} with one score raised`,
    caption: (token: string, head: string) => `Row of ${token} in head ${head}`,
    before: 'before',
    after: 'now',
    raise: 'score raised by',
    slider: (token: string) => `Raise the score of ${token}`,
    value: (by: string, weight: string) => `${by}, weight ${weight}`,
    others: (count: number) => (count === 1 ? '1 more key' : `${String(count)} more keys`),
    sum: 'all together',
    reset: 'Back to the trained scores',
    rest: 'Drag a slider, or use the arrow keys: the score of that key changes, and the kernels compute the row again.',
    raised: (facts: RaiseFacts): Inline[] => [
      key(facts.key),
      ' with ',
      number(facts.by),
      ' in its score goes from ',
      number(facts.before),
      ' to ',
      number(facts.after),
      '. All others are multiplied by the same ',
      number(facts.factor),
      ': how they stand to one another does not change.',
    ],
    help: 'The thin mark is the weight before. One key at a time.',
  },

  maps: {
    title: (layer: string) => `Layer ${layer} through one wide head, and through its own`,
    file: (layer: string) => `Layer ${layer}: one wide head, the mean, and every head`,
    wide: 'one wide head',
    mean: 'mean of the heads',
    head: (head: string) => `head ${head}`,
    short: { wide: 'wide', mean: 'mean' },
    open: (name: string) => `Show the map: ${name}`,
    label: (name: string) =>
      `Map: ${name}. Arrow keys move the crosshair, Enter fixes the query or asks for the key.`,
    caption: (token: string, layer: string) => `Row of ${token} in layer ${layer}`,
    long: 'A text this long has no room for labels: choose its query among the tokens above.',
    about: {
      wide: (width: string) =>
        `Our construction, not a trained model: the queries and keys of all heads side by side, one softmax, scale 1/√${width}.`,
      mean: () => 'Every cell is the mean of that cell in all heads of the layer.',
      head: () => 'As the model computes it.',
    },
  },

  heads: {
    title: (token: string): Inline[] => ['Which head takes ', query(token), ' where'],
    file: (first: string, second: string) => `What every head gives to ${first} and ${second}`,
    x: 'head',
    first: 'First key',
    second: 'Second key',
    found: (first: WantedFacts, second: WantedFacts): Inline[] => [
      key(first.key),
      ' gets most in head ',
      number(first.head),
      ', ',
      number(first.weight),
      '; ',
      key(second.key),
      ' in head ',
      number(second.head),
      ', ',
      number(second.weight),
      '.',
    ],
    help: 'Measured now, on this text. A click on a head opens it.',
  },

  lost: {
    title: 'What the mean of the maps loses',
    file: (layer: string) => `Layer ${layer}: the most any head gives, the mean, one wide head`,
    most: 'most in any head',
    spread: (ofMean: string, ofHeads: string): Inline[] => [
      'The row of the mean has an entropy of ',
      number(ofMean),
      ' nats, the rows of the heads ',
      number(ofHeads),
      ' on average. The mean is never below that: it is wider than what it is made of, unless all rows are alike.',
    ],
    help: 'The bars of one colour in “most in any head” come from different rows and may sum to more than 1.',
  },

  honesty: (): Inline[] => [
    'This is a picture of weights, not a proof. The wide head was put together from parts trained to work apart: a layer trained with one head would have learnt other queries, keys and scale. The model itself computes no mean map; each head’s weights go with values of its own. A large weight on the verb may have a plain reason, too: some heads look at the next token in every row, as their maps show. And not every head is needed: Michel et al. 2019 removed up to 20 % of the heads of a trained translation model, and up to 40 % of BERT’s, without a noticeable loss.',
  ],

  tries: {
    title: 'Things to try',
    now: 'Now:',
    raise: (): Inline[] => [
      'Raise the score of ',
      key('mat'),
      ' by 3 in head 3.1. What happens to ',
      key('cat'),
      ', whose score stays as it was?',
    ],
    raiseEvidence: (mat: string, before: string, after: string): Inline[] => [
      key('mat'),
      ' takes ',
      number(mat),
      '; ',
      key('cat'),
      ' falls from ',
      number(before),
      ' to ',
      number(after),
    ],
    wide: (): Inline[] => [
      'Open the one wide head of layer 3. Does it find both ',
      key('cat'),
      ' and ',
      key('was'),
      '?',
    ],
    wideEvidence: (cat: string, was: string, top: string, weight: string): Inline[] => [
      number(cat),
      ' and ',
      number(was),
      '; its largest weight is ',
      number(weight),
      ', on ',
      key(top),
    ],
    layer: (): Inline[] => ['Go to layer 4. Are the two words found by two heads there as well?'],
    layerEvidence: (first: WantedFacts, second: WantedFacts): Inline[] => [
      `head ${first.head} gives `,
      key(first.key),
      ' ',
      number(first.weight),
      `, head ${second.head} gives `,
      key(second.key),
      ' ',
      number(second.weight),
      '; the mean ',
      number(first.mean),
      ' and ',
      number(second.mean),
    ],
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      weight: ['weight of key j', 'Its share of the budget; here of the first key asked for.'],
      score: ['score of key j', 'In the opened head, with what it was raised by.'],
      wide: [
        'map of one wide head',
        'It adds up the scores of the heads, then spends one budget; here its weight for the first key.',
      ],
      root: ['its scale', 'The wide head has h times as many products to add up.'],
      heads: ['heads', 'Their scaled scores are added and divided by √h.'],
      mean: ['mean of the rows', 'Here its weight for the first key.'],
      spread: ['entropy of the mean', 'Never less than the mean of the entropies.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani:
        'Section 3.2.2: several heads attend to different places at once; “with a single attention head, averaging inhibits this”.',
      clark: 'What single heads of BERT look at, among them relations of grammar and coreference.',
      michel:
        'The other side: after training, many heads can be removed one by one, and many layers even keep working with one.',
      kobayashi: 'Why a weight alone is not what a head adds.',
    },
  },
}

export type WhyMessages = typeof why
