// What heads do, over many sentences: batches through the transformer, their patterns to C++.
import type { BoundHeadRoles } from '../bindings.js'
import {
  halvesOf,
  roleDirections,
  wordsOfTokens,
  type SentenceColumns,
} from '../model/head-analysis.js'
import type {
  HeadMeasure,
  HeadRoles,
  HeadRolesOptions,
  MeasureScores,
  RelationScores,
  RolePredictions,
} from '../types/head-roles.js'
import type { Encoding } from '../types/tokens.js'
import type { Tensor } from '../types/tensor.js'
import type { CoreModel } from './model.js'
import { Reporter } from './partial-results.js'
import { Scope } from './scope.js'
import { batchesOf, checkKind, overPatterns, padded } from './sentence-batches.js'
import { throwIfAborted, type Steps } from './steps.js'

/** In the order in which C++ numbers them. */
const measures: readonly HeadMeasure[] = [
  'previous',
  'next',
  'first',
  'separator',
  'punctuation',
  'self',
  'duplicate',
  'entropy',
]

/** Kinds of tokens, as C++ numbers them. */
const kinds = { text: 0, punctuation: 1, first: 2, separator: 3, padding: 4 }

/** Words of a sentence that 16 bits can count. */
const mostWords = 32767

/** A sentence as its batch wants it: a number for each token. */
interface SentenceTokens {
  ids: Int32Array
  words: Int32Array
  kinds: Int32Array
}

function tokensOf({ ids, spans }: Encoding, text: string, wordSpans: Int32Array): SentenceTokens {
  return {
    ids: Int32Array.from(ids),
    words: wordsOfTokens(spans, wordSpans),
    kinds: Int32Array.from(spans, (span, i) => {
      if (span === null) return i === 0 ? kinds.first : kinds.separator
      return /^\p{P}+$/u.test(text.slice(...span)) ? kinds.punctuation : kinds.text
    }),
  }
}

/** The sentences that are measured, and how many are not, and why. */
class ChosenSentences {
  readonly tokens: (SentenceTokens | undefined)[] = []
  readonly used: number[] = []
  readonly left = { tooShort: 0, tooLong: 0 }
  readonly words = { used: 0, split: 0, withoutToken: 0 }

  constructor(
    private readonly columns: SentenceColumns,
    private readonly options: HeadRolesOptions,
    private readonly model: CoreModel,
  ) {}

  *choose(): Steps<void> {
    const { texts, offsets, spans } = this.columns
    for (const [i, text] of texts.entries()) {
      if (i % 64 === 63) yield
      const [first, end] = [offsets[i] ?? 0, offsets[i + 1] ?? 0]
      this.#choose(i, text, spans.subarray(2 * first, 2 * end))
    }
  }

  #choose(index: number, text: string, wordSpans: Int32Array): void {
    const { minWords = 2, maxWords = mostWords, maxTokens = 128 } = this.options
    const mostTokens = Math.min(maxTokens, this.model.config.maxPositions || Infinity)
    const count = wordSpans.length / 2
    if (count < minWords) {
      this.left.tooShort++
      return
    }
    const isTooLong = count > Math.min(maxWords, mostWords)
    const encoding = isTooLong ? undefined : this.model.tokenizer.encode(text)
    if (encoding === undefined || encoding.ids.length > mostTokens) {
      this.left.tooLong++
      return
    }
    const tokens = tokensOf(encoding, text, wordSpans)
    const parts = new Int32Array(count)
    for (const word of tokens.words) if (word >= 0) parts[word] = (parts[word] ?? 0) + 1
    this.words.used += count
    this.words.split += parts.filter((part) => part > 1).length
    this.words.withoutToken += parts.filter((part) => part === 0).length
    this.tokens[index] = tokens
    this.used.push(index)
  }

  lengthOf = (index: number): number => this.tokens[index]?.ids.length ?? 0
}

export function* headRolesSteps(
  model: CoreModel,
  columns: SentenceColumns,
  options: HeadRolesOptions,
): Steps<HeadRoles> {
  throwIfAborted(options)
  checkKind(model, ['encoder', 'decoder', 'encoder-decoder'])
  const { engine, config } = model.transformer
  const chosen = new ChosenSentences(columns, options, model)
  yield* chosen.choose()
  const half = halvesOf(chosen.used, columns.texts.length, options.seed ?? 0)
  const scope = new Scope(engine)
  try {
    const roles = scope.own(new engine.bindings.HeadRoles())
    engine.record
      .begin()
      .number(columns.texts.length)
      .number(columns.relations.length)
      .number(scope.bytes(columns.offsets, 'sentences'))
      .number(scope.bytes(columns.heads, 'sentences'))
      .number(scope.bytes(columns.relationIds, 'sentences'))
      .number(scope.bytes(half, 'sentences'))
      .number(config.numLayers)
      .number(config.numHeads)
      .flag(options.predictions)
      .send()
    engine.check(roles.begin())
    let used = 0
    const result = () => readRoles(model, roles, columns, options, chosen, half, used)
    const tokens = chosen.used.reduce((sum, index) => sum + chosen.lengthOf(index), 0)
    const reporter = new Reporter(options, tokens, result)
    for (const { rows } of batchesOf(chosen.used, chosen.lengthOf)) {
      yield* judge(model, roles, rows, chosen)
      used += rows.length
      reporter.add(rows.reduce((sum, row) => sum + chosen.lengthOf(row), 0))
    }
    engine.check(roles.beginIntervals(options.resamples ?? 1000, options.seed ?? 0))
    for (;;) {
      engine.check(roles.step())
      if (roles.done) break
      yield
    }
    return result()
  } finally {
    scope.end()
  }
}

