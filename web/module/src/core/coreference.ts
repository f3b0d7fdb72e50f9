// Coreference over many examples: batches through the transformer, their patterns to C++.
import { overlaps } from '../model/head-analysis.js'
import type {
  CoreferenceExample,
  CoreferenceOptions,
  CoreferenceScores,
} from '../types/head-roles.js'
import type { Encoding, TokenSpan } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import { meanIntervals } from './mean-intervals.js'
import type { CoreModel } from './model.js'
import { Reporter } from './partial-results.js'
import { Scope } from './scope.js'
import { batchesOf, checkKind, overPatterns, padded } from './sentence-batches.js'
import { throwIfAborted, type Steps } from './steps.js'

/** Kinds of tokens, as C++ numbers them. */
const kinds = { outside: 0, text: 1, mention: 2, antecedent: 3, candidate: 4 }

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

export function* coreferenceSteps(
  model: CoreModel,
  examples: readonly CoreferenceExample[],
  options: CoreferenceOptions,
): Steps<CoreferenceScores> {
  throwIfAborted(options)
  checkKind(model, ['encoder', 'decoder'])
  const { tokenizer, transformer } = model
  const { engine, config } = transformer
  const { seed = 0, resamples = 1000, maxTokens = Infinity } = options
  const tokens: ExampleTokens[] = []
  const counts = { given: examples.length, used: 0, tooLong: 0, withoutToken: 0 }
  const used: number[] = []
  for (const [i, example] of examples.entries()) {
    if (i % 64 === 63) yield
    const one = tokensOf(tokenizer.encode(example.text), example)
    const has = (kind: number) => one.kinds.includes(kind)
    if (one.ids.length > Math.min(maxTokens, config.maxPositions)) counts.tooLong++
    else if (!has(kinds.mention) || !has(kinds.antecedent) || !has(kinds.candidate)) {
      counts.withoutToken++
    } else used.push(i)
    tokens.push(one)
  }
  const heads = config.numLayers * config.numHeads
  const scope = new Scope(engine)
  try {
    const scores = scope.own(new engine.bindings.Coreference())
    engine.record.begin().number(examples.length).number(config.numLayers).number(config.numHeads)
    engine.record.send()
    engine.check(scores.begin())
    const judged: number[] = []
    const lengthOf = (index: number) => tokens[index]?.ids.length ?? 0
    const total = used.reduce((sum, index) => sum + lengthOf(index), 0)
    const reporter = new Reporter(options, total, () => summary())
    for (const { rows } of batchesOf(used, lengthOf)) {
      yield* judge(rows)
      judged.push(...rows)
      reporter.add(rows.reduce((sum, row) => sum + lengthOf(row), 0))
    }
    return yield* withIntervals(summary())

    function judge(rows: readonly number[]): Steps<void> {
      const batched = rows.map((row) => tokens[row] as ExampleTokens)
      return overPatterns(
        model,
        batched.map(({ ids }) => ids),
        (inner, { dims: [, length] }) => {
          const indices = inner.bytes(Int32Array.from(rows), 'examples')
          const kindRows = batched.map((example) => example.kinds)
          const kindsOf = inner.bytes(padded(kindRows, length, kinds.outside), 'examples')
          return (layer, patterns) => {
            engine.record.begin().number(layer).tensor(patterns).number(indices)
            engine.record.number(kindsOf).send()
            scores.judge()
          }
        },
      )
    }

    /** Field f of an example, [heads]: see C++'s Coreference::Field. */
    function field(values: Tensor, f: number, example: number): Float32Array {
      const start = (f * examples.length + example) * heads
      return values.data.subarray(start, start + heads)
    }

    function readValues(): Tensor {
      scores.results()
      return engine.results(1)[0] as Tensor
    }

    function summary(): CoreferenceScores {
      const values = readValues()
      const grid = (data: Tensor['data']): Tensor => ({
        type: 'float32',
        data,
        dims: [config.numLayers, config.numHeads],
      })
      const mean = (f: number) => {
        const sums = new Float64Array(heads)
        for (const example of judged) {
          field(values, f, example).forEach((value, h) => (sums[h] = (sums[h] ?? 0) + value))
        }
        return grid(Float32Array.from(sums, (sum) => sum / judged.length))
      }
      const none = () => grid(new Float32Array(heads).fill(NaN))
      const right = new Uint8Array(examples.length * heads).fill(255)
      for (const example of judged) right.set(field(values, 0, example), example * heads)
      const seen = judged.map((index) => examples[index] as CoreferenceExample)
      return {
        seed,
        resamples,
        examples: { ...counts, used: judged.length },
        accuracy: mean(0),
        low: none(),
        high: none(),
        control: mean(1),
        excessLow: none(),
        excessHigh: none(),
        mostAttended: mean(2),
        weight: mean(3),
        otherWeight: mean(4),
        nearerCandidate: shareOf(seen, isNearerRight),
        nearestNoun: shareOf(
          seen.filter(({ nouns }) => nouns !== undefined),
          isNearestNounRight,
        ),
        right,
      }
    }

    function* withIntervals(result: CoreferenceScores): Steps<CoreferenceScores> {
      const values = readValues()
      const columns = new Float32Array(used.length * 2 * heads)
      used.forEach((example, row) => {
        const [right, control] = [field(values, 0, example), field(values, 1, example)]
        columns.set(right, 2 * row * heads)
        columns.set(
          right.map((value, h) => value - (control[h] ?? 0)),
          (2 * row + 1) * heads,
        )
      })
      const { low, high } = yield* meanIntervals(engine, columns, 2 * heads, resamples, seed)
      const of = (data: Tensor['data'], part: number): Tensor => ({
        ...result.accuracy,
        data: data.slice(part * heads, (part + 1) * heads),
      })
      return {
        ...result,
        low: of(low, 0),
        high: of(high, 0),
        excessLow: of(low, 1),
        excessHigh: of(high, 1),
      }
    }
  } finally {
    scope.end()
  }
}
