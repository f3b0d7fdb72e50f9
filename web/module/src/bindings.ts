// What cpp/bindings exports, as TypeScript sees it. Addresses and sizes are plain numbers. Calls take
// their arguments from the record (core/record.ts) and write their results to it; a call that can
// fail answers whether it succeeded, and `failure` tells the rest.

import type { ParameterParts } from './types/multi-head-attention.js'

export interface Failure {
  code: string
  argument: string
  expected: string
  received: string
}

/** An object that lives in WebAssembly memory until `delete()`. */
export interface BoundObject {
  delete(): void
}

/** An object that is used for one call after another; `release` frees what the last one took. */
export interface ReusedObject extends BoundObject {
  release(): void
}

/** Work that is done in slices: tasks [first, last) at a time. */
export interface AttentionOperation extends ReusedObject {
  /** Appends the call's keys and values to the cache, unless it fails. */
  prepare(cache: BoundKeyValueCache | null): boolean
  readonly tasks: number
  readonly taskCost: number
  /** The helper threads begin at once; this one takes part in `finish`. */
  begin(first: number, last: number): void
  finish(): void
  /** Output, scores, weights, present key, present value. */
  results(): void
}

export interface BoundKeyValueCache extends BoundObject {
  /** Batch, KV heads, head dim, value head dim, capacity. */
  create(): boolean
  truncate(length: number): boolean
  length(): number
  copyKeys(address: number): void
  copyValues(address: number): void
}

/** Lists of names are the lines of one text. */
export interface BoundTransformer extends BoundObject {
  create(): boolean
  /** The values; for int8 also the address of their scales, and outliers with their positions'. */
  setParameter(name: string): boolean
  setParameterInt8(name: string): boolean
  /** The values, the address of their rows' ids; for int8 also that of their scales. */
  setRows(name: string): boolean
  setRowsInt8(name: string): boolean
  /** Writes the dims, without memory. */
  parameterDims(name: string): boolean
  /** The values as float32. */
  copyParameter(name: string, address: number): boolean
  readyBlocks(): number
  readyPatterns(): number
  parameterCount(): number
  activationNames(): string
  missingParameters(): string
}

/** The past of one text that is being generated. */
export interface BoundDecodingCache extends BoundObject {
  create(transformer: BoundTransformer, capacity: number): boolean
}

export interface BoundTransformerRun extends BoundObject {
  /** Head; zero, values, mean, noise or shuffle (0 to 4); values, deviation, seed. */
  addIntervention(name: string): void
  /**
   * The next run starts at a layer, on what enters it [B, S, dModel]; in a decoder [B, T, dModel],
   * and at `encoded` [B, S, dModel] is what the encoder made (else 0).
   */
  startAt(layer: number, stream: number, encoded: number): void
  /** Which of the next run's decoder ids are real, [B, T]. */
  maskDecoder(mask: number): void
  /**
   * Ids [B, S], decoder ids [B, T] and an image, those that are given; addresses of type ids and key
   * mask; stopAtLayer (-1 = none); the output: none, hidden, of the head, of its last position.
   * May be called again; interventions are those of one run.
   */
  begin(transformer: BoundTransformer, cache: BoundDecodingCache | null, names: string): boolean
  /** The embedding, one block, a norm, or some rows of the head. */
  step(): boolean
  readonly done: boolean
  /** Writes the output. */
  output(): void
  readonly activationCount: number
  activationName(index: number): string
  /** Writes the activation. */
  activationTensor(index: number): void
  pool(keyMask: number, normalize: boolean, address: number): void
  /** Writes what the encoder made, [B, S, dModel], of a run that came to the decoder. */
  encoded(): void
  /** Addresses of labels [B, S], losses [B] and right [B]; the ids that are never chosen between. */
  tokenLoss(): boolean
}

export interface BoundMultiHeadAttention extends BoundObject {
  create(): boolean
  parameters(): ParameterParts
}

export interface ForwardOperation extends ReusedObject {
  /** Appends to the cache, unless it fails. */
  begin(layer: BoundMultiHeadAttention, cache: BoundKeyValueCache | null): boolean
  step(): boolean
  readonly done: boolean
  /** Output, scores, weights, heads. */
  results(): void
}

export interface BoundLatentAttention extends BoundObject {
  create(): boolean
}

