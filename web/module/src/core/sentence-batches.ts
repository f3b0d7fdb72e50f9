// Many sequences through a transformer, those of about the same length together.
import type { BoundTransformerRun } from '../bindings.js'
import { HeadwiseError } from '../errors.js'
import type { ModelConfig } from '../types/model-config.js'
import type { Engine } from './engine.js'
import type { CoreModel } from './model.js'
import { noTensor, type StoredTensor } from './record.js'
import { Scope } from './scope.js'
import type { Steps } from './steps.js'
import type { CoreTransformer } from './transformer.js'

/** Refuses a model of another kind than these. */
export function checkKind({ config }: CoreModel, kinds: readonly ModelConfig['kind'][]): void {
  if (kinds.includes(config.kind)) return
  throw new HeadwiseError({
    code: 'UNSUPPORTED',
    argument: 'model',
    expected: `a model of the kind ${kinds.join(' or ')}`,
    received: `one of the kind ${config.kind}`,
  })
}

/** Tokens of a batch: enough for the products to be fast, and a block is a slice of some 50 ms. */
const batchTokens = 512

/** Sequences that run together, as indices into what was given, and their common length. */
export interface SentenceBatch {
  rows: number[]
  length: number
}

/** The sequences of `used` by rising length, at most a tenth of a batch being padding. */
export function batchesOf(
  used: readonly number[],
  lengthOf: (row: number) => number,
  mostTokens = batchTokens,
): SentenceBatch[] {
  const most = Math.min(mostTokens, batchTokens)
  const batches: SentenceBatch[] = []
  let open: SentenceBatch | undefined
  for (const row of [...used].sort((a, b) => lengthOf(a) - lengthOf(b) || a - b)) {
    const length = lengthOf(row)
    const fits =
      open !== undefined &&
      (open.rows.length + 1) * length <= most &&
      length <= 1.1 * lengthOf(open.rows[0] ?? row)
    if (open === undefined || !fits) batches.push((open = { rows: [], length }))
    open.rows.push(row)
    open.length = length
  }
  return batches
}

/** One array [B, S] out of a row for each, filled up. */
export function padded(rows: readonly Int32Array[], length: number, fill: number): Int32Array {
  const array = new Int32Array(rows.length * length).fill(fill)
  rows.forEach((row, i) => array.set(row, i * length))
  return array
}

/** Ids in WebAssembly memory, filled up, with which of them are real. */
interface StoredIds {
  dims: [batch: number, length: number]
  ids: number
  keyMask: number
}

/** A batch in WebAssembly memory. */
export interface StoredBatch extends StoredIds {
  typeIds: number
  /** What the decoder of an encoder-decoder reads. */
  decoder?: StoredIds
}

function storeIds(scope: Scope, ids: readonly Int32Array[], padId: number): StoredIds {
  const length = Math.max(...ids.map((row) => row.length))
  const mask = new Uint8Array(ids.length * length)
  ids.forEach((row, i) => mask.fill(1, i * length, i * length + row.length))
  return {
    dims: [ids.length, length],
    ids: scope.bytes(padded(ids, length, padId), 'ids'),
    keyMask: scope.bytes(mask, 'keyMask'),
  }
}

export function storeBatch(
  scope: Scope,
  sequences: readonly { ids: Int32Array; decoderIds?: Int32Array }[],
  padId: number,
): StoredBatch {
  const stored = storeIds(
    scope,
    sequences.map(({ ids }) => ids),
    padId,
  )
  const decoder = sequences.flatMap(({ decoderIds }) => decoderIds ?? [])
  return {
    ...stored,
    typeIds: scope.bytes(new Int32Array(stored.dims[0] * stored.dims[1]), 'typeIds'),
    ...(decoder.length > 0 && { decoder: storeIds(scope, decoder, padId) }),
  }
}

export interface BatchRun {
  names?: string
  /** The hidden state by default. */
  output?: 'none' | 'hidden' | 'head'
  stopAtLayer?: number
  /** The first layer that runs, on a stream and what the encoder made at these addresses. */
  start?: { layer: number; stream: number; encoded: number }
}

/** Runs a batch, a block a slice. */
export function* runBatch(
  { engine, bound }: CoreTransformer,
  run: BoundTransformerRun,
  { dims, ids, typeIds, keyMask, decoder }: StoredBatch,
  { names = '', output = 'hidden', stopAtLayer = -1, start }: BatchRun,
): Steps<void> {
  if (start !== undefined) run.startAt(start.layer, start.stream, start.encoded)
  if (decoder !== undefined) run.maskDecoder(decoder.keyMask)
  engine.record
    .begin()
    .tensor({ address: ids, dims })
    .tensor(decoder === undefined ? noTensor : { address: decoder.ids, dims: decoder.dims })
    .tensor(noTensor) // image
    .number(typeIds)
    .number(keyMask)
    .number(stopAtLayer)
    .number(['none', 'hidden', 'head'].indexOf(output)) // in C++'s order
    .send()
  engine.check(run.begin(bound, null, names))
  for (;;) {
    engine.check(run.step())
    if (run.done) return
    yield
  }
}

/** Where the run keeps its activations, in the order of use. */
export function activationsOf(engine: Engine, run: BoundTransformerRun): StoredTensor[] {
  return Array.from({ length: run.activationCount }, (_, index) => {
    run.activationTensor(index)
    return engine.record.tensors(1)[0] ?? noTensor
  })
}

/** What is done with the patterns [B, H, S, S] of one layer. */
type TakePatterns = (layer: number, patterns: StoredTensor) => void

/**
 * Runs sequences for their patterns, which stay where they are; a layer of them a slice. Of two stacks
 * it is the encoder that reads them.
 */
export function* overPatterns(
  { transformer, tokenizer, config }: CoreModel,
  ids: readonly Int32Array[],
  prepare: (scope: Scope, batch: StoredBatch) => TakePatterns,
): Steps<void> {
  const { engine } = transformer
  const scope = new Scope(engine)
  try {
    const hasDecoder = config.kind === 'encoder-decoder'
    // A decoder is given its first tokens, which it never comes to read.
    const start = hasDecoder && { decoderIds: Int32Array.from(config.generation?.startIds ?? [0]) }
    const sequences = ids.map((row) => ({ ids: row, ...start }))
    const batch = storeBatch(scope, sequences, tokenizer.padId)
    const take = prepare(scope, batch)
    const run = scope.own(new engine.bindings.TransformerRun())
    const names = `${hasDecoder ? 'encoder' : 'blocks'}.*.attn.hook_pattern`
    yield* runBatch(transformer, run, batch, { names, output: 'none' })
    for (const [layer, patterns] of activationsOf(engine, run).entries()) {
      take(layer, patterns)
      yield
    }
  } finally {
    scope.end()
  }
}
