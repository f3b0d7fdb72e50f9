// The loss of tokens: of a decoder's next ones, of an encoder-decoder's target.
import {
  KeptRuns,
  floatBytes,
  type HeadEdit,
  type SampleLosses,
  type Sequence,
} from './kept-runs.js'
import type { CoreModel } from './model.js'
import { noTensor } from './record.js'
import type { Scope } from './scope.js'
import { padded } from './sentence-batches.js'
import type { Steps } from './steps.js'

/** A sequence with what each position of it (of an encoder-decoder's decoder) should predict. */
export interface JudgedSequence extends Sequence {
  /** -1: not judged. */
  labels: Int32Array
}

/** Logits that are held at a time, in numbers. */
const mostLogits = 2 ** 22

/** What stands for no label. */
const notJudged = -1

/**
 * Samples of one sequence, or of several: the first is the one whose loss counts, any of them may be
 * matched.
 */
export class TokenRuns extends KeptRuns {
  readonly samples: number
  /** Of each sequence its sample, and whether it is that one's first. */
  readonly #sampleOf: { sample: number; first: boolean }[]
  /** Judged positions of each sequence. */
  readonly #counts: readonly number[]
  /** Addresses: labels of each batch; ids never chosen; losses and right of a batch. */
  readonly #labels: readonly number[]
  readonly #never
  readonly #results: number
  readonly #most: number

  constructor(model: CoreModel, scope: Scope, samples: readonly (readonly JudgedSequence[])[]) {
    const { config } = model
    const sequences = samples.flat()
    super(model, scope, sequences, Math.ceil(mostLogits / config.vocabulary))
    this.samples = samples.length
    this.#sampleOf = samples.flatMap((own, sample) =>
      own.map((_, place) => ({ sample, first: place === 0 })),
    )
    this.#counts = sequences.map(({ labels }) => labels.filter((id) => id !== notJudged).length)
    this.#labels = this.batches.map(({ rows, dims, decoder }) => {
      const labels = rows.map((row) => (sequences[row] as JudgedSequence).labels)
      return scope.bytes(padded(labels, (decoder?.dims ?? dims)[1], notJudged), 'labels')
    })
    const never = config.generation?.suppressedIds ?? []
    this.#never = never.length === 0 ? noTensor : scope.integerList(never, 'labels')
    this.#most = Math.max(...this.batches.map(({ rows }) => rows.length))
    this.#results = scope.allocate(2 * this.#most * floatBytes, 'samples')
  }

  /** With heads changed, from the block at hand on. */
  *loss(heads: ReadonlySet<number>, edit: HeadEdit): Steps<SampleLosses> {
    const { engine, config } = this.model.transformer
    const found = {
      losses: new Float32Array(this.samples),
      right: new Float32Array(this.samples),
      counts: new Float32Array(this.samples),
      matches: new Float32Array(this.samples),
    }
    yield* this.finish('head', heads, edit, (batch) => {
      const right = this.#results + this.#most * floatBytes
      engine.record
        .begin()
        .number(this.#labels[this.batches.indexOf(batch)] ?? 0)
        .tensor(this.#never)
        .number(this.#results)
        .number(right)
        .send()
      engine.check(this.run.tokenLoss())
      const { HEAPF32 } = engine.bindings
      batch.rows.forEach((row, i) => {
        const rightly = HEAPF32[right / floatBytes + i] ?? NaN
        this.#enter(found, row, HEAPF32[this.#results / floatBytes + i] ?? NaN, rightly)
      })
    })
    const { losses, right: rightly, counts } = found
    return config.kind === 'encoder-decoder' ? found : { losses, right: rightly, counts }
  }

  #enter(found: Required<SampleLosses>, row: number, loss: number, right: number): void {
    const { sample = 0, first = false } = this.#sampleOf[row] ?? {}
    const count = this.#counts[row] ?? NaN
    if (right === count) found.matches[sample] = 1
    if (!first) return
    found.losses[sample] = loss
    found.right[sample] = right
    found.counts[sample] = count
  }
}
