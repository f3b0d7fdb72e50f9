// Chapter 3 in English. Its type is the contract for the other language.
import contribution from '../../figures/contribution.inline.tex'
import { math, number, part, query, term, type Inline } from '../../i18n/inline'
import type { MatrixId, Projection, StageId } from '../../state/stepsView'

/** What the heads add for the query token, ready to be set. */
export interface AddFacts {
  /** `layer 3`, or the tiny layer. */
  layer: number | null
  heads: string
  head: string
  token: string
  own: string
  sum: string
}

export const steps = {
  title: 'How do many heads become one output?',
  windowTitle: 'Four steps',

  answer: (facts: AddFacts): Inline[] => [
    facts.layer === null ? 'In the tiny layer' : `In layer ${String(facts.layer)}`,
    ', the output for ',
    query(facts.token),
    ' is ',
    part('adds', `a sum of ${facts.heads} vectors`),
    ', one from each head. Head ',
    facts.head,
    ' adds one of length ',
    number(facts.own),
    '; the whole output has length ',
    number(facts.sum),
    '.',
  ],
  answerWaiting: 'The numbers of this layer stand here as soon as it has arrived.',

  four: (): Inline[] => [
    term('Multi-head attention'),
    ' takes four steps: every head makes queries, keys and values of the tokens; compares queries with keys and gathers values by the weights that come out of it; the results of all heads are put side by side; and W_O mixes them. ',
    part('equation', 'Each step'),
    ' has its formula, and most of them are products of matrices. ',
    part('cell', 'Point at any number'),
    ' to see what it is made of.',
  ],
  whole: (dModel: number, heads: number): Inline[] => [
    `Every head reads all of X, all ${String(dModel)} numbers of each token and not a slice of them. What is cut are the weights: `,
    `${String(heads)} small matrices, or one big one cut in ${String(heads)}, are the same multiplication. A head is a slice of the result.`,
  ],

  parts: {
    figure: 'The four steps',
    adds: 'The sum of the heads',
    beyond: 'What comes next',
    tries: 'Things to try',
    formula: 'The formula',
    sources: 'Sources',
  },

  controls: {
    label: 'What is shown',
    layers: { model: 'Your sentence', tiny: 'Tiny layer, by hand' },
    layer: 'layer',
    head: 'head',
    token: 'query',
    causal: 'Causal mask',
    causalHelp:
      'This model was trained to look both ways. Here its own queries, keys and values meet again with the later tokens hidden.',
    parts: { query: 'query', key: 'key', value: 'value' } satisfies Record<Projection, string>,
    part: 'Which projection',
    cut: 'How the weights are cut',
    alone: 'this head alone',
    together: 'all heads at once',
  },

  player: {
    label: 'The steps of the layer',
    back: 'Step back',
    forward: 'Step forward',
    play: 'Play',
    pause: 'Pause',
  },

  /** The four steps; the second has three moments. */
  steps: ['Project', 'Attend', 'Concatenate', 'Mix'] as readonly string[],
  stages: {
    project: 'project',
    scores: 'scores',
    weights: 'softmax',
    values: 'values',
    concat: 'concatenate',
    output: 'mix',
  } satisfies Record<StageId, string>,
  explain: {
    project: (part: string): Inline[] => [
      `Each token’s row of X times the head’s matrix is its ${part}. Rows stay tokens; the width becomes d_k.`,
    ],
    scores: (): Inline[] => [
      'Each query meets each key: the dot product of their rows, divided by √d_k so that it does not grow with the width.',
    ],
    weights: (): Inline[] => [
      'Softmax turns each row of scores into weights that sum to 1: exponentials, each divided by the sum of its row.',
    ],
    values: (): Inline[] => [
      'The weights of a row mix the values: one vector of d_k numbers for each token, from this head.',
    ],
    concat: (): Inline[] => [
      'The vectors of all heads stand side by side, in the order of the heads. Nothing is computed: numbers move to their place.',
    ],
    output: (): Inline[] => [
      'W_O mixes what the heads found. Each head meets only its own rows of W_O, which is why the output is a sum of one vector a head.',
    ],
  } satisfies Record<StageId, (part: string) => Inline[]>,

  figure: {
    title: (name: string, tiny: boolean): string =>
      tiny ? `Head ${name} of the tiny layer` : `Head ${name}`,
    label:
      'The matrices of this step. Arrow keys move from cell to cell, Page Up and Page Down from matrix to matrix, Enter fixes the cell, Escape lets go.',
    scale:
      'Blue is positive, orange negative, each matrix on a scale of its own (in large ones the strongest hundredth shares the full colour); weights from 0 to 1.',
    scaleMasked: 'Grey: hidden by the mask.',
    fileTitle: (stage: string, name: string) => `${stage}, head ${name}`,
    table: (name: string) => `Numbers of ${name}`,
    wideTable: (name: string, row: string) => `Numbers of ${name}, row ${row}`,
    wideNote: 'The matrix is wide: the table shows one row. The CSV file has everything.',
    row: 'row',
    column: 'column',
    value: 'value',
    same: (difference: string): Inline[] => [
      'The same thing: this head cut out of the big product, and multiplied alone by the kernels, differ by ',
      number(difference),
      ' at most, over everything it adds to the output. That is rounding.',
    ],
    sameExactly: (): Inline[] => [
      'The same thing: this head cut out of the big product, and multiplied alone by the kernels, give exactly the same numbers.',
    ],
    sameWaiting: 'The head alone and the head cut out are being compared.',
  },

  cell: {
    names: {
      x: 'X',
      projection: 'W',
      bias: 'b',
      query: 'Q',
      key: 'K',
      value: 'V',
      mask: 'M',
      scores: 'S',
      weights: 'A',
      z: 'Z',
      concat: 'Z',
      outputMatrix: 'W',
      outputBias: 'b',
      output: 'O',
    } satisfies Record<MatrixId, string>,
    products: (count: number) => `${String(count)} products`,
    terms: 'terms in all',
    given: {
      x: 'what the layer reads: the output of the one before',
      xTiny: 'given',
      weight: 'a learned weight',
      mask: 'the mask: 0 where the query may look, −∞ where it may not',
      weightTiny: 'given: it can be changed below',
    },
    hidden: (row: string, column: string) =>
      `${column} stands after ${row}: hidden by the mask before softmax, so its weight is 0`,
    moved: (head: string, column: string) => `number ${column} of head ${head}, in its place`,
    rounded: (total: string) =>
      `The operands as printed come to ${total}: the kernels round them for 8-bit products.`,
    bias: 'b',
  },

  adds: {
    title: (token: string): Inline[] => ['The output for ', query(token), ' as a sum of the heads'],
    help: (): Inline[] => [
      'Length of what each head adds, z W_O of its own rows. Lengths do not add up: vectors that point apart cancel.',
    ],
    bias: 'bias',
    noBias: 'no bias here',
    output: 'their sum',
    fileTitle: 'What each head adds to the output',
    columns: { head: 'head', norm: 'length' },
    rowTitle: (token: string, head: string): Inline[] => [
      'Inside head ',
      head,
      ': the keys of ',
      query(token),
    ],
    bars: {
      key: 'key',
      weight: 'weight',
      contribution: 'contribution',
      others: (count: number) => (count === 1 ? '1 other key' : `${String(count)} other keys`),
    },
    rowHelp: (): Inline[] => [
      'Weight beside contribution ',
      math(contribution, '‖α v W_O‖'),
      ': what a key adds is its value times W_O, as long as the weight lets it be. A large weight on a short value adds little.',
    ],
  },

  beyond: {
    title: (token: string): Inline[] => ['What comes next for ', query(token)],
    text: (): Inline[] => [
      'Attention does not replace the vector of a token, it adds to it (the residual). The sum is normalised (LayerNorm); a feed-forward layer, which looks at each token by itself, adds once more; after a second norm the next layer reads it. Only attention moves anything between tokens.',
    ],
    rows: {
      x: 'x, what the layer reads',
      attention: '+ attention: the sum of the heads',
      sum: '= x + attention',
      forward: '+ feed-forward, after a norm',
      next: '→ after the second norm: the next layer’s x',
    },
    length: 'length',
    fileTitle: 'Residual, norm and feed-forward of one token',
    help: 'Each strip is one vector, all numbers of it, on one scale for all strips.',
    tiny: 'The tiny layer stands alone: it has attention only.',
  },

  tiny: {
    title: 'The numbers of the tiny layer',
    help: '3 tokens, d_model = 4, two heads, d_k = 2, no biases. The numbers are made up, small enough for a pencil. Change one and everything is computed anew.',
    cell: (matrix: string, row: number, column: number) =>
      `${matrix}, row ${String(row)}, column ${String(column)}`,
    invalid: 'A number from −99 to 99, with at most three decimals, such as −1.5.',
    reset: 'Back to the first numbers',
    heads: 'columns 0 and 1: head 0; columns 2 and 3: head 1',
    headRows: 'rows 0 and 1: head 0; rows 2 and 3: head 1',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    whole: (): Inline[] => [
      'Multiply by all heads at once. Does the head’s slice hold other numbers than the head alone?',
    ],
    wholeEvidence: (difference: string): Inline[] => [
      'the two differ by ',
      number(difference),
      ' at most: rounding of the last digit',
    ],
    mask: (): Inline[] => [
      'Switch the mask on and look at the weights. The first token can see only itself: what must its row be?',
    ],
    maskEvidence: (first: string, last: string): Inline[] => [
      'the first row is ',
      number(first),
      ' and zeros; the last row, which nothing is hidden from, still sums to ',
      number(last),
    ],
    hand: (): Inline[] => [
      'Take a pencil: the tiny layer, one score. Three tokens, two heads, whole numbers. Can you get the same?',
    ],
    handEvidence: (sum: string): Inline[] => ['q · k / √2 = ', number(sum)],
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      output: ['output of the layer', 'One row a token, as wide as the input.'],
      concat: ['heads side by side', 'h blocks of d_k columns.'],
      mix: ['W_O', 'Mixes the heads; its rows belong to the heads one after another.'],
      head: ['one head', 'Softmax of its scores, times its values.'],
      queries: ['queries of the head', 'X times the head’s own W_Q.'],
      keys: ['keys of the head', 'X times the head’s own W_K.'],
      values: ['values of the head', 'X times the head’s own W_V.'],
      width: ['d_k', 'Width of a head.'],
      sum: ['sum over the heads', 'The same as concatenating and multiplying by W_O.'],
    },
    shape: (rows: number, columns: number) => `${String(rows)} × ${String(columns)}`,
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani: 'Section 3.2: scaled dot-product attention, heads, concatenation, W_O.',
      kobayashi: 'Weight against contribution: the norm of the weighted, transformed value.',
      elhage: 'The output of a layer as a sum over its heads.',
      devlin: 'Where the norms of this kind of model stand: after each sum.',
    },
  },
}

export type StepsMessages = typeof steps
