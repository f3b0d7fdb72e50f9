// Chapter 4 in English. Its type is the contract for the other language.
import { number, part, query, term, type Inline } from '../../i18n/inline'

/** The chosen head dimension, in numbers ready to be set. */
export interface ScaleFacts {
  headDim: string
  /** Standard deviation of the scores. */
  spread: string
  scaledSpread: string
  /** Mean of the largest weight of a row. */
  largest: string
  scaledLargest: string
}

export const scale = {
  title: 'Why divide by √d_k?',
  windowTitle: 'Why √dₖ',

  answer: (facts: ScaleFacts): Inline[] => [
    `With d_k = ${facts.headDim} random scores `,
    part('scores', 'spread'),
    ' with a standard deviation of ',
    number(facts.spread),
    ', and on average one key takes ',
    number(facts.largest),
    ' of its ',
    part('weights', 'row'),
    '. Divided by √d_k they spread by ',
    number(facts.scaledSpread),
    ' and the largest share is ',
    number(facts.scaledLargest),
    '.',
  ],
  answerWaiting: 'The kernels are computing the scores …',

  grows: (): Inline[] => [
    'A score is a sum of d_k products. If the numbers in q and k are independent, with mean 0 and variance 1, each product has variance 1 too, and variances of independent terms add up: ',
    part('variance', 'the variance of q · k is d_k'),
    '. More dimensions give larger scores, whatever the vectors hold.',
  ],
  saturates: (): Inline[] => [
    'Softmax answers to differences of scores. Where they are large it ',
    term('saturates'),
    ': one key takes nearly everything, ',
    part('entropy', 'the entropy'),
    ' goes to 0, and in most rows so does ',
    part('gradient', 'the gradient'),
    ': training can hardly move the weights any more. The factor 1 / √d_k keeps the variance at 1 for every d_k.',
  ],

  parts: {
    controls: 'Random scores',
    variance: 'As dₖ grows',
    model: 'In the model',
    tries: 'Things to try',
    formula: 'The formula',
    sources: 'Sources',
  },

  controls: {
    title: 'Random queries and keys',
    headDim: 'd_k',
    headDimText: (headDim: string) => `d_k = ${headDim}`,
    seed: 'Seed',
    another: 'Other numbers',
    note: (queries: string, keys: string) =>
      `${queries} queries and ${keys} keys of normally distributed numbers, made from the seed; a smaller d_k takes their first columns.`,
  },

  without: 'q · k, without the scale',
  with: 'divided by √d_k',
  normal: 'normal with variance d_k',
  waiting: 'Computing …',

  scores: {
    title: 'How the scores are distributed',
    file: (headDim: string) => `Distribution of random scores at d_k = ${headDim}`,
    x: 'score',
    y: 'share of the scores',
    help: 'Narrow bins over all pairs of a query and a key.',
  },
  row: {
    title: 'The softmax row of the first query',
    file: (headDim: string) => `Softmax of one row of random scores at d_k = ${headDim}`,
    x: 'key',
    y: 'weight',
    help: 'Both rows sum to 1, and they rank the keys alike.',
  },
  variance: {
    title: 'Variance of the scores',
    file: 'Variance of random scores by head dimension',
    y: 'variance',
    help: 'Both axes are logarithmic. The thin line is the variance that the formula gives.',
    expected: 'd_k, by the formula',
  },
  entropy: {
    title: 'Entropy of a row',
    file: 'Entropy of softmax rows by head dimension',
    y: 'nats, mean over the rows',
    rule: (keys: string) => `ln ${keys}: all keys alike`,
    help: 'A click on a place takes its d_k.',
  },
  gradient: {
    title: 'Gradient through softmax',
    file: 'Norm of softmax’s Jacobian by head dimension',
    y: '‖J‖, mean over the rows',
    median: 'without the scale, median',
    help: 'Frobenius norm of the matrix of all derivatives of the weights by the scores.',
  },

  model: {
    title: (head: string) => `The same in head ${head}`,
    factor: 'Scale, against the trained one',
    factorText: (factor: string) => `${factor} times the trained scale`,
    trained: 'as trained',
    without: 'without the scale',
    known: (facts: { head: string; headDim: string; variance: string; root: string }): Inline[] => [
      `In head ${facts.head} d_k is ${facts.headDim}. On this text its scores, as trained, have a variance of `,
      number(facts.variance),
      `. Without the scale all of them are √${facts.headDim} = `,
      number(facts.root),
      ' times as large.',
    ],
    row: {
      title: (token: string): Inline[] => ['The row of ', query(token)],
      file: (head: string) => `A row of head ${head} with its scale changed`,
      x: 'key',
      y: 'weight',
      changed: (factor: string) => `scale × ${factor}`,
      help: 'Choose another query among the tokens above.',
    },
    entropy: {
      title: 'Entropy of its rows',
      file: (head: string) => `Entropy of the rows of head ${head} by scale`,
      x: 'scale against the trained one',
      y: 'nats, mean over the rows',
    },
    gradient: {
      title: 'Gradient in this head',
      file: (head: string) => `Norm of softmax’s Jacobian in head ${head} by scale`,
      y: '‖J‖, mean over the rows',
    },
    honesty: (): Inline[] => [
      'Trained queries and keys are not independent, and their lengths were learnt with the scale in place. Taking it away afterwards shows what softmax does with larger scores; it does not show what a model trained without the scale would have learnt. The scale is no law either: a layer could learn it, and some models use another.',
    ],
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    wide: (): Inline[] => [
      'Go to d_k = 512. Without the scale, how much of a row does a single key take, and what is left of the gradient?',
    ],
    wideEvidence: (
      facts: ScaleFacts & { gradient: string; medianGradient: string; scaledGradient: string },
    ): Inline[] => [
      'largest weight ',
      number(facts.largest),
      ', gradient ',
      number(facts.gradient),
      ' (in half of the rows at most ',
      number(facts.medianGradient),
      '); with the scale ',
      number(facts.scaledLargest),
      ' and ',
      number(facts.scaledGradient),
    ],
    one: (): Inline[] => [
      'Go to d_k = 1. Is the scale of any use there? And do other seeds change the answer?',
    ],
    oneEvidence: (variance: string, scaled: string): Inline[] => [
      '√1 = 1, so nothing changes: variance ',
      number(variance),
      ' without and ',
      number(scaled),
      ' with the scale. With few numbers it is not exactly 1.',
    ],
    model: (): Inline[] => [
      'Take the scale away from head 3.1 of the model. Does ',
      query('it'),
      ' still divide its weight?',
    ],
    modelEvidence: (before: string, after: string): Inline[] => [
      'entropy of its rows ',
      number(before),
      ' nats as trained, ',
      number(after),
      ' without the scale',
    ],
  },

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      variance: ['variance of the score', 'Measured here over all pairs, without the scale.'],
      size: ['head dimension', 'As many products as stand in the sum.'],
      query: ['a number of the query', 'Mean 0 and variance 1 by assumption.'],
      key: ['a number of the key', 'Independent of the query’s by assumption.'],
      root: ['the scale', 'It divides the variance by d_k.'],
      weight: ['weight of key j', 'softmax of the scores of a row; here the largest, on average.'],
      jacobian: ['Jacobian of softmax', 'How each weight moves with each score; here its norm.'],
      entropy: ['entropy of a row', '0 where one key has everything; ln n where all are alike.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani:
        'Section 3.2.1 and its footnote: the variance d_k. That softmax then has too small gradients is what the authors suspect there; the figures above measure it.',
      britz:
        'The comparison they refer to: without a scale, dot products fell behind additive attention at larger dimensions.',
    },
  },
}

export type ScaleMessages = typeof scale