function judge(
  model: CoreModel,
  roles: BoundHeadRoles,
  rows: readonly number[],
  { tokens }: ChosenSentences,
): Steps<void> {
  const sentences = rows.map((row) => tokens[row] as SentenceTokens)
  const { engine } = model.transformer
  return overPatterns(
    model,
    sentences.map(({ ids }) => ids),
    (scope, { dims: [, length], ids }) => {
      const store = (array: Int32Array) => scope.bytes(array, 'sentences')
      const indices = store(Int32Array.from(rows))
      const words = store(
        padded(
          sentences.map((one) => one.words),
          length,
          -1,
        ),
      )
      const kindsOf = store(
        padded(
          sentences.map((one) => one.kinds),
          length,
          kinds.padding,
        ),
      )
      return (layer, patterns) => {
        engine.record.begin().number(layer).tensor(patterns).number(indices)
        engine.record.number(words).number(kindsOf).number(ids).send()
        engine.check(roles.judge())
      }
    },
  )
}

/** A part of a tensor, from an index of its first axes on. */
function partOf({ data }: Tensor, index: number, dims: readonly number[]): Tensor {
  const size = dims.reduce((product, dim) => product * dim, 1)
  return { type: 'float32', data: data.slice(index * size, (index + 1) * size), dims }
}

function bestOf({ data, dims }: Tensor) {
  const best = data.reduce((most, value, i) => (value > (data[most] ?? NaN) ? i : most), 0)
  const heads = dims[1] ?? 1
  return { layer: Math.floor(best / heads), head: best % heads }
}

function readRoles(
  { transformer: { engine, config } }: CoreModel,
  roles: BoundHeadRoles,
  { relations, offsets, heads }: SentenceColumns,
  { seed = 0, resamples = 1000, predictions = false }: HeadRolesOptions,
  chosen: ChosenSentences,
  half: Uint8Array,
  used: number,
): HeadRoles {
  roles.results()
  const tensors = engine.results(11) as Tensor[]
  const [
    selection,
    accuracy,
    low,
    high,
    gainLow,
    gainHigh,
    judged,
    baselines,
    means,
    errors,
    rows,
  ] = tensors as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
    Tensor,
  ]
  const grid = [config.numLayers, config.numHeads]
  const scores = relations.flatMap((relation, r) =>
    roleDirections.map((direction, d): RelationScores => {
      const of = (tensor: Tensor) => partOf(tensor, 2 * r + d, grid)
      const [offset = 0, share = NaN, reported = NaN] = baselines.data.slice(3 * r)
      return {
        relation,
        direction,
        n: { selection: judged.data[2 * r] ?? 0, report: judged.data[2 * r + 1] ?? 0 },
        selection: of(selection),
        accuracy: of(accuracy),
        low: of(low),
        high: of(high),
        gainLow: of(gainLow),
        gainHigh: of(gainHigh),
        baseline: { offset, selection: share, accuracy: reported },
        best: bestOf(of(selection)),
      }
    }),
  )
  const count = ({ n }: RelationScores) => n.selection + n.report
  const byMeasure = measures.map((measure, m): [HeadMeasure, MeasureScores] => [
    measure,
    { mean: partOf(means, m, grid), error: partOf(errors, m, grid), rows: rows.data[m] ?? 0 },
  ])
  return {
    seed,
    resamples,
    sentences: { given: offsets.length - 1, used, ...chosen.left },
    words: { ...chosen.words },
    half: half.slice(),
    relations: scores.filter((one) => count(one) > 0).sort((a, b) => count(b) - count(a)),
    measures: Object.fromEntries(byMeasure) as Record<HeadMeasure, MeasureScores>,
    ...(predictions && { predictions: readPredictions() }),
  }

  /** Of the words that were judged: whether one was, every head's prediction tells alike. */
  function readPredictions(): RolePredictions {
    const columns = 2 * config.numLayers * config.numHeads
    const start = roles.predicted() / Int16Array.BYTES_PER_ELEMENT
    const { buffer } = engine.bindings.HEAPU8
    const all = new Int16Array(buffer).subarray(start, start + heads.length * columns)
    const sentence: number[] = []
    const word: number[] = []
    const predicted = new Int16Array(all.length)
    for (const s of chosen.used) {
      const first = offsets[s] ?? 0
      for (let w = first; w < (offsets[s + 1] ?? 0); w++) {
        if ((all[w * columns] ?? -1) < 0) continue
        predicted.set(all.subarray(w * columns, (w + 1) * columns), word.length * columns)
        sentence.push(s)
        word.push(w - first)
      }
    }
    return {
      sentence: Int32Array.from(sentence),
      word: Int32Array.from(word),
      predicted: predicted.slice(0, word.length * columns),
    }
  }
}
