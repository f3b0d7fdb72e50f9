// Sentences with their words and, where somebody has annotated them, their dependency trees.
import type { TokenSpan } from './tokens.js'

/** A word of a sentence, after Universal Dependencies. */
export interface TreebankWord {
  readonly form: string
  /** The word it depends on, an index into the sentence's words; -1 for the root or without a tree. */
  readonly head: number
  /** Its relation to that word, subtype included (`'nmod:poss'`); `''` without a tree. */
  readonly relation: string
  /** Universal part of speech (`'NOUN'`); `''` where there is none. */
  readonly tag: string
  /** Where it stands in the sentence's text, in UTF-16 units. */
  readonly span: TokenSpan
  /** The column MISC as it stands in the file; `''` where it is empty. */
  readonly misc: string
}

export interface TreebankSentence {
  /** The sentence as written: what a model is given. */
  readonly text: string
  /** Syntactic words: those of a contraction (`don't`) singly, none for an empty node. */
  readonly words: readonly TreebankWord[]
  /** Lines before the sentence that begin with `#`, without it: `'sent_id = 12'`. */
  readonly comments: readonly string[]
  /** The comment `sent_id`. */
  readonly id?: string
  /** Line of the file on which it begins, counted from 1. */
  readonly line: number
}

export interface Treebank {
  readonly sentences: readonly TreebankSentence[]
  /** Words of all sentences. */
  readonly words: number
}
