// The loss over pairs of sentences of an encoder: is the second one the nearest to the first?
import type { Tensor } from '../types/tensor.js'
import { analyse } from './analysis.js'
import {
  floatBytes,
  KeptRuns,
  type HeadEdit,
  type SampleLosses,
  type Sequence,
} from './kept-runs.js'
import type { CoreModel } from './model.js'
import type { StoredTensor } from './record.js'
import { Scope } from './scope.js'
import type { Steps } from './steps.js'

/** What scores are multiplied with, as in training. */
const scoreScale = 20

/** The first sentences of all pairs, then the second ones. */
export class PairRuns extends KeptRuns {
  readonly samples: number
  /** The texts' vectors, in their order: [texts, dModel]. */
  readonly #vectors: StoredTensor

  constructor(model: CoreModel, scope: Scope, pairs: readonly (readonly Sequence[])[]) {
    const side = (which: number) => pairs.map((pair) => pair[which] as Sequence)
    super(model, scope, [...side(0), ...side(1)])
    this.samples = pairs.length
    const dims = [this.sequences.length, model.config.dModel]
    const address = scope.allocate((dims[0] ?? 0) * (dims[1] ?? 0) * floatBytes, 'pairs')
    this.#vectors = { address, dims }
  }

  /** With heads changed, from the block at hand on. */
  *loss(heads: ReadonlySet<number>, edit: HeadEdit): Steps<SampleLosses> {
    const { engine, config } = this.model.transformer
    yield* this.#pool(heads, edit)
    const dims = [this.samples, config.dModel]
    const { address } = this.#vectors
    const second = address + this.samples * config.dModel * floatBytes
    const write = () => {
      engine.record.tensor({ address, dims }).tensor({ address: second, dims })
      engine.record.number(scoreScale)
    }
    const [losses, right] = (yield* analyse(engine, 'contrastiveLoss', write, 2)) as [
      Tensor,
      Tensor,
    ]
    const counts = new Float32Array(this.samples).fill(1)
    return { losses: losses.data, right: right.data, counts }
  }

  /** The texts' mean-pooled vectors of length 1. */
  *#pool(heads: ReadonlySet<number>, edit: HeadEdit): Steps<void> {
    const { engine, config } = this.model.transformer
    const rowBytes = config.dModel * floatBytes
    const most = Math.max(...this.batches.map(({ rows }) => rows.length))
    const scope = new Scope(engine)
    try {
      const pooled = scope.allocate(most * rowBytes, 'pairs')
      yield* this.finish('hidden', heads, edit, ({ rows, keyMask }) => {
        this.run.pool(keyMask, true, pooled)
        rows.forEach((row, i) => {
          const vector = { address: pooled + i * rowBytes, dims: [config.dModel] }
          this.copy(this.#vectors.address + row * rowBytes, vector)
        })
      })
    } finally {
      scope.end()
    }
  }
}
