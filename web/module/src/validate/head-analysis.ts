// The arguments of the analyses of heads: what only JavaScript can get wrong.
import { invalidArgument } from '../errors.js'
import { attentionsOf } from '../model/attentions.js'
import type {
  HeadImportanceOptions,
  ModelLossOptions,
  PruningOptions,
} from '../types/head-importance.js'
import type { AnalysisOptions, CoreferenceOptions, HeadRolesOptions } from '../types/head-roles.js'
import type { ModelConfig } from '../types/model-config.js'
import type { CallOptions } from '../types/runtime.js'
import type { TokenSpan } from '../types/tokens.js'
import { describe } from './describe.js'
import { checkStrings } from './model.js'
import { checkDeviation, checkIntegers, checkSize } from './numbers.js'
import {
  callOptionNames,
  checkBoolean,
  checkCallOptions,
  checkChoice,
  checkFunction,
  checkOptions,
} from './options.js'
import { checkTensor } from './tensor.js'

const analysisNames = ['onProgress', 'onPartial', 'seed', 'resamples', ...callOptionNames]

/** Curves of more points, or of more orders, than anyone could look at are a slip. */
const mostCurves = 65536

/** The options of every analysis, and some of its own: sizes with the least and the most of each. */
function checkAnalysis(
  options: AnalysisOptions<never>,
  sizes: Record<string, readonly [least: number, most?: number]> = {},
  names: readonly string[] = [],
): void {
  checkOptions(options, 'options', [...analysisNames, ...Object.keys(sizes), ...names])
  checkCallOptions(options)
  checkFunction(options.onProgress, 'onProgress')
  checkFunction(options.onPartial, 'onPartial')
  checkSeed(options.seed)
  const given = options as Record<string, unknown>
  for (const [name, bounds] of Object.entries({ ...sizes, resamples: [1] as const })) {
    if (given[name] !== undefined) checkSize(given[name], name, ...bounds)
  }
}

function checkSeed(seed: unknown): void {
  if (seed === undefined || (typeof seed === 'number' && seed >>> 0 === seed)) return
  throw invalidArgument('seed', 'an integer from 0 to 4294967295', describe(seed))
}

/** Within a text of that length, behind `from`. */
function isSpan(value: unknown, length: number, from = 0): value is TokenSpan {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isSafeInteger))
    return false
  const [start, end] = value as [number, number]
  return from <= start && start <= end && end <= length
}

function checkSpan(value: unknown, { length }: string, argument: string): void {
  if (isSpan(value, length)) return
  throw invalidArgument(argument, `[start, end] in the text of ${length}`, describe(value))
}

/** A list of objects with texts; more of each is judged by `check`. */
function checkList(list: unknown, argument: string, check: (item: never, name: string) => void) {
  if (!Array.isArray(list)) throw invalidArgument(argument, 'an array', describe(list))
  if (list.length === 0) throw invalidArgument(argument, 'at least one', 'none')
  // By index, for `forEach` passes over holes.
  for (const [i, item] of list.entries()) check(Object(item) as never, `${argument}[${i}]`)
}

function checkText(text: unknown, argument: string): asserts text is string {
  if (typeof text !== 'string') throw invalidArgument(argument, 'a string', describe(text))
}

export function checkHeadRoles(sentences: unknown, options: HeadRolesOptions): void {
  checkList(sentences, 'sentences', checkSentence)
  const sizes = { minWords: [0], maxWords: [1], maxTokens: [1] } as const
  checkAnalysis(options, sizes, ['predictions'])
  checkBoolean(options.predictions, 'predictions')
}

function checkSentence(sentence: { text?: unknown; words?: unknown }, argument: string): void {
  const { text, words } = sentence
  checkText(text, `${argument}.text`)
  if (!Array.isArray(words)) {
    throw invalidArgument(`${argument}.words`, 'an array of words', describe(words))
  }
  let from = 0
  for (const [i, word] of words.entries()) {
    const { head, relation, span } = Object(word) as Record<string, unknown>
    const isWord =
      Number.isSafeInteger(head) &&
      (head as number) >= -1 &&
      (head as number) < words.length &&
      head !== i &&
      typeof relation === 'string' &&
      isSpan(span, text.length, from)
    if (!isWord) {
      const expected =
        `a word: head from -1 to ${words.length - 1} but not itself, relation, ` +
        `span from ${from} to ${text.length}`
      const received = `head ${describe(head)}, relation ${describe(relation)}, span ${describe(span)}`
      throw invalidArgument(`${argument}.words[${i}]`, expected, received)
    }
    ;[from] = span
  }
}

