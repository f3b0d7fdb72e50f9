// Chapter 6 in English. Its type is the contract for the other language.
import { key, number, part, query, term, type Inline } from '../../i18n/inline'
import type { Comparison, HeadSpace } from '../../state/subspacesView'
import type { EndId } from './compute'

/** Two tokens in the two spaces, in numbers ready to be set. */
export interface PairFacts {
  head: string
  layer: string
  space: HeadSpace
  first: string
  second: string
  model: string
  inHead: string
  modelCosine: string
  headCosine: string
}

const spaceNames: Record<HeadSpace, string> = { query: 'queries', key: 'keys' }

export const subspaces = {
  title: (first: string, second: string): Inline[] => [
    'How near are ',
    query(first),
    ' and ',
    key(second),
    '?',
  ],
  windowTitle: 'Subspaces',

  answer: (facts: PairFacts): Inline[] => [
    'In ',
    part('modelspace', `what layer ${facts.layer} reads`),
    ' they lie ',
    number(facts.model),
    ' times as far apart as two words of this sentence on average (cosine ',
    number(facts.modelCosine),
    '); among ',
    part('headspace', `the ${spaceNames[facts.space]} of ${facts.head}`),
    ' ',
    number(facts.inHead),
    ' times (cosine ',
    number(facts.headCosine),
    ').',
  ],
  answerWaiting: 'The distances stand here as soon as all layers have arrived.',
  answerFew: 'It takes two words to have a distance.',
  failed: 'This could not be computed:',

  shadow: (headDim: string, dModel: string): Inline[] => [
    `Every head reads the same ${dModel} numbers of a token, and keeps ${headDim} of its own making: x W_Q and x W_K. Its `,
    term('subspace'),
    ' is what it keeps. Two words that differ only outside of it are the same word to this head, so what is far for the model can be near in a head, and ',
    part('pairs', 'the other way round'),
    '.',
  ],
  planes: (): Inline[] => [
    'A plane shows the first two ',
    term('principal components'),
    ': the two directions in which the tokens of this sentence differ most. It is a part of the picture, and the share above each plane says how large a part. The distances in numbers are those of all dimensions.',
  ],

  parts: {
    spaces: 'Two spaces',
    pairs: 'Pairs that move',
    map: 'All heads compared',
    angles: 'Two heads compared',
    tries: 'Things to try',
    formula: 'The formula',
    sources: 'Sources',
  },

  controls: {
    title: 'What is shown',
    layer: 'Layer',
    head: 'Head',
    space: 'Vectors of the head',
    spaces: { query: 'Queries', key: 'Keys' } satisfies Record<HeadSpace, string>,
  },

  spaces: {
    title: 'The same tokens in two spaces',
    model: (layer: string, dModel: string) => `What layer ${layer} reads, ${dModel} dimensions`,
    head: (head: string, space: HeadSpace, headDim: string) =>
      `${space === 'query' ? 'Queries' : 'Keys'} of ${head}, ${headDim} dimensions`,
    shares: (share: string) => `${share} of the variance`,
    label: (name: string) => `${name}. Arrow keys go from token to token, Enter chooses one.`,
    help: 'Point at a token to see it in both. A click makes it the one that is compared (square); the first (dot) is chosen in the text above.',
    fileTitle: 'Tokens in the model’s space and in a head’s',
    columns: ['token', 'model 1', 'model 2', 'head 1', 'head 2'],
    waiting: 'Computing the two planes …',
  },

  pairs: {
    title: 'Pairs that move most',
    nearer: 'Far for the model, near in the head',
    farther: 'Near for the model, far in the head',
    columns: ['pair', 'distance, model', 'distance, head', 'cosine, model', 'cosine, head'],
    chosen: 'Compared now',
    show: (first: string, second: string) => `Compare ${first} and ${second}`,
    help: 'Distances in units of the mean distance of all pairs of words in the same space. Cosines are between the vectors as they are. Special tokens are left out.',
    none: 'With two words there is one pair, and nothing to compare it with.',
    caption: 'Every pair of words in both spaces',
  },

  map: {
    title: 'How alike are all the heads?',
    compare: 'Compared by',
    comparisons: {
      cka: 'outputs (CKA)',
      debiased: 'outputs, debiased',
      query: 'what W_Q reads',
      key: 'what W_K reads',
    } satisfies Record<Comparison, string>,
    about: {
      cka: 'Linear CKA of what two heads hand on for the tokens of this sentence, before W_O: 1 where one is the other turned and scaled, 0 where they are uncorrelated.',
      debiased:
        'The same by an estimate that is about 0 for noise, however few tokens there are. What is below 0 has the colour of 0.',
      query:
        'Mean squared cosine of the principal angles between the subspaces that two W_Q read: 1 for the same subspace, 0 for orthogonal ones. It depends on the weights alone, not on the sentence.',
      key: 'Mean squared cosine of the principal angles between the subspaces that two W_K read: 1 for the same subspace, 0 for orthogonal ones. It depends on the weights alone, not on the sentence.',
    } satisfies Record<Comparison, string>,
    label:
      'All heads compared with all heads; rows and columns are heads, layer by layer. Arrow keys move, Enter opens the head of the row beside that of the column.',
    fileTitle: 'How alike all heads are',
    readout: (first: string, second: string) => `${first} and ${second}`,
    waiting: 'Comparing all heads …',
    few: 'The debiased estimate needs four tokens.',
    caption: (name: string) => `The heads most like ${name}`,
    columns: ['head', 'alike'],
  },

  angles: {
    title: (first: string, second: string) => `${first} and ${second}`,
    chart: (space: HeadSpace) =>
      `Principal angles between what W_${space === 'query' ? 'Q' : 'K'} of the two heads reads`,
    number: 'number of the angle',
    degrees: 'angle',
    reads: {
      same: 'with itself',
      apart: 'with nothing in common',
      chance: 'with a random subspace',
    } satisfies Record<EndId, string>,
    ends: 'The ends of the scale',
    endsAbout:
      'Heads made for this purpose out of the opened one, measured just now by the same code.',
    columns: ['the opened head and', 'CKA', 'debiased', 'smallest angle', 'largest angle'],
    made: {
      same: 'itself, turned and doubled',
      apart: 'one with nothing in common',
      chance: 'chance: tokens shuffled, random W',
    } satisfies Record<EndId, string>,
    fileTitle: 'Principal angles between two heads',
    waiting: 'Comparing the two heads …',
    few: 'too few tokens',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    moved: (): Inline[] => [
      'Take the pair that comes nearest to each other in this head. What could the two words have in common?',
    ],
    movedEvidence: (facts: PairFacts): Inline[] => [
      query(facts.first),
      ' and ',
      key(facts.second),
      ': ',
      number(facts.model),
      ' of the mean distance for the model, ',
      number(facts.inHead),
      ' in the head',
    ],
    alike: (): Inline[] => [
      'Open the two heads whose outputs are most alike on this sentence. Do they also read the same subspace?',
    ],
    alikeEvidence: (first: string, second: string, cka: string, overlap: string): Inline[] => [
      `${first} and ${second}: CKA `,
      number(cka),
      '; mean squared cosine of the angles between what they read ',
      number(overlap),
    ],
    chance: (): Inline[] => [
      'Compare by the debiased estimate. How much of the likeness was only a matter of few tokens?',
    ],
    chanceEvidence: (plain: string, debiased: string): Inline[] => [
      'with its tokens shuffled, a head has CKA ',
      number(plain),
      ' with this one; debiased, ',
      number(debiased),
    ],
  },

  honesty: (tokens: string): Inline[] => [
    `All of it is measured on ${tokens} tokens of one text. Near in a head means that this head treats two words alike as queries or as keys there; why, it does not say. `,
    part('redundancy', 'Alike outputs'),
    ' on one sentence do not make a head superfluous: that takes switching it off and measuring what is lost.',
  ],

  formula: {
    title: 'The formula',
    help: 'Choose a symbol to see what it is, and what it is now.',
    now: 'now',
    symbols: {
      point: ['token i in the plane', 'Two numbers: where the dot stands.'],
      component: [
        'the two principal components',
        'The first two right singular vectors of the centred vectors.',
      ],
      vector: ['the vector of token i', 'Of the model or of the head.'],
      mean: ['the mean vector', 'Of all tokens of the text.'],
      angle: [
        'the m-th principal angle',
        '0° where the subspaces share a direction, 90° where they are orthogonal.',
      ],
      singular: ['the m-th singular value', 'Of the product of the two bases.'],
      basis: ['orthonormal bases', 'Of the columns of W_Q (or W_K) of heads a and b.'],
      alignment: ['linear CKA', 'From 0, uncorrelated, to 1, alike up to turning and scaling.'],
      outputs: ['outputs of heads a and b', 'One row for each token, less the mean row.'],
    },
    matrix: (rows: string, columns: string) => `${rows} × ${columns} numbers`,
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani: 'Several heads attend to “different representation subspaces”.',
      pearson: 'Principal components.',
      bjorck: 'Principal angles from singular values.',
      kornblith: 'Linear CKA, to compare what networks represent.',
      song: 'The estimate without bias, HSIC₁.',
      michel: 'How many heads can be left out, measured by leaving them out.',
    },
  },
}

export type SubspacesMessages = typeof subspaces
