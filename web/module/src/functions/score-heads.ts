// How much heads follow a pattern of attention, over one sequence or a list. Needs no WebAssembly.
import { invalidArgument } from '../errors.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import { describe } from '../validate/describe.js'
import { nearNames } from '../validate/near-names.js'
import { checkBoolean, checkChoice, checkOptions } from '../validate/options.js'
import { checkTensor } from '../validate/tensor.js'

/** Patterns by name: what entry (query, key) of the pattern is. */
const patterns = {
  previous_token_head: (query: number, key: number) => (key === query - 1 ? 1 : 0),
  current_token_head: (query: number, key: number) => (key === query ? 1 : 0),
  next_token_head: (query: number, key: number) => (key === query + 1 ? 1 : 0),
  first_token_head: (_query: number, key: number) => (key === 0 ? 1 : 0),
} as const

export type HeadPattern = keyof typeof patterns

export interface ScoreHeadsOptions {
  /**
   * `'mul'` (the default): the share of the weight that lies on the pattern, sum(weights * P) /
   * sum(weights). `'abs'`: 1 - sum |weights - P| / S.
   */
  measure?: 'mul' | 'abs'
  /** Leave out the first key (0 in the weights and in the pattern). */
  excludeBos?: boolean
  /** Leave out the diagonal. */
  excludeCurrentToken?: boolean
}

/** Whether the entry is left out under the options. */
function isExcluded(query: number, key: number, options: ScoreHeadsOptions): boolean {
  if (options.excludeBos === true && key === 0) return true
  return options.excludeCurrentToken === true && query === key
}

function scoreSequence(
  weights: TensorLike,
  entry: (query: number, key: number) => number,
  options: ScoreHeadsOptions,
): Float64Array {
  const [heads = 0, length = 0] = weights.dims
  const scores = new Float64Array(heads)
  for (let head = 0; head < heads; head++) {
    let [onPattern, all, difference] = [0, 0, 0]
    for (let query = 0; query < length; query++) {
      for (let key = 0; key < length; key++) {
        if (isExcluded(query, key, options)) continue
        const weight = weights.data[(head * length + query) * length + key] ?? 0
        const wanted = entry(query, key)
        onPattern += weight * wanted
        all += weight
        difference += Math.abs(weight - wanted)
      }
    }
    const share = all === 0 ? 0 : onPattern / all
    scores[head] = options.measure === 'abs' ? 1 - difference / length : share
  }
  return scores
}

/** [H, S, S], as given or without a leading axis of 1. */
function checkWeights(weights: unknown, argument: string): TensorLike {
  checkTensor(weights, argument)
  const { data, dims } = weights
  const squeezed = dims.length === 4 && dims[0] === 1 ? dims.slice(1) : dims
  if (squeezed.length !== 3 || squeezed[1] !== squeezed[2] || squeezed[1] === 0) {
    throw invalidArgument(argument, 'weights [H, S, S] or [1, H, S, S]', `dims ${describe(dims)}`)
  }
  return { data, dims: squeezed }
}

function entryOf(
  pattern: HeadPattern | TensorLike,
  length: number,
): (query: number, key: number) => number {
  if (typeof pattern === 'string') {
    if (Object.hasOwn(patterns, pattern)) return patterns[pattern]
    throw invalidArgument('pattern', nearNames(pattern, Object.keys(patterns)), `'${pattern}'`)
  }
  checkTensor(pattern, 'pattern')
  const { data, dims } = pattern
  if (dims.length !== 2 || dims[0] !== length || dims[1] !== length) {
    const expected = `a pattern [${length}, ${length}], as the weights`
    throw invalidArgument('pattern', expected, `dims ${describe(dims)}`)
  }
  return (query, key) => data[query * length + key] ?? 0
}

/**
 * One score per head, [H]: how much its weights follow a pattern. Over a list of sequences it is
 * the mean of their scores, each with the same options. The inputs stay as they are.
 *
 * @example
 * ```js
 * import { scoreHeads } from 'headwise'
 *
 * const weights = { data: Float32Array.of(1, 0, 1, 0), dims: [1, 2, 2] } // all on the first token
 * const { data } = scoreHeads(weights, 'first_token_head')
 * console.log(data[0]) // 1
 * ```
 *
 * @param weights [H, S, S], or a list of such tensors, S differing
 * @param pattern a name, or a tensor [S, S]; with a list of weights also a list of tensors
 */
export function scoreHeads(
  weights: TensorLike | readonly TensorLike[],
  pattern: HeadPattern | TensorLike | readonly TensorLike[],
  options: ScoreHeadsOptions = {},
): Tensor {
  checkOptions(options, 'options', ['measure', 'excludeBos', 'excludeCurrentToken'])
  checkChoice(options.measure, 'measure', ['mul', 'abs'])
  checkBoolean(options.excludeBos, 'excludeBos')
  checkBoolean(options.excludeCurrentToken, 'excludeCurrentToken')
  const list = Array.isArray(weights) ? (weights as readonly unknown[]) : [weights]
  const sequences = list.map((one, index) =>
    checkWeights(one, list.length === 1 ? 'weights' : `weights[${index}]`),
  )
  const heads = sequences[0]?.dims[0]
  if (heads === undefined) throw invalidArgument('weights', 'at least one sequence', 'none')
  const mean = new Float64Array(heads)
  sequences.forEach((sequence, index) => {
    if (sequence.dims[0] !== heads) {
      throw invalidArgument(`weights[${index}]`, `${heads} heads`, `${sequence.dims[0]} heads`)
    }
    const own = Array.isArray(pattern) ? (pattern as readonly TensorLike[])[index] : pattern
    const entry = entryOf(own as HeadPattern | TensorLike, sequence.dims[1] ?? 0)
    scoreSequence(sequence, entry, options).forEach((score, head) => {
      mean[head] = (mean[head] ?? 0) + score / sequences.length
    })
  })
  return { type: 'float32', data: Float32Array.from(mean), dims: [heads] }
}