export function checkCoreference(examples: unknown, options: CoreferenceOptions): void {
  checkList(examples, 'examples', (example: Record<string, unknown>, argument) => {
    const { text, nouns = [] } = example
    checkText(text, `${argument}.text`)
    for (const name of ['mention', 'antecedent', 'other']) {
      checkSpan(example[name], text, `${argument}.${name}`)
    }
    if (!Array.isArray(nouns))
      throw invalidArgument(`${argument}.nouns`, 'an array', describe(nouns))
    for (const [i, noun] of nouns.entries()) checkSpan(noun, text, `${argument}.nouns[${i}]`)
  })
  checkAnalysis(options, { maxTokens: [1] })
}

/** At least so many samples of the model's kind: texts, pairs, or pairs with further answers. */
function checkSamples(samples: unknown, least: number, { kind }: ModelConfig): void {
  const argument = kind === 'decoder' ? 'texts' : 'pairs'
  if (kind === 'decoder') {
    checkList(samples, argument, () => undefined)
    checkStrings(samples, argument)
  } else {
    const answered = kind === 'encoder-decoder'
    checkList(samples, argument, (texts: unknown, name) => {
      const isPair = Array.isArray(texts) && (answered ? texts.length >= 2 : texts.length === 2)
      if (isPair && Array.from(texts).every((text) => typeof text === 'string')) return
      throw invalidArgument(name, answered ? 'two or more strings' : 'two strings', describe(texts))
    })
  }
  const { length } = samples as unknown[]
  if (length < least) throw invalidArgument(argument, `at least ${least}`, String(length))
}

function checkAblation(ablation: unknown): void {
  if (typeof ablation === 'object' && ablation !== null) {
    checkOptions(ablation, 'ablation', ['noise'])
    checkDeviation('noise' in ablation ? ablation.noise : undefined, 'ablation.noise')
  } else checkChoice(ablation, 'ablation', ['zero', 'mean', 'shuffle'])
}

export function checkLoss(samples: unknown, options: ModelLossOptions, config: ModelConfig): void {
  checkSamples(samples, 1, config)
  checkAnalysis(options, {}, ['heads', 'ablation', 'means'])
  checkAblation(options.ablation)
  const { heads, means } = options
  const attentions = attentionsOf(config).length
  if (means !== undefined) {
    checkTensor(means, 'means')
    const dims = [attentions, config.numHeads, config.headDim]
    if (String(means.dims) !== String(dims)) {
      throw invalidArgument('means', describe(dims), describe(means.dims))
    }
  }
  if (heads === undefined) return
  if (!Array.isArray(heads)) throw invalidArgument('heads', 'an array', describe(heads))
  for (const [i, item] of (heads as unknown[]).entries()) {
    const { layer, head } = Object(item) as Record<string, unknown>
    const isBelow = (value: unknown, bound: number) =>
      Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < bound
    if (isBelow(layer, attentions) && isBelow(head, config.numHeads)) continue
    const expected = `{ layer, head } below ${attentions} and ${config.numHeads}`
    const received = `layer ${describe(layer)}, head ${describe(head)}`
    throw invalidArgument(`heads[${i}]`, expected, received)
  }
}

export function checkMeanHeadOutputs(
  texts: unknown,
  options: CallOptions,
  config: ModelConfig,
): void {
  if (config.kind === 'encoder-decoder') checkSamples(texts, 1, config)
  else {
    checkList(texts, 'texts', () => undefined)
    checkStrings(texts, 'texts')
  }
  checkOptions(options, 'options', callOptionNames)
  checkCallOptions(options)
}

export function checkHeadImportance(
  samples: unknown,
  options: HeadImportanceOptions,
  config: ModelConfig,
): void {
  checkSamples(samples, 4, config)
  checkAnalysis(options, {}, ['ablation'])
  checkAblation(options.ablation)
}

export function checkPruning(samples: unknown, options: PruningOptions, config: ModelConfig): void {
  checkSamples(samples, 4, config)
  checkAnalysis(
    options,
    { points: [2, mostCurves], randomOrders: [0, mostCurves], greedyPairs: [0] },
    ['ablation', 'order'],
  )
  checkChoice(options.ablation, 'ablation', ['zero', 'mean'])
  if (options.order === undefined) return
  checkIntegers(options.order, 'order')
  const count = attentionsOf(config).length * config.numHeads
  const order = Array.from(options.order)
  const sorted = [...order].sort((a, b) => a - b)
  if (order.length === count && sorted.every((head, i) => head === i)) return
  throw invalidArgument(
    'order',
    `every number from 0 to ${count - 1} once`,
    describe(options.order),
  )
}
