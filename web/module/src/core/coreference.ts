// Coreference over many examples: batches through the transformer, their patterns to C++.
import type { BoundCoreference } from '../bindings.js'
import { overlaps } from '../model/head-analysis.js'
import type {
  CoreferenceExample,
  CoreferenceOptions,
  CoreferenceScores,
} from '../types/head-roles.js'
import type { Encoding, TokenSpan } from '../types/tokens.js'
import type { Tensor } from '../types/tensor.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import { Reporter } from './partial-results.js'
import { Scope } from './scope.js'
import { batchesOf, checkKind, overPatterns, padded } from './sentence-batches.js'
import { throwIfAborted, type Steps } from './steps.js'

/** Kinds of tokens, as C++ numbers them. */
const kinds = { outside: 0, text: 1, mention: 2, antecedent: 3, candidate: 4 }

/** What is measured of an example, as C++ numbers it. */
const fields = { right: 0, control: 1, mostAttended: 2, weight: 3, otherWeight: 4 }

interface ExampleTokens {
  ids: Int32Array
  kinds: Int32Array
}

function tokensOf({ ids, spans }: Encoding, example: CoreferenceExample): ExampleTokens {
  const kindOf = (span: TokenSpan | null) => {
    if (span === null) return kinds.outside
    if (overlaps(span, example.mention)) return kinds.mention
    if (overlaps(span, example.antecedent)) return kinds.antecedent
    return overlaps(span, example.other) ? kinds.candidate : kinds.text
  }
  return { ids: Int32Array.from(ids), kinds: Int32Array.from(spans, kindOf) }
}

function distance([start, end]: TokenSpan, [otherStart, otherEnd]: TokenSpan): number {
  return Math.max(otherStart - end, start - otherEnd, 0)
}

function isNearerRight({ mention, antecedent, other }: CoreferenceExample): boolean {
  return distance(mention, antecedent) < distance(mention, other)
}

function isNearestNounRight({ mention, antecedent, nouns = [] }: CoreferenceExample): boolean {
  const before = nouns.filter(([, end]) => end <= mention[0]).sort((a, b) => b[0] - a[0])
  return before[0] !== undefined && overlaps(before[0], antecedent)
}

function shareOf<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / items.length
}

/** The examples that are measured, and what has been found so far. */
class CoreferenceWork {
  readonly tokens: ExampleTokens[] = []
  readonly used: number[] = []
  readonly #counts: CoreferenceScores['examples']
  readonly #judged: number[] = []
  readonly #heads: number
  #values!: Tensor

  readonly lengthOf = (example: number) => this.tokens[example]?.ids.length ?? 0

  constructor(
    private readonly model: CoreModel,
    private readonly examples: readonly CoreferenceExample[],
    private readonly options: CoreferenceOptions,
  ) {
    this.#counts = { given: examples.length, used: 0, tooLong: 0, withoutToken: 0 }
    this.#heads = model.config.numLayers * model.config.numHeads
  }

  *choose(): Steps<void> {
    const { tokenizer, config } = this.model
    const most = Math.min(this.options.maxTokens ?? Infinity, config.maxPositions || Infinity)
    for (const [i, example] of this.examples.entries()) {
      if (i % 64 === 63) yield
      const tokens = tokensOf(tokenizer.encode(example.text), example)
      const has = (kind: number) => tokens.kinds.includes(kind)
      this.tokens.push(tokens)
      if (tokens.ids.length > most) this.#counts.tooLong++
      else if (!has(kinds.mention) || !has(kinds.antecedent) || !has(kinds.candidate)) {
        this.#counts.withoutToken++
      } else this.used.push(i)
    }
  }

  *judge(bound: BoundCoreference, rows: readonly number[]): Steps<void> {
    const { engine } = this.model.transformer
    const batched = rows.map((row) => this.tokens[row] as ExampleTokens)
    yield* overPatterns(
      this.model,
      batched.map(({ ids }) => ids),
      (scope, { dims: [, length] }) => {
        const indices = scope.bytes(Int32Array.from(rows), 'examples')
        const kindRows = batched.map((example) => example.kinds)
        const kindsOf = scope.bytes(padded(kindRows, length, kinds.outside), 'examples')
        return (layer, patterns) => {
          engine.record.begin().number(layer).tensor(patterns).number(indices)
          engine.record.number(kindsOf).send()
          bound.judge()
        }
      },
    )
    this.#judged.push(...rows)
  }

