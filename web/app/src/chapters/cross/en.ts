// Chapter 12 in English. Its type is the contract for the other language.
import { key, link, number, part, query, term, type Inline } from '../../i18n/inline'
import type { ExampleId } from './examples'
import type { PlaceId } from './translator'

/** What the answer speaks of. */
export interface StepFacts {
  step: string
  read: string
  written: string
  head: string
  english: string
  share: string
  /** How many tokens the row of the decoder's own attention has before it. */
  before: string
}

/** What single heads disagree on. */
export interface DisputeFacts {
  /** Words that not all heads join alike, of so many. */
  disputed: number
  words: number
  /** The one with the most answers, and how many heads gave each of them. */
  french: string
  votes: string
}

/** The translator, in numbers from its configuration. */
export interface TranslatorFacts {
  parameters: string
  layers: string
  heads: string
  vocabulary: string
}

const onePlace = (place: number, all: number): string => `step ${String(place)} of ${String(all)}`

export const cross = {
  title: (): Inline[] => ['Who looks at whom: the sentence, its past, another sentence?'],
  windowTitle: 'Self, causal, cross',

  answer: (facts: StepFacts): Inline[] => [
    `In step ${facts.step} the decoder reads `,
    key(facts.read),
    ' and writes ',
    query(facts.written),
    '. ',
    part('crossmap', `Cross-attention head ${facts.head}`),
    ' then has most of its weight on ',
    key(facts.english),
    ': ',
    number(facts.share),
    '.',
  ],
  answerWaiting: (): Inline[] => ['The translator is being fetched, and then translates …'],

  same: (): Inline[] => [
    'A transformer that translates calls attention in ',
    part('origins', 'three places'),
    '. The encoder lets every word of the English sentence look at every other one (',
    term('self-attention'),
    '). The decoder writes French and looks at what it has written, never ahead (',
    term('causal self-attention'),
    '). And from every French word it looks at the English ones (',
    term('cross-attention'),
    '). The operation is the same. What differs is where queries, keys and values come from, and what a mask hides.',
  ],
  translation: (): Inline[] => [
    'So the three maps have different shapes: ',
    part('selfmap', 'a square'),
    ', ',
    part('causalmap', 'a triangle'),
    ' and ',
    part('crossmap', 'a rectangle'),
    '. French comes ',
    part('decoding', 'one token a step'),
    ', and each step adds a row. Read along the rows of the rectangle, cross-attention gives something like ',
    part('alignment', 'an alignment of words'),
    ', which is what attention was invented for.',
  ],

  parts: {
    decoding: 'Step by step',
    maps: 'Three maps',
    origins: 'Where Q, K, V come from',
    alignment: 'Alignment',
    tries: 'Things to try',
    limits: 'What it cannot do',
    next: 'Next word',
    times: 'With and without the cache',
    formula: 'The formula',
    sources: 'Sources',
  },

  translator: 'The translator, English to French',

  text: {
    examples: 'Examples',
    empty: 'No text: the encoder sees the closing token only, and the decoder makes something up.',
    cut: (used: number, left: number) =>
      `The translator takes ${String(used)} tokens at most; ${String(left)} at the end are left out.`,
    korean:
      'The translator has seen English only. Korean letters are not in its vocabulary: what it writes then has nothing to do with your text.',
    unknown: (count: number) =>
      count === 1
        ? '<unk> stands for a piece that is not in the vocabulary: it has no content.'
        : `${String(count)} times <unk>: pieces that are not in the vocabulary have no content.`,
  },

  examples: {
    order: { shows: 'The adjective moves behind its noun', gloss: '' },
    negation: { shows: 'One not becomes two words around the verb', gloss: '' },
    object: { shows: 'The pronoun moves in front of the verb', gloss: '' },
    question: { shows: 'A question, and an article with a gender', gloss: '' },
    you: { shows: 'You is tu or vous: look at the candidates', gloss: '' },
    gender: { shows: 'French makes the adjective agree with the sister', gloss: '' },
    cat: { shows: 'The sentence of chapter 1: longer than what it knows well', gloss: '' },
    limits: { shows: 'Words from another world than its training', gloss: '' },
  } satisfies Record<ExampleId, { shows: string; gloss: string }>,

  decoding: {
    title: 'Step by step',
    search: 'How the next token is found',
    greedy: 'greedy',
    beams: (width: number) => `${String(width)} beams`,
    start: 'the start token',
    waiting: 'The translation appears here.',
    cut: (length: number) =>
      `It did not come to an end within ${String(length)} tokens, and was cut there.`,
    player: {
      label: 'Steps of the translation',
      first: 'To the first',
      back: 'One step back',
      forward: 'One step on',
      play: 'Play',
      pause: 'Pause',
    },
    place: onePlace,
    cancel: 'Stop writing',
    goOn: 'Go on',
    undo: 'Back to the model’s own choice',
    said: (step: number, read: string, written: string): Inline[] => [
      `Step ${String(step)}: the last token read is `,
      key(read),
      '; written was ',
      query(written),
      '. Take another one, and the rest is written anew:',
    ],
    candidates: 'What could be written in this step, with its probability',
    rest: (count: number) => `The ${String(count)} likeliest tokens of the whole vocabulary.`,
    columns: ['token', 'probability'],
    found: 'What the beams found',
    score: (score: string, each: string) =>
      `${score} per token, ${each} each on (geometric) average`,
    scoreHelp:
      'Beams keep the most probable beginnings instead of one; finished texts are compared by their mean log-probability per token.',
    help: 'Underlined: your choices. Dashed: steps after the one that is looked at.',
    fileTitle: 'Candidates of a step',
  },

  maps: {
    title: 'Three maps of one head',
    names: {
      encoder: 'Encoder: self-attention',
      decoder: 'Decoder: causal self-attention',
      cross: 'Cross-attention',
    } satisfies Record<PlaceId, string>,
    about: {
      encoder: 'English looks at English, in both directions.',
      decoder: 'French looks at the French so far. The future is barred: exactly 0.',
      cross: 'French looks at English. Neither side is masked.',
    } satisfies Record<PlaceId, string>,
    start: '⟨start⟩',
    masked: 'masked',
    maskHelp: 'Strokes: barred by the mask.',
    waiting: 'Drawn when the translation is complete.',
    caption: (title: string, name: string) =>
      `${title}, head ${name}. Rows are queries, columns keys`,
    label: (title: string, name: string) =>
      `${title}, head ${name}: rows are queries, columns keys. Arrow keys move, Enter chooses the row.`,
    corner: 'query',
    sum: 'sum',
    rows: 'Rows of the two decoder maps are steps and carry the token that is written in them; the query is made from the token before, the last one that the step has read. Faint rows come after the step that is looked at. Layers and heads are counted from 0; encoder and decoder have heads of their own under the same number.',
  },

  origins: {
    heading: 'Where Q, K and V come from',
    title: 'The same operation called three ways',
    label:
      'Three drawings. Encoder: queries, keys and values from the English tokens. Decoder: all three from the French tokens so far, with a mask. Cross-attention: queries from the French tokens, keys and values from the English ones.',
    source: 'English tokens',
    written: 'French so far',
    weights: (rows: number, columns: number) => `${String(rows)} × ${String(columns)} weights`,
    masked: 'mask: no later tokens',
    open: 'no mask',
    columns: ['call', 'queries from', 'keys and values from', 'weights', 'mask'],
    help: 'Numbers: tokens of the sentence, and tokens read in the step that is looked at.',
  },

  alignment: {
    title: 'Alignment: which English word belongs to which French one?',
    which: 'Whose weights join the words',
    joins: {
      head: (name: string) => `head ${name}`,
      layer: (name: string) => `mean of layer ${name.replace(/\..*/, '')}`,
      all: () => 'mean of all heads',
    },
    english: 'English',
    french: 'French',
    waiting: 'Drawn when the translation is complete.',
    label: (title: string) => `${title}. The table has the same as numbers.`,
    fileTitle: (joins: string) =>
      `Each French word joined to the English word with the most weight: ${joins}`,
    columns: (heads: number) => ['French', 'English', 'weight', `votes of ${String(heads)} heads`],
    agree: 'Words that each head joins in the same way',
    agreeing: (name: string, share: string) =>
      `Head ${name}: ${share} of the words joined the same way`,
    agreeHelp: 'A click shows the head.',
    disagree: (facts: DisputeFacts | null, heads: number): Inline[] =>
      facts === null
        ? [`All ${String(heads)} heads join every word in the same way.`]
        : [
            `Single heads disagree about ${String(facts.disputed)} of ${String(facts.words)} words. For `,
            query(facts.french),
            ', most of them choose ',
            number(facts.votes),
            '. A head is no aligner: some look at the full stop or at the closing token whatever is written.',
          ],
    help: 'Pieces of a word: weights to them are summed, weights from them averaged. The closing token takes part in no pair, but keeps its weight.',
  },

  tries: {
    title: 'Things to try',
    now: 'Now:',
    order: (): Inline[] => [
      'Translate ',
      key('a red car'),
      ' and take the mean of all heads. In French the colour stands behind the car. Do the lines cross?',
    ],
    orderEvidence: (crossed: number, words: number): Inline[] => [
      number(String(crossed)),
      ` pairs of lines cross, among ${String(words)} joined words.`,
    ],
    other: (): Inline[] => [
      'Take the second candidate of the first step. Does the rest follow, or does the sentence break?',
    ],
    otherEvidence: (token: string, probability: string, text: string): Inline[] => [
      query(token),
      ' had probability ',
      number(probability),
      `. Now it reads: ${text}`,
    ],
    first: (): Inline[] => [
      'Go to the first step. In the triangle its row has one cell only. What can its weight be?',
    ],
    firstEvidence: (weight: string, rest: string): Inline[] => [
      'weight on the start token ',
      number(weight),
      ', on all that comes later ',
      number(rest),
      '. With one key softmax has no choice.',
    ],
  },

  limits: {
    title: 'What this translator cannot do',
    text: (facts: TranslatorFacts | null): Inline[] => [
      ...(facts
        ? [
            `It is tiny: ${facts.parameters} parameters, ${facts.layers} layers, ${facts.heads} heads in each attention, a vocabulary of ${facts.vocabulary} pieces. `,
          ]
        : []),
      'It was trained for this page, on two processor cores, with the short everyday sentences of Tatoeba: three to fifteen words, much ',
      key('I'),
      ', ',
      key('you'),
      ' and ',
      key('Tom'),
      '. It has no idea of long sentences, of names and subjects outside them, of literature or law; there it writes fluent French that means something else, and does not say so. Nobody should rely on it. The ',
      link('models/translate-en-fr/README.md', 'model card'),
      ' has the measurements.',
    ],
  },

  next: {
    title: 'Next word: only a decoder',
    about: (): Inline[] => [
      'Take encoder and cross-attention away, and what is left is a language model: causal self-attention that goes on with a text. At each step it gives every token a probability; temperature, top-k and top-p bend that distribution, and one token is drawn. This one has read English novels up to 1922 and nothing else.',
    ],
    model: 'The language model',
    prompt: 'Beginning of the text',
    temperature: 'temperature',
    seed: 'seed',
    another: 'Draw again',
    length: 'tokens',
    all: 'all',
    cache: 'Keys and values of earlier tokens',
    cacheOn: 'cache',
    cacheOff: 'no cache',
    end: '⟨end⟩',
    cancel: 'Stop writing',
    goOn: 'Go on',
    player: {
      label: 'Tokens written',
      first: 'To the first',
      back: 'One token back',
      forward: 'One token on',
      play: 'Play',
      pause: 'Pause',
    },
    place: (place: number, all: number) => `token ${String(place)} of ${String(all)}`,
    said: (place: number, token: string, milliseconds: string): Inline[] => [
      `Token ${String(place)}: drawn was `,
      query(token),
      ', computed in ',
      number(`${milliseconds} ms`),
      '.',
    ],
    before: 'the model’s own probability',
    after: 'with which it is drawn: after temperature, top-k, top-p',
    greedy: 'temperature 0: always the likeliest',
    candidates: 'The likeliest next tokens, before and after',
    columns: ['token', 'model', 'drawn'],
    help: '␣ stands for a space, ⏎ for a new line. The same seed gives the same text.',
    fileTitle: 'Candidates of the next token',
    times: {
      title: 'What the cache saves',
      fileTitle: 'Time for each token, with keys and values kept and without',
      x: 'token',
      y: 'ms',
      kept: 'cache',
      anew: 'no cache',
      waiting: 'Appears while the model writes.',
      means: (kept: string, anew: string) =>
        kept !== '' && anew !== ''
          ? `Mean behind the first token, on this device just now: ${kept} ms with the cache, ${anew} ms without. The text is the same.`
          : 'The first token reads the whole beginning. Switch the cache to see the other line: the text stays the same.',
    },
  },

  honesty: (): Inline[] => [
    'An alignment read off a head is an observation about its weights, not about what the model needs: a head may look at a word that changes nothing, and what a word hands over has been mixed with its neighbours by the encoder already. Chapter 8 switches heads off to find out what they are needed for.',
  ],

  formula: {
    title: 'The formula, three times',
    help: 'Choose a symbol to see what it means and its value now.',
    now: 'now',
    tokens: (length: number) => (length === 1 ? '1 token' : `${String(length)} tokens`),
    symbols: {
      x: ['English tokens in the encoder', 'Queries, keys and values are all made from them.'],
      y: ['French tokens so far', 'What the decoder has read up to this step.'],
      memory: [
        'English tokens as the encoder leaves them',
        'Keys and values of cross-attention: computed once, used in every step.',
      ],
      mask: [
        'the causal mask',
        '0 where a token may be seen, −∞ for every later one: its weight is exactly 0.',
      ],
      width: ['scale', 'The root of the head dimension d_k.'],
      chance: ['probability with which token i is drawn', 'After temperature, top-k and top-p.'],
      logit: ['logit of token i', 'What the model gives every token of the vocabulary.'],
      temperature: [
        'temperature',
        'Below 1 the likely becomes likelier; above 1 the distribution flattens.',
      ],
      kept: [
        'the tokens that are kept',
        'All, the k likeliest, or the fewest that reach probability p.',
      ],
    },
  },

  sources: {
    title: 'Sources',
    about: {
      vaswani: 'encoder, decoder and the three places of attention.',
      bahdanau: 'attention as a soft alignment between two sentences: where it began.',
      clark: 'weights between words out of weights between pieces.',
      jain: 'why weights alone explain little.',
      wu: 'beams, and comparing finished texts of different lengths.',
      fan: 'drawing from the k likeliest tokens.',
      holtzman: 'drawing from the fewest tokens that reach probability p.',
    },
  },
}

export type CrossMessages = typeof cross
