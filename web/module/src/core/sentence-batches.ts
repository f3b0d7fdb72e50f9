// Many sequences through a transformer, those of about the same length together.
import type { BoundTransformerRun } from '../bindings.js'
import { HeadwiseError } from '../errors.js'
import type { ModelConfig } from '../types/model.js'
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
): SentenceBatch[] {
  const batches: SentenceBatch[] = []
  let open: SentenceBatch | undefined
  for (const row of [...used].sort((a, b) => lengthOf(a) - lengthOf(b) || a - b)) {
    const length = lengthOf(row)
    const fits =
      open !== undefined &&
      (open.rows.length + 1) * length <= batchTokens &&
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

/** A batch in WebAssembly memory. */
export interface StoredBatch {
  dims: [batch: number, length: number]
  ids: number
  typeIds: number
  keyMask: number
}

export function storeBatch(scope: Scope, ids: readonly Int32Array[], padId: number): StoredBatch {
  const length = Math.max(...ids.map((row) => row.length))
  const mask = new Uint8Array(ids.length * length)
  ids.forEach((row, i) => mask.fill(1, i * length, i * length + row.length))
  return {
    dims: [ids.length, length],
    ids: scope.bytes(padded(ids, length, padId), 'ids'),
    typeIds: scope.bytes(new Int32Array(ids.length * length), 'typeIds'),
    keyMask: scope.bytes(mask, 'keyMask'),
  }
}

export interface BatchRun {
  names?: string
  output?: boolean
  stopAtLayer?: number
  /** The first layer that runs, on a stream at this address. */
  start?: { layer: number; stream: number }
}

/** Runs a batch, a block a slice. */
export function* runBatch(
  { engine, bound }: CoreTransformer,
  run: BoundTransformerRun,
  { dims, ids, typeIds, keyMask }: StoredBatch,
  { names = '', output = true, stopAtLayer = -1, start }: BatchRun,
): Steps<void> {
  if (start !== undefined) run.startAt(start.layer, start.stream)
  engine.record
    .begin()
    .tensor({ address: ids, dims })
    .tensor(noTensor) // decoder ids
    .tensor(noTensor) // image
    .number(typeIds)
    .number(keyMask)
    .number(stopAtLayer)
    .number(output ? 1 : 0) // the hidden state, or none
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

/** Runs sequences for their patterns, which stay where they are; a layer of them a slice. */
export function* overPatterns(
  { transformer, tokenizer }: CoreModel,
  ids: readonly Int32Array[],
  prepare: (scope: Scope, batch: StoredBatch) => TakePatterns,
): Steps<void> {
  const { engine } = transformer
  const scope = new Scope(engine)
  try {
    const batch = storeBatch(scope, ids, tokenizer.padId)
    const take = prepare(scope, batch)
    const run = scope.own(new engine.bindings.TransformerRun())
    const names = 'blocks.*.attn.hook_pattern'
    yield* runBatch(transformer, run, batch, { names, output: false })
    for (const [layer, patterns] of activationsOf(engine, run).entries()) {
      take(layer, patterns)
      yield
    }
  } finally {
    scope.end()
  }
}
