// What chapter 8 says of each model: its task, what it is measured on, what counts as right.
import { number, part, term, type Inline } from '../../i18n/inline'
import type { ModelName } from '../../runtime/models.svelte'

/** The loss with all heads, ready to be set. */
export interface WholeFacts {
  set: string
  before: string
  accuracy: string
  /** Share of sentences translated as one of the answers; empty for other models. */
  match: string
  /** Bits for each byte of text; empty for other models. */
  bits: string
}

export interface SubjectWords {
  /** What the model was trained for, and so what the loss is. */
  objective: readonly Inline[]
  answerAll: (facts: WholeFacts) => readonly Inline[]
  /** What is measured on, in the lab and from a file: `200 pairs`. */
  set: (count: string) => string
  own: (count: string) => string
  sets: { own: string; file: string }
  open: string
  /** What a file has to look like. */
  file: string
  /** Head of the column of what is right, and what it is. */
  right: string
  about: string
  first: readonly Inline[]
  one: readonly Inline[]
  wrong: readonly Inline[]
}

const masked =
  ' A head is switched off before W_O: what it would hand on is replaced by zeros, by its mean, by noise, or comes from other tokens.'

export const subjects: Readonly<Record<ModelName, SubjectWords>> = {
  'minilm-l6': {
    objective: [
      'Whether a head matters shows when it is gone. The model was trained to put sentences that mean the same close together; its ',
      term('loss'),
      ` here is exactly that task: among the second sentences of all pairs, how surely does it find the partner of the first?${masked}`,
    ],
    answerAll: (facts) => [
      `With all heads the model finds the right one of the partners of ${facts.set} in `,
      number(facts.accuracy),
      ' of the cases; its loss is ',
      number(facts.before),
      '. ',
      part('switches', 'Switch heads off'),
      ' and see what it costs.',
    ],
    set: (count) => `${count} pairs`,
    own: (count) =>
      `${count} pairs of sentences with the same meaning, written for this page; they stand in groups on one topic that differ in a negation, in who does what, or in a detail.`,
    sets: { own: 'the lab’s pairs', file: 'your file' },
    open: 'Open pairs of sentences',
    file: 'A text file, one pair on a line with a tab between the two. Or drop it here. It stays in this tab.',
    right: 'Found at once',
    about:
      'Found at once: the share of first sentences whose partner is the nearest of all. Losses depend on how many pairs there are.',
    one: ['Head 5.11 marks the main noun for every token. Switch it off. Is it missed?'],
    first: ['Switch off all heads of layer 0. Can the model do without its first looks?'],
    wrong: [
      'Let head 3.1 go wrong instead of silent: noise on its output. Do the others make good for it?',
    ],
  },
  'translate-en-fr': {
    objective: [
      'Whether a head matters shows when it is gone. The translator was trained to write the next French token, given the English sentence and the French before it; its ',
      term('loss'),
      ` here is exactly that task: how surely does it expect each token of a right translation?${masked}`,
    ],
    answerAll: (facts) => [
      `With all heads the translator’s loss on ${facts.set} is `,
      number(facts.before),
      ' for each token; it writes one of the accepted translations word for word in ',
      number(facts.match),
      ' of the sentences. ',
      part('switches', 'Switch heads off'),
      ' and see what it costs.',
    ],
    set: (count) => `${count} translations`,
    own: (count) =>
      `${count} English sentences with one or more French translations, written for this page; none of the English sentences is in the translator’s training data.`,
    sets: { own: 'the lab’s translations', file: 'your file' },
    open: 'Open sentences with their translations',
    file: 'A text file: on each line an English sentence, a tab, its French translation; further right translations behind more tabs. Or drop it here. It stays in this tab.',
    right: 'Tokens foretold',
    about:
      'Tokens foretold: the share of the French tokens that the model expects most, given the right ones before them. Translated: the share of sentences for which the model by itself (always the likeliest token) writes one of the accepted translations word for word.',
    one: [
      'Switch off one head with which the decoder reads the English sentence. Does the translation suffer?',
    ],
    first: ['Switch off all heads of the encoder’s first layer. What is left of the translation?'],
    wrong: ['Let a head of the decoder go wrong instead of silent: noise on its output.'],
  },
  'novels-lm': {
    objective: [
      'Whether a head matters shows when it is gone. The language model was trained to expect the next token of a novel; its ',
      term('loss'),
      ` here is exactly that task, on passages that it has not read.${masked}`,
    ],
    answerAll: (facts) => [
      `With all heads the language model’s loss on ${facts.set} is `,
      number(facts.before),
      ' for each token, ',
      number(facts.bits),
      ' bits for each byte of text; of all tokens it foretells ',
      number(facts.accuracy),
      '. ',
      part('switches', 'Switch heads off'),
      ' and see what it costs.',
    ],
    set: (count) => `${count} passages`,
    own: (count) => `${count} short passages in the manner of old novels, written for this page.`,
    sets: { own: 'the lab’s passages', file: 'your text' },
    open: 'Open a text',
    file: 'A text file in English: each line is a passage, or each paragraph where empty lines stand between them. Or drop it here. It stays in this tab.',
    right: 'Tokens foretold',
    about: 'Tokens foretold: the share of tokens that the model expects most, given those before.',
    one: ['Switch off one head of the first layer. Is it missed?'],
    first: ['Switch off all heads of layer 0. Can the model do without its first looks?'],
    wrong: [
      'Let head 3.1 go wrong instead of silent: noise on its output. Do the others make good for it?',
    ],
  },
}
