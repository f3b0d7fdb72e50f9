// What a realm must know of each kind of case: its inputs, and what of an output is sent back to be
// verified.

import { inputsOf, rowsOf } from './attention.js'
import { hiddenSummary } from './encoder.js'

const attention = { inputsOf, summaryOf: rowsOf }

export const kinds = {
  attention,
  block: attention,
  decode: attention,
  /** token ids -> last hidden state [tokens, width] */
  encode: { inputsOf: () => ({}), summaryOf: hiddenSummary },
  /** a text -> its vector [width] */
  embed: { inputsOf: () => ({}), summaryOf: (shape, vector) => [...vector] },
  /** a prompt -> its first token; a text -> one more token: whether it was right */
  prompt: { inputsOf: () => ({}), summaryOf: (shape, right) => right },
  token: { inputsOf: () => ({}), summaryOf: (shape, right) => right },
  /** sentences -> what their heads do */
  heads: { inputsOf: () => ({}), summaryOf: () => [] },
}