/** A call with its results, computed at once. */
export interface LatentOperation extends BoundObject {
  /** One of the two begins the call, which goes on by `step` until it is done. */
  attend(): boolean
  forward(layer: BoundLatentAttention): boolean
  step(): boolean
  readonly done: boolean
  /** Output, scores, weights. */
  results(): void
}

export interface BoundRecurrentLayer extends BoundObject {
  create(): boolean
}

/** Work that is done in slices: positions [first, last) at a time. */
export interface RecurrentOperation extends BoundObject {
  begin(layer: BoundRecurrentLayer): boolean
  readonly positions: number
  readonly positionCost: number
  run(first: number, last: number): boolean
  /** Output. */
  results(): void
}

/** A call with its results, computed at once. */
export interface BoundTileTrace extends BoundObject {
  /** Query, key, value; tiles of queries and keys; scale; causal. */
  compute(): boolean
  /** Scores, exponentials, maximum, sum, rescale, accumulated, output, moved. */
  results(): void
}

/** One of the analyses, in slices. */
export interface AnalysisOperation extends BoundObject {
  /** Which, by its place in `kinds` of core/analysis.ts. */
  begin(kind: number): boolean
  step(): boolean
  readonly done: boolean
  /** Writes its results, as far as they are there. */
  results(): void
}

/** What heads do, as patterns come; the last to be freed, for it points into what it was given. */
export interface BoundHeadRoles extends BoundObject {
  /**
   * Numbers of sentences and relations; addresses of offsets, heads, relation ids, halves; layers,
   * heads; whether predictions are kept.
   */
  begin(): boolean
  /** Layer; its patterns; addresses of sentences, words, kinds and ids of the tokens. */
  judge(): boolean
  beginIntervals(resamples: number, seed: number): boolean
  step(): boolean
  readonly done: boolean
  /** See C++'s HeadRoles for the eleven of them. */
  results(): void
  /** Address of 16-bit integers [words, 2, layers * heads]. */
  predicted(): number
}

export interface BoundCoreference extends BoundObject {
  /** Numbers of examples, layers, heads. */
  begin(): boolean
  /** Layer; its patterns; addresses of examples and kinds of the tokens. */
  judge(): void
  /** Values [fields, examples, layers * heads]. */
  results(): void
}

export interface Bindings {
  HEAPU8: Uint8Array<ArrayBuffer>
  HEAP8: Int8Array<ArrayBuffer>
  HEAP32: Int32Array<ArrayBuffer>
  HEAPF32: Float32Array<ArrayBuffer>
  HEAPF64: Float64Array<ArrayBuffer>
  allocate(bytes: number): number
  release(address: number): void
  memory(): { used: number; peak: number; blocks: number }
  limitMemory(bytes: number): void
  recordAddress(): number
  /** Why the last call that failed did. */
  failure(): Failure
  threadCount(): number
  /** Makes the pool: once, by whoever has given the module its Workers. */
  setThreadCount(threads: number): number
  /** For tests: the kernel of int8 weights from now on; false where quads are asked for in vain. */
  useQuads(quads: boolean): boolean
  AnalysisOperation: new () => AnalysisOperation
  AttentionOperation: new () => AttentionOperation
  Coreference: new () => BoundCoreference
  HeadRoles: new () => BoundHeadRoles
  KeyValueCache: new () => BoundKeyValueCache
  MultiHeadAttention: new () => BoundMultiHeadAttention
  ForwardOperation: new () => ForwardOperation
  LatentAttention: new () => BoundLatentAttention
  LatentOperation: new () => LatentOperation
  RecurrentLayer: new () => BoundRecurrentLayer
  RecurrentOperation: new () => RecurrentOperation
  TileTrace: new () => BoundTileTrace
  DecodingCache: new () => BoundDecodingCache
  Transformer: new () => BoundTransformer
  TransformerRun: new () => BoundTransformerRun
}

/** The default export of Emscripten's `headwise-<build>.js`. */
export type BindingsFactory = (options: {
  instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object
  print?: (text: string) => void
  printErr?: (text: string) => void
  onAbort?: (reason: unknown) => void
  /** The builds with threads only. */
  wasmMemory?: WebAssembly.Memory
  helperThreads?: number
  nextThread?: () => unknown
}) => Promise<Bindings>
