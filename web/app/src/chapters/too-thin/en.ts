// Chapter 9 in English. Its type is the contract for the other language.
import { link, number, part, term, type Inline } from '../../i18n/inline'
import type { PatternId, RankMeasure } from '../../state/rankView'
import type { ClaimId, PublishedId } from './claims'

/** The opened head on the text, in numbers ready to be set. */
export interface RankFacts {
  head: string
  tokens: string
  headDim: string
  /** Numerical rank of the scores and of the weights. */
  scores: string
  weights: string
  /** How many singular values hold 99 % of the scores. */
  bulk: string
}

/** The fit that is looked at, in numbers ready to be set. */
export interface FitFacts {
  headDim: string
  norm: string
  divergence: string
  largestError: string
  tokens: string
}

export const rank = {
  title: 'How thin may a head be?',
  windowTitle: 'Too thin',

  answer: (facts: RankFacts): Inline[] => [
    `Over these ${facts.tokens} tokens the scores of ${facts.head} have `,
    part('spectrum', 'rank'),
    ' ',
    number(facts.scores),
    `; with d_k = ${facts.headDim} they can have no more. `,
    number(facts.bulk),
    ' singular values hold 99 % of them. Behind softmax the ',
    part('ranks', 'weights'),
    ' have rank ',
    number(facts.weights),
    '.',
  ],
  answerShort: (tokens: string, headDim: string): Inline[] => [
    `Your text has ${tokens} tokens. Up to d_k = ${headDim} tokens its length alone bounds the `,
    part('lengths', 'rank'),
    ' of the scores; to tell the two bounds apart takes about twice as many.',
  ],
  answerWaiting: 'The ranks stand here as soon as the layer has arrived.',
  takeLong: 'Take a longer text',
  cut: (used: string, left: string) =>
    `The first ${used} tokens are looked at here, ${left} are left out: the singular values of all heads would take minutes.`,
  failed: 'This could not be computed:',

  bound: (): Inline[] => [
    'The scores of a head are Q Kᵀ, n × n numbers made of two matrices with d_k columns. Their rank is at most d_k, however long the text is: ',
    part('spectrum', 'behind the d_k-th singular value'),
    ' there is only rounding. That is the ',
    term('low-rank bottleneck'),
    '.',
  ],
  softmax: (): Inline[] => [
    'The weights are not bounded by it. Softmax takes the exponential of each score, and the exponentials of a matrix of low rank ',
    part('lengths', 'may have full rank'),
    '. So a thin head is not barred from sharp or rich maps as such: what it cannot do depends on the pattern, and on how large its scores may grow. ',
    part('lab', 'The lab'),
    ' tries that out.',
  ],

  parts: {
    heads: 'Ranks in the model',
    lab: 'Thin heads, fitted',
    split: 'Many thin, few wide',
    theorem: 'The theorem',
    claims: 'Claims and evidence',
    evidence: 'Cite this',
    tries: 'Things to try',
    formula: 'The formula',
    sources: 'Sources',
  },

  kinds: { scores: 'scores, before softmax', weights: 'weights, after softmax' },
  waiting: 'Computing the singular values …',

  spectrum: {
    title: (head: string) => `Singular values of ${head}`,
    file: (head: string) => `Singular values of the scores and the weights of head ${head}`,
    x: 'number of the singular value',
    y: 'share of the largest',
    rule: 'd_k',
    help: 'The vertical axis is logarithmic. Where the line of the scores falls off lies d_k; what is left behind it is the rounding of 32-bit floats.',
  },

  lengths: {
    title: (head: string) => `Rank and length in ${head}`,
    file: (head: string) => `Numerical rank against the number of tokens in head ${head}`,
    x: 'first tokens of the text',
    y: 'numerical rank',
    rule: 'd_k',
    help: 'Of the first rows and columns alone. As long as the text is shorter than d_k, its length is the bound.',
  },

  heads: {
    title: 'All heads on this text',
    measure: 'Shown',
    measures: {
      scores: 'rank of the scores',
      bulk: 'values that hold 99 %',
      weights: 'rank of the weights',
    } satisfies Record<RankMeasure, string>,
    about: {
      scores:
        'Numerical rank of Q K^T: singular values above n · 2⁻²³ of the largest one, the rounding of 32-bit floats.',
      bulk: 'How many singular values of the scores hold 99 % of the sum of their squares: what a head really uses of its d_k on this text.',
      weights: 'Numerical rank of the weights, by the same rule. It is not bounded by d_k.',
    } satisfies Record<RankMeasure, string>,
    label: 'All heads, layers down and heads across. Arrow keys move, Enter opens a head.',
    file: 'Ranks of all heads',
    readout: (head: string, value: string) => `${head}: ${value}`,
    unknown: 'not computed yet',
    progress: (done: string, all: string) => `${done} of ${all} heads`,
    halt: 'Stop here',
    resume: 'Compute the rest',
    caption: 'Ranks of all heads on this text',
    columns: ['head', 'rank of the scores', 'values that hold 99 %', 'rank of the weights'],
  },

  lab: {
    title: 'Can a head of d_k dimensions attend like this?',
    about: (): Inline[] => [
      'A pattern is given, and queries and keys of d_k numbers each are looked for, so that softmax(Q Kᵀ / √d_k) comes near it. There is no text and no model here: queries and keys are free, as if everything before them could be learnt. What counts besides d_k is the size of the scores: their root mean square may be at most the ',
      part('norms', 'norm'),
      ' that you set.',
    ],
    pattern: 'Pattern',
    patterns: {
      random: 'random, all positive',
      shift: 'next token',
      permutation: 'permutation',
      diagonal: 'own token',
      blocks: 'blocks',
      uniform: 'all alike',
      own: 'your own',
    } satisfies Record<PatternId, string>,
    length: 'Tokens, n',
    norm: 'Norm of the scores',
    normText: (norm: string) => `root mean square at most ${norm}`,
    headDim: 'd_k',
    headDimText: (headDim: string) => `d_k = ${headDim}`,
    seed: 'Seed',
    another: 'Other numbers',
    brush: 'You draw',
    brushText: (level: string) => `level ${level} of 9`,
  },

  maps: {
    title: (headDim: string) => `The pattern, and the head with d_k = ${headDim}`,
    wanted: 'the pattern',
    fitted: (headDim: string) => `fitted, d_k = ${headDim}`,
    label:
      'The pattern; rows are queries, columns keys. Arrow keys move, Enter draws, a digit sets a level.',
    fittedLabel: 'The weights of the fitted head. Arrow keys move.',
    readout: (query: string, key: string, wanted: string, fitted: string) =>
      `query ${query}, key ${key}: wanted ${wanted}, fitted ${fitted}`,
    idle: 'Click a cell of the pattern to draw your own. Rows always sum to 1: what is drawn is shared out.',
    help: 'The same scale of colours for both.',
    waiting: 'Fitting heads of every d_k …',
    caption: 'The pattern and the fitted weights',
    columns: ['query', 'key', 'wanted', 'fitted'],
  },

  circle: {
    title: (headDim: string) => `Queries and keys at d_k = ${headDim}`,
    queries: 'query',
    keys: 'key',
    one: 'With d_k = 1 all queries and keys lie on a line.',
    two: 'With d_k = 2 this is all there is: a query looks at the keys that lie farthest in its direction.',
    more: (share: string) =>
      `The first two of the dimensions; they hold ${share} of the squares of Q Kᵀ.`,
    file: (headDim: string) => `Queries and keys of the fitted head, d_k = ${headDim}`,
    columns: ['token', 'query 1', 'query 2', 'key 1', 'key 2'],
    caption: 'Queries and keys in the plane',
  },

  fits: {
    title: 'Error against d_k',
    file: (pattern: string, norm: string) =>
      `Error of the best fit found against d_k: ${pattern}, norm ${norm}`,
    x: 'd_k',
    y: 'error',
    divergence: 'KL divergence, nats',
    largest: 'largest error of a weight',
    help: 'The best of four searches for each d_k: an upper bound, not the least there can be. A click chooses d_k.',
  },

  norms: {
    title: 'Error against the norm',
    file: (pattern: string) => `KL divergence of the best fit found against the norm: ${pattern}`,
    x: 'norm: root mean square of the scores at most',
    y: 'KL divergence, nats',
    series: (headDim: string) => `d_k = ${headDim}`,
    help: 'Both matter: what a thin head lacks in dimensions it can sometimes make up by larger scores, and sometimes not.',
    waiting: 'Fitting the same pattern at other norms …',
  },

  split: {
    title: 'The same budget: many thin heads or few wide ones',
    about: (dModel: string, parameters: string, heads: string): Inline[] => [
      `This model has d_model = ${dModel}. However it is divided into heads, W_Q and W_K hold ${parameters} numbers in a layer; h heads can attend in h different patterns, each with d_k = ${dModel} / h. The line shows how well each of them could then do `,
      part('lab', 'the pattern above'),
      `. The model was trained with h = ${heads}; at the far right stands h = d_model, heads of a single dimension.`,
    ],
    file: (pattern: string) => `KL divergence of each head against the number of heads: ${pattern}`,
    x: 'heads, h',
    y: 'KL divergence of each, nats',
    series: 'a head of d_model / h dimensions',
    rule: 'd_k = n',
    read: (heads: string, headDim: string) => `${heads} (d_k = ${headDim})`,
    help: 'Left of the thin line d_k is at least n, and the theorem’s bottleneck does not apply to this pattern’s length.',
    honesty: (): Inline[] => [
      'Each head is fitted alone, to the same pattern. A layer adds the outputs of its heads, and layers follow each other; whether many poor patterns serve a model better than few exact ones is not decided here.',
    ],
  },

  theorem: {
    title: 'What the theorem says, and what it does not',
    says: (): Inline[] => [
      link('https://arxiv.org/abs/2002.07028', 'Bhojanapalli et al. 2020'),
      ', Theorem 1, in our words: let n tokens be the columns of X, and P a matrix of positive weights whose columns sum to 1 (the paper’s columns are our rows). If d_k ≥ n, then for every X of full column rank and every P there are W_Q and W_K with which the head’s weights are exactly P. If d_k < n, there exist an X and a P for which there are none.',
    ],
    limits: [
      'It is about existence: below n some pattern is out of reach, not every one. A shift or a permutation needs two dimensions only, if the scores may be large.',
      'It is about one head and one text. The same W_Q and W_K have to serve all texts, which no count of dimensions settles.',
      'It is about being exactly equal. How near one comes with less is another question; the lab asks it.',
      'With d_k = d_model / h it makes h > d_model / n the place where the bottleneck begins. The paper’s proposal is to choose d_k by the length of the texts instead, which costs parameters.',
      'It bounds nothing about the weights’ rank, and says nothing about what training finds.',
    ],
  },

  claims: {
    title: 'Claims about thin and wide heads, and the evidence each has',
    columns: ['claim', 'evidence', 'what a training experiment would have to show'],
    rows: {
      bottleneck: [
        'Thin heads cost quality.',
        'Published comparisons, below: small losses when d_k becomes small. In most of them wider heads also mean more parameters; the tables give single figures without intervals.',
        'The same number of parameters at every h, several seeds, an interval.',
      ],
      many: [
        'Many thin heads make up for few wide ones.',
        'Mixed. Amsel et al. 2024 give a target that one head of full rank computes and that low-rank heads do not, unless there are exponentially many of them; with more layers that changes for short texts. In trained models many heads can be removed (chapter 8’s question).',
        'h against d_k on tasks that need one exact pattern, and on tasks that need many rough ones.',
      ],
      selection: [
        'A narrow head is an information bottleneck: it has to choose what to keep.',
        'An idea more than a finding. That d_k numbers hold less is arithmetic; that what is kept is then chosen better has, as far as we know, not been shown by changing d_k alone. A study of information per head in a speech model (OpenReview, ICLR 2024) was withdrawn.',
        'How much of the input, and of the label, can be read from a head’s output as d_k changes.',
      ],
      noise: [
        'Narrow heads regularise; wide heads fit noise.',
        'We know of no experiment that changes d_k alone and shows it.',
        'Training with wrong labels: does the gap between training and test error close as d_k falls, at equal parameters?',
      ],
    } satisfies Record<ClaimId, readonly [string, string, string]>,
    later: 'The training chapter, once it is there, is to run these experiments in the tab.',
    published: 'As published; nothing of it was measured here.',
    tables: {
      vaswani: {
        columns: ['h × d_k', 'BLEU'],
        note: 'Table 3, English–German, development set. The first five rows keep h · d_k = 512; the last two keep h = 8 and make d_k alone smaller.',
      },
      large: {
        columns: ['h × d_k', 'SQuAD F1', 'MNLI'],
        note: 'Table 1, BERT-large, d_model = 1024 and 336 million parameters in every row.',
      },
      widths: {
        columns: ['h × d_k', 'SQuAD F1', 'MNLI'],
        note: 'Table 2B, d_model = 512. Here parameters grow with d_k.',
      },
    } satisfies Record<PublishedId, { columns: string[]; note: string }>,
  },

  evidence: {
    ranks: 'Ranks of all heads on your text.',
    fit: 'The fitted heads of every d_k for the pattern above.',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    shift: (): Inline[] => [
      'Let a head of two dimensions look at the next token. Then make the norm four times smaller: is it still sharp?',
    ],
    random: (): Inline[] => [
      'Take a random pattern at the same norm. How many dimensions does it need?',
    ],
    fitEvidence: (facts: FitFacts): Inline[] => [
      `d_k = ${facts.headDim}, norm ${facts.norm}: KL divergence `,
      number(facts.divergence),
      ' nats, largest error of a weight ',
      number(facts.largestError),
    ],
    randomEvidence: (facts: FitFacts, needed: string): Inline[] => [
      'with d_k = 2 a KL divergence of ',
      number(facts.divergence),
      ' nats is left; below 0.001 it falls at d_k = ',
      number(needed),
      ` of n = ${facts.tokens}`,
    ],
    long: (): Inline[] => ['Take a longer text. Is the rank of the scores that of the weights?'],
    longEvidence: (facts: RankFacts): Inline[] => [
      `${facts.head}: scores `,
      number(facts.scores),
      ', weights ',
      number(facts.weights),
      `, tokens ${facts.tokens}`,
    ],
  },

  honesty: (): Inline[] => [
    'A rank counts directions that are not nothing; it does not weigh them. Nearly all heads have the full rank that d_k allows, and most of the scores lie in ',
    part('ranks', 'far fewer dimensions'),
    '. Neither number says whether a head with a smaller d_k would have learnt the same: that takes training one.',
  ],

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    matrix: (rows: string, columns: string) => `${rows} × ${columns} numbers`,
    symbols: {
      scores: ['scores', 'One row for each query, one column for each key.'],
      rank: ['rank', 'Of the opened head on your text, up to rounding.'],
      size: ['head dimension', 'Columns of Q and K; in the model.'],
      tokens: ['number of tokens', 'In the model, as many as are looked at.'],
      pattern: ['the pattern', 'Row i says how query i should share out its attention.'],
      divergence: ['divergence', 'Kullback–Leibler: 0 where the weights are those of the pattern.'],
      norm: ['norm', 'What the root mean square of the scores may be at most.'],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      bhojanapalli:
        'The theorem, the name of the bottleneck, and the comparisons of Tables 1 and 2.',
      vaswani: 'Table 3: rows (A) change h at fixed h · d_k, rows (B) make d_k smaller.',
      amsel: 'A target that low-rank heads need exponentially many of, and where depth helps.',
      michel: 'How many heads can be left out.',
      eckart: 'Singular values as the measure of how near a matrix of lower rank comes.',
    },
  },
}

export type RankMessages = typeof rank
