// Generating text.

/** What is left out is as the model's {@link GenerationDefaults} say, if it has any. */
export interface GenerateOptions {
  /** The most tokens to add; else 64. The model's longest sequence is a limit too. */
  maxTokens?: number
  /**
   * 0, else the default, always takes the likeliest token. Else logits are divided by it: 1 samples from
   * the model's own distribution, less keeps closer to the likeliest.
   */
  temperature?: number
  /** Sample from this many likeliest tokens. */
  topK?: number
  /** Sample from the fewest likeliest tokens whose probabilities sum to at least this. */
  topP?: number
  /** The same seed gives the same text; 0 by default. */
  seed?: number
  /** A text, or texts, at which to end: the one that is complete first. They are in no part. */
  stop?: string | readonly string[]
  /**
   * What the decoder of an encoder-decoder has written already: it goes on behind these ids. By
   * default what its output begins with.
   */
  decoderIds?: readonly number[] | Int32Array
  /** How many of the likeliest tokens each part tells; none by default. */
  candidates?: number
  /**
   * false: keep no keys and values of earlier tokens, and compute the whole text anew for each token.
   * The same text, more slowly: to see what the cache saves.
   */
  cache?: boolean
  signal?: AbortSignal
}

/** A token that could come next. */
export interface Candidate {
  readonly id: number
  /** As the vocabulary writes it. */
  readonly token: string
  /** The model's own probability, 0..1: softmax of the logits, without what is never chosen. */
  readonly probability: number
  /** The probability with which it is drawn, 0..1, after temperature, top-k and top-p. */
  readonly drawn: number
}

/** One token that `generate` has added. */
export interface GeneratedPart {
  readonly id: number
  /**
   * The text that is certain with it: empty inside a character of several tokens, and while a stop
   * text may have begun. The parts' texts make the whole text.
   */
  readonly text: string
  /**
   * Of the last part why it is the last: an end token (whose id it has), a stop text, or as many
   * tokens as may be.
   */
  readonly finished?: 'end' | 'stop' | 'length'
  /** The likeliest tokens of this step, likeliest first, with the option `candidates`. */
  readonly candidates?: readonly Candidate[]
  /** How long the model computed for this token, with the option `candidates`. */
  readonly milliseconds?: number
}