  /** Of what has been judged, without intervals. */
  summary(bound: BoundCoreference): CoreferenceScores {
    bound.results()
    this.#values = this.model.transformer.engine.results(1)[0] as Tensor
    const { seed = 0, resamples = 1000 } = this.options
    const unknown = () => this.#grid(new Float32Array(this.#heads).fill(NaN))
    const right = new Uint8Array(this.examples.length * this.#heads).fill(255)
    for (const example of this.#judged) {
      right.set(this.#field(fields.right, example), example * this.#heads)
    }
    const seen = this.#judged.map((index) => this.examples[index] as CoreferenceExample)
    const withNouns = seen.filter(({ nouns }) => nouns !== undefined)
    return {
      seed,
      resamples,
      examples: { ...this.#counts, used: seen.length },
      accuracy: this.#mean(fields.right),
      low: unknown(),
      high: unknown(),
      control: this.#mean(fields.control),
      excessLow: unknown(),
      excessHigh: unknown(),
      mostAttended: this.#mean(fields.mostAttended),
      weight: this.#mean(fields.weight),
      otherWeight: this.#mean(fields.otherWeight),
      nearerCandidate: shareOf(seen, isNearerRight),
      nearestNoun: shareOf(withNouns, isNearestNounRight),
      right,
    }
  }

  /** The intervals of being right, and of being so more often than the other rows. */
  *intervals(): Steps<Pick<CoreferenceScores, 'low' | 'high' | 'excessLow' | 'excessHigh'>> {
    const heads = this.#heads
    const columns = new Float32Array(this.used.length * 2 * heads)
    this.used.forEach((example, row) => {
      const right = this.#field(fields.right, example)
      const control = this.#field(fields.control, example)
      columns.set(right, 2 * row * heads)
      const excess = right.map((value, h) => value - (control[h] ?? 0))
      columns.set(excess, (2 * row + 1) * heads)
    })
    const { engine } = this.model.transformer
    const { seed = 0, resamples = 1000 } = this.options
    const counts = new Float32Array(this.used.length).fill(1)
    const { low, high } = yield* meanIntervals(engine, columns, 2 * heads, counts, resamples, seed)
    return {
      low: this.#grid(low.slice(0, heads)),
      high: this.#grid(high.slice(0, heads)),
      excessLow: this.#grid(low.slice(heads)),
      excessHigh: this.#grid(high.slice(heads)),
    }
  }

  #field(field: number, example: number): Float32Array {
    const start = (field * this.examples.length + example) * this.#heads
    return this.#values.data.subarray(start, start + this.#heads)
  }

  #mean(field: number): Tensor {
    const sums = new Float64Array(this.#heads)
    for (const example of this.#judged) {
      this.#field(field, example).forEach((value, h) => (sums[h] = (sums[h] ?? 0) + value))
    }
    return this.#grid(Float32Array.from(sums, (sum) => sum / this.#judged.length))
  }

  #grid(data: Tensor['data']): Tensor {
    const { numLayers, numHeads } = this.model.config
    return { type: 'float32', data, dims: [numLayers, numHeads] }
  }
}

export function* coreferenceSteps(
  model: CoreModel,
  examples: readonly CoreferenceExample[],
  options: CoreferenceOptions,
): Steps<CoreferenceScores> {
  throwIfAborted(options)
  checkKind(model, ['encoder', 'decoder', 'encoder-decoder'])
  const { engine, config } = model.transformer
  const work = new CoreferenceWork(model, examples, options)
  yield* work.choose()
  const scope = new Scope(engine)
  try {
    const bound = scope.own(new engine.bindings.Coreference())
    engine.record.begin().number(examples.length).number(config.numLayers).number(config.numHeads)
    engine.record.send()
    engine.check(bound.begin())
    const tokensIn = (rows: readonly number[]) =>
      rows.reduce((sum, row) => sum + work.lengthOf(row), 0)
    const reporter = new Reporter(options, tokensIn(work.used), () => work.summary(bound))
    for (const { rows } of batchesOf(work.used, work.lengthOf)) {
      yield* work.judge(bound, rows)
      reporter.add(tokensIn(rows))
    }
    const result = work.summary(bound)
    return { ...result, ...(yield* work.intervals()) }
  } finally {
    scope.end()
  }
}
