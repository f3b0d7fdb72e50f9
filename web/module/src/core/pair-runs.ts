// Pairs of sentences through an encoder again and again, with heads changed: the stream that enters
// a layer is kept for all sentences, and only the layers from there on run.
import type { BoundTransformerRun } from '../bindings.js'
import { invalidArgument } from '../errors.js'
import type { HeadAblation, SentencePair } from '../types/head-importance.js'
import { analyse } from './analysis.js'
import type { CoreModel } from './model.js'
import type { Tensor } from '../types/tensor.js'
import { noTensor, type StoredTensor } from './record.js'
import { Scope } from './scope.js'
import {
  activationsOf,
  batchesOf,
  checkKind,
  runBatch,
  storeBatch,
  type BatchRun,
  type StoredBatch,
} from './sentence-batches.js'
import type { Steps } from './steps.js'

/** What scores are multiplied with, as in training. */
const scoreScale = 20

const floatBytes = Float32Array.BYTES_PER_ELEMENT

/** How heads are changed: as C++ numbers it, with what it needs. */
export interface HeadEdit {
  /** zero, values, mean, noise, shuffle: 0 to 4 */
  kind: number
  deviation: number
  seed: number
  /** `[layers, heads, headDim]` in WebAssembly memory. */
  means: StoredTensor
}

export function editOf(ablation: HeadAblation, seed: number, means: StoredTensor): HeadEdit {
  const deviation = typeof ablation === 'object' ? ablation.noise : 0
  const kind = typeof ablation === 'object' ? 3 : { zero: 0, mean: 2, shuffle: 4 }[ablation]
  return { kind, deviation, seed, means }
}

interface KeptBatch extends StoredBatch {
  rows: number[]
  /** Address of the stream [B, S, dModel]. */
  stream: number
}

export interface PairLosses {
  losses: Float32Array
  /** 1 where the pair's own second sentence is the nearest. */
  right: Float32Array
}

/** Texts, each with its stream at the entry of `layer`. */
export class TextRuns {
  readonly tokens: number
  readonly #batches: KeptBatch[]
  readonly #run: BoundTransformerRun
  /** The texts' vectors, in their order: [texts, dModel]. */
  readonly #vectors: number
  #layer = 0

