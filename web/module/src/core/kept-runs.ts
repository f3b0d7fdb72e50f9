// Sequences through a model again and again, with heads changed: what enters a layer is kept for all
// of them, and only the layers from there on run.
import type { BoundTransformerRun } from '../bindings.js'
import { attentionsOf, blocksOf, type Attention } from '../model/attentions.js'
import type { HeadAblation } from '../types/head-importance.js'
import type { Tensor } from '../types/tensor.js'
import type { CoreModel } from './model.js'
import { noTensor, sizeOf, type StoredTensor } from './record.js'
import type { Scope } from './scope.js'
import {
  activationsOf,
  batchesOf,
  runBatch,
  storeBatch,
  type BatchRun,
  type StoredBatch,
} from './sentence-batches.js'
import type { Steps } from './steps.js'

export const floatBytes = Float32Array.BYTES_PER_ELEMENT

/** How heads are changed: as C++ numbers it, with what it needs. */
export interface HeadEdit {
  /** zero, values, mean, noise, shuffle: 0 to 4 */
  kind: number
  deviation: number
  seed: number
  /** `[attentions, heads, headDim]` in WebAssembly memory. */
  means: StoredTensor
}

export function editOf(ablation: HeadAblation, seed: number, means: StoredTensor): HeadEdit {
  const deviation = typeof ablation === 'object' ? ablation.noise : 0
  const kind = typeof ablation === 'object' ? 3 : { zero: 0, mean: 2, shuffle: 4 }[ablation]
  return { kind, deviation, seed, means }
}

/** What a model reads; of an encoder-decoder also what its decoder does. */
export interface Sequence {
  ids: Int32Array
  decoderIds?: Int32Array
}

export interface KeptBatch extends StoredBatch {
  rows: number[]
  /** Address of the stream [B, S, dModel], in the decoder of an encoder-decoder [B, T, dModel]. */
  stream: number
  /** Address of what the encoder made [B, S, dModel], where there are two stacks. */
  encoded: number
}

/** What is summed over samples to a loss. */
export interface SampleLosses {
  /** Of each sample, in nats: the sum over what is judged in it. */
  losses: Float32Array
  /** How much of it is right: its pair is the nearest; tokens foretold. */
  right: Float32Array
  /** What is judged in each: 1 pair, or its tokens. */
  counts: Float32Array
  /** 1 where greedy decoding gives one of the answers. */
  matches?: Float32Array
}

/** Sequences, each with its stream at the entry of a block. */
export class KeptRuns {
  protected readonly run: BoundTransformerRun
  protected readonly batches: readonly KeptBatch[]
  readonly #attentions: readonly Attention[]
  #block = 0

  /** Everything is taken from the scope, and returns with it. */
  constructor(
    readonly model: CoreModel,
    scope: Scope,
    protected readonly sequences: readonly Sequence[],
    mostTokens?: number,
  ) {
    const { engine, config } = model.transformer
    this.#attentions = attentionsOf(config)
    this.run = scope.own(new engine.bindings.TransformerRun())
    const lengthOf = (row: number) => {
      const { ids, decoderIds } = sequences[row] as Sequence
      return ids.length + (decoderIds?.length ?? 0)
    }
    this.batches = batchesOf([...sequences.keys()], lengthOf, mostTokens).map(({ rows }) => {
      const own = rows.map((row) => sequences[row] as Sequence)
      const batch = storeBatch(scope, own, model.tokenizer.padId)
      const sizes = [batch.dims, batch.decoder?.dims ?? batch.dims].map(([b, s]) => b * s)
      const take = (places: number) =>
        scope.allocate(places * config.dModel * floatBytes, 'samples')
      const encoded = batch.decoder === undefined ? 0 : take(sizes[0] ?? 0)
      return { ...batch, rows, stream: take(Math.max(...sizes)), encoded }
    })
  }

  /** Back to the first block: the embedding of everything. */
  *embed(): Steps<void> {
    for (const batch of this.batches) {
      yield* this.#runOne(batch, { stopAtLayer: 0 })
      this.#keepOutput(batch)
    }
    this.#block = 0
  }

