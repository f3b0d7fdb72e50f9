// Texts as tokens.
import type { CallOptions, Mode, Reply } from './runtime.js'

/** Where a token stands in the text as typed, in UTF-16 units: text.slice(start, end). */
export type TokenSpan = readonly [start: number, end: number]

export interface Encoding {
  readonly ids: readonly number[]
  readonly tokens: readonly string[]
  /**
   * One per token, into the text that `typeIds` names; null for tokens that are not of the text, such
   * as [CLS]. Tokens that are parts of one character share its span; others never overlap.
   */
  readonly spans: readonly (TokenSpan | null)[]
  /** 0 for the first text, 1 for the second. */
  readonly typeIds: readonly number[]
}

export interface TokenizerOf<M extends Mode> {
  /**
   * The tokens of a text, or of a pair of texts, with the special tokens the model wants. An abort
   * ends patterns of a tokenizer that never do, as in {@link LoadModelOptions.signal}.
   */
  encode(text: string, pair?: string, options?: Pick<CallOptions, 'signal'>): Reply<M, Encoding>
}