  /** Everything is taken from the scope, and returns with it. */
  constructor(
    readonly model: CoreModel,
    scope: Scope,
    private readonly texts: readonly Int32Array[],
  ) {
    checkKind(model, ['encoder'])
    const { engine, config } = model.transformer
    this.#run = scope.own(new engine.bindings.TransformerRun())
    const lengthOf = (row: number) => texts[row]?.length ?? 0
    this.tokens = texts.reduce((sum, { length }) => sum + length, 0)
    this.#batches = batchesOf([...texts.keys()], lengthOf).map(({ rows }) => {
      const ids = rows.map((row) => texts[row] as Int32Array)
      const batch = storeBatch(scope, ids, model.tokenizer.padId)
      const bytes = batch.dims[0] * batch.dims[1] * config.dModel * floatBytes
      return { ...batch, rows, stream: scope.allocate(bytes, 'pairs') }
    })
    this.#vectors = scope.allocate(texts.length * config.dModel * floatBytes, 'pairs')
  }

  /** Back to the first layer: the embedding of everything. */
  *embed(): Steps<void> {
    for (const batch of this.#batches) {
      yield* this.#runOne(batch, { stopAtLayer: 0 })
      this.#keepOutput(batch)
    }
    this.#layer = 0
  }

  /** To the entry of the next layer, with these heads changed in this one. */
  *advance(heads: ReadonlySet<number>, edit: HeadEdit): Steps<void> {
    for (const batch of this.#batches) {
      const start = { layer: this.#layer, stream: batch.stream }
      yield* this.#runOne(batch, { start, stopAtLayer: this.#layer + 1 }, heads, edit)
      this.#keepOutput(batch)
    }
    this.#layer++
  }

  /** The texts' mean-pooled vectors of length 1, with heads changed from this layer on. */
  *vectors(heads: ReadonlySet<number>, edit: HeadEdit): Steps<StoredTensor> {
    const { engine, config } = this.model.transformer
    const width = config.dModel
    const most = Math.max(...this.#batches.map(({ rows }) => rows.length))
    const inner = new Scope(engine)
    try {
      const pooled = inner.allocate(most * width * floatBytes, 'pairs')
      for (const batch of this.#batches) {
        const start = { layer: this.#layer, stream: batch.stream }
        yield* this.#runOne(batch, { start }, heads, edit)
        this.#run.pool(batch.keyMask, true, pooled)
        const rowBytes = width * floatBytes
        batch.rows.forEach((row, i) => {
          this.#copy(this.#vectors + row * rowBytes, pooled + i * rowBytes, width)
        })
      }
    } finally {
      inner.end()
    }
    return { address: this.#vectors, dims: [this.texts.length, width] }
  }

  /** The mean of every head's output over all tokens, `[layers, heads, headDim]`; from the start. */
  *means(): Steps<Tensor['data']> {
    const { engine, config } = this.model.transformer
    const width = config.numHeads * config.headDim
    const sums = new Float64Array(config.numLayers * width)
    for (const batch of this.#batches) {
      yield* this.#runOne(batch, { names: 'blocks.*.attn.hook_z' })
      const { HEAPF32, HEAPU8 } = engine.bindings
      const places = batch.dims[0] * batch.dims[1]
      for (const [layer, { address }] of activationsOf(engine, this.#run).entries()) {
        for (let place = 0; place < places; place++) {
          if (HEAPU8[batch.keyMask + place] === 0) continue
          const from = address / floatBytes + place * width
          for (let i = 0; i < width; i++) {
            const at = layer * width + i
            sums[at] = (sums[at] ?? 0) + (HEAPF32[from + i] ?? 0)
          }
        }
      }
    }
    return Float32Array.from(sums, (sum) => sum / this.tokens)
  }

  *#runOne(
    batch: KeptBatch,
    options: BatchRun,
    heads: ReadonlySet<number> = new Set(),
    edit?: HeadEdit,
  ): Steps<void> {
    const { transformer } = this.model
    const first = options.start?.layer ?? 0
    const { numLayers, numHeads } = transformer.config
    for (const head of edit === undefined ? [] : heads) {
      const layer = Math.floor(head / numHeads)
      if (layer < first || layer >= (options.stopAtLayer ?? numLayers)) continue
      this.#change(layer, head, edit as HeadEdit)
    }
    yield* runBatch(transformer, this.#run, batch, options)
  }

  #change(layer: number, head: number, { kind, deviation, seed, means }: HeadEdit): void {
    const { engine, config } = this.model.transformer
    const { headDim, numHeads } = config
    const address = means.address + head * headDim * floatBytes
    engine.record
      .begin()
      .optional(head % numHeads)
      .number(kind)
      .tensor(kind === 2 ? { address, dims: [headDim] } : noTensor)
      .number(deviation)
      .number(seed + head)
      .send()
    this.#run.addIntervention(`blocks.${layer}.attn.hook_z`)
  }

  #keepOutput({ stream, dims }: KeptBatch): void {
    const { engine, config } = this.model.transformer
    this.#run.output()
    const [output = noTensor] = engine.record.tensors(1)
    this.#copy(stream, output.address, dims[0] * dims[1] * config.dModel)
  }

  #copy(target: number, source: number, floats: number): void {
    const [from, to] = [source / floatBytes, target / floatBytes]
    this.model.transformer.engine.bindings.HEAPF32.copyWithin(to, from, from + floats)
  }
}

/** The loss over pairs: the first sentences of all pairs, then the second ones. */
export class PairRuns extends TextRuns {
  readonly pairs: number

  constructor(model: CoreModel, scope: Scope, pairs: readonly (readonly Int32Array[])[]) {
    const [first, second] = [0, 1].map((side) => pairs.map((pair) => pair[side] as Int32Array))
    super(model, scope, [...(first ?? []), ...(second ?? [])])
    this.pairs = pairs.length
  }

  /** With heads changed, from the layer at hand on. */
  *loss(heads: ReadonlySet<number>, edit: HeadEdit): Steps<PairLosses> {
    const { engine } = this.model.transformer
    const { address, dims } = yield* this.vectors(heads, edit)
    const half = [this.pairs, dims[1] ?? 0]
    const write = () => {
      const second = address + this.pairs * (dims[1] ?? 0) * floatBytes
      engine.record.tensor({ address, dims: half }).tensor({ address: second, dims: half })
      engine.record.number(scoreScale)
    }
    const [losses, right] = (yield* analyse(engine, 'contrastiveLoss', write, 2)) as [
      Tensor,
      Tensor,
    ]
    return { losses: losses.data, right: right.data }
  }
}

/** The ids of every pair; a sentence that is too long for the model is refused by name. */
export function* encodePairs(
  { tokenizer, config }: CoreModel,
  pairs: readonly SentencePair[],
): Steps<Int32Array[][]> {
  const most = config.maxPositions || Infinity
  const ids: Int32Array[][] = []
  for (const [i, pair] of pairs.entries()) {
    if (i % 64 === 63) yield
    ids.push(
      pair.map((text, side) => {
        const encoded = Int32Array.from(tokenizer.encode(text).ids)
        if (encoded.length <= most) return encoded
        const expected = `at most ${most} tokens`
        throw invalidArgument(`pairs[${i}][${side}]`, expected, String(encoded.length))
      }),
    )
  }
  return ids
}