  /** To the entry of the next block, with these heads changed in this one. */
  *advance(heads: ReadonlySet<number>, edit: HeadEdit): Steps<void> {
    const { config } = this.model.transformer
    const next = this.#block + 1
    for (const batch of this.batches) {
      yield* this.#runOne(batch, { ...this.#here(batch), stopAtLayer: next }, heads, edit)
      this.#keepOutput(batch)
      if (batch.decoder === undefined || next !== config.numLayers) continue
      this.run.encoded()
      this.copy(batch.encoded, this.#written())
    }
    this.#block = next
  }

  /** From the entry of this block to the end, with heads changed; batch by batch to `take`. */
  protected *finish(
    output: 'hidden' | 'head',
    heads: ReadonlySet<number>,
    edit: HeadEdit,
    take: (batch: KeptBatch) => void,
  ): Steps<void> {
    for (const batch of this.batches) {
      yield* this.#runOne(batch, { ...this.#here(batch), output }, heads, edit)
      take(batch)
    }
  }

  /** The mean of every head's output over all tokens, `[attentions, heads, headDim]`; from the start. */
  *means(): Steps<Tensor['data']> {
    const { engine, config } = this.model.transformer
    const width = config.numHeads * config.headDim
    const sums = new Float64Array(this.#attentions.length * width)
    const counts = new Float64Array(this.#attentions.length)
    const names = this.#attentions.map(({ name }) => `${name}.hook_z`)
    for (const batch of this.batches) {
      yield* this.#runOne(batch, { names: names.join('\n') })
      const { HEAPF32, HEAPU8 } = engine.bindings
      for (const [index, { address }] of activationsOf(engine, this.run).entries()) {
        const attention = names.indexOf(this.run.activationName(index))
        const { dims, keyMask } =
          (this.#attentions[attention]?.block ?? 0) < config.numLayers
            ? batch
            : (batch.decoder ?? batch)
        for (let place = 0; place < dims[0] * dims[1]; place++) {
          if (HEAPU8[keyMask + place] === 0) continue
          counts[attention] = (counts[attention] ?? 0) + 1
          const from = address / floatBytes + place * width
          for (let i = 0; i < width; i++) {
            const at = attention * width + i
            sums[at] = (sums[at] ?? 0) + (HEAPF32[from + i] ?? 0)
          }
        }
      }
    }
    return Float32Array.from(sums, (sum, i) => sum / (counts[Math.floor(i / width)] ?? NaN))
  }

  protected copy(target: number, source: StoredTensor): void {
    const [from, to] = [source.address / floatBytes, target / floatBytes]
    this.model.transformer.engine.bindings.HEAPF32.copyWithin(to, from, from + sizeOf(source))
  }

  #here({ stream, encoded }: KeptBatch): BatchRun {
    return { start: { layer: this.#block, stream, encoded } }
  }

  *#runOne(
    batch: KeptBatch,
    options: BatchRun,
    heads: ReadonlySet<number> = new Set(),
    edit?: HeadEdit,
  ): Steps<void> {
    const { transformer } = this.model
    const first = options.start?.layer ?? 0
    const behind = options.stopAtLayer ?? blocksOf(transformer.config)
    for (const head of edit === undefined ? [] : heads) {
      const place = Math.floor(head / transformer.config.numHeads)
      const { name, block } = this.#attentions[place] as Attention
      if (block >= first && block < behind) this.#change(`${name}.hook_z`, head, edit as HeadEdit)
    }
    yield* runBatch(transformer, this.run, batch, options)
  }

  #change(name: string, head: number, { kind, deviation, seed, means }: HeadEdit): void {
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
    this.run.addIntervention(name)
  }

  #keepOutput({ stream }: KeptBatch): void {
    this.run.output()
    this.copy(stream, this.#written())
  }

  #written(): StoredTensor {
    return this.model.transformer.engine.record.tensors(1)[0] ?? noTensor
  }
}
