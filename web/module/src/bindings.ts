// What cpp/bindings exports, as TypeScript sees it. Addresses and sizes are plain numbers.

import type { ParameterParts } from './types/multi-head-attention.js'

/** Empty `code` is success. */
export interface Status {
  code: string
  argument: string
  expected: string
  received: string
}

export type Dims = [number, number, number, number, number, number, number, number]

/** A tensor in WebAssembly memory; rank 0 = none. */
export interface TensorValue {
  address: number
  rank: number
  dims: Dims
}

export interface VisibilityValue {
  mask: TensorValue
  maskIsBoolean: boolean
  keyMask: TensorValue
  causal: boolean
  causalOffset: number | undefined
  windowLeft: number
  windowRight: number
  softcap: number
  headMask: TensorValue
  scoresPoint: number
  returnWeights: boolean
}

export interface AttentionValue {
  query: TensorValue
  key: TensorValue
  value: TensorValue
  pastKey: TensorValue
  pastValue: TensorValue
  numHeads: number | undefined
  kvHeads: number | undefined
  scale: number | undefined
  visibility: VisibilityValue
  kvLengths: TensorValue
}

/** An object that lives in WebAssembly memory until `delete()`. */
export interface BoundObject {
  delete(): void
}

/** Work that is done in slices: tasks [first, last) at a time. */
export interface AttentionOperation extends BoundObject {
  /** Appends the call's keys and values to the cache, unless it fails. */
  prepare(call: AttentionValue, cache: BoundKeyValueCache | null): Status
  readonly tasks: number
  readonly taskCost: number
  run(first: number, last: number): void
  readonly output: TensorValue
  readonly scores: TensorValue
  readonly weights: TensorValue
  readonly presentKey: TensorValue
  readonly presentValue: TensorValue
}

export interface BoundKeyValueCache extends BoundObject {
  create(sizes: {
    batch: number
    kvHeads: number
    headDim: number
    valueHeadDim: number
    capacity: number
  }): Status
  truncate(length: number): Status
  length(): number
  copyKeys(address: number): void
  copyValues(address: number): void
}

export interface TransformerValue {
  numLayers: number
  numHeads: number
  dModel: number
  dMlp: number
  vocabulary: number
  maxPositions: number
  tokenTypes: number
  normEpsilon: number
  int8: boolean
}

/** Lists of names are the lines of one text; bare numbers are addresses. */
export interface BoundTransformer extends BoundObject {
  create(config: TransformerValue): Status
  setParameter(name: string, values: TensorValue): Status
  /** `outliers` has rank 1; `positions` is the address of a row and a column for each. */
  setParameterInt8(
    name: string,
    values: TensorValue,
    scales: number,
    positions: number,
    outliers: TensorValue,
  ): Status
  setRows(name: string, rowIds: number, values: TensorValue): Status
  setRowsInt8(name: string, rowIds: number, values: TensorValue, scales: number): Status
  readyBlocks(): number
  readyPatterns(): number
  parameterCount(): number
  activationNames(): string
  missingParameters(): string
}

export interface InterventionValue {
  name: string
  head: number | undefined
  /** zero, values, mean, noise, shuffle: 0 to 4 */
  kind: number
  values: TensorValue
  deviation: number
  seed: number
}

export interface RunValue {
  /** [B, S] */
  ids: TensorValue
  typeIds: number
  keyMask: number
  names: string
  /** -1 = none */
  stopAtLayer: number
  output: boolean
}

export interface BoundTransformerRun extends BoundObject {
  addIntervention(intervention: InterventionValue): void
  begin(transformer: BoundTransformer, run: RunValue): Status
  /** The embedding, or one block. */
  step(): Status
  readonly done: boolean
  readonly output: TensorValue
  readonly activationCount: number
  activationName(index: number): string
  activationTensor(index: number): TensorValue
  pool(keyMask: number, normalize: boolean, address: number): void
}

export interface RotaryValue {
  dim: number | undefined
  base: number | undefined
  scaling: number | undefined
  interleaved: boolean
}

export interface MultiHeadAttentionValue {
  dModel: number
  numHeads: number
  kvHeads: number | undefined
  headDim: number | undefined
  valueHeadDim: number | undefined
  keyInputDim: number | undefined
  valueInputDim: number | undefined
  query: TensorValue
  key: TensorValue
  value: TensorValue
  output: TensorValue
  queryBias: TensorValue
  keyBias: TensorValue
  valueBias: TensorValue
  outputBias: TensorValue
  qkv: TensorValue
  qkvBias: TensorValue
  alibiSlopes: TensorValue
  hasRotary: boolean
  rotary: RotaryValue
  alibi: boolean
}

export interface BoundMultiHeadAttention extends BoundObject {
  create(options: MultiHeadAttentionValue): Status
  parameters(): ParameterParts
}

export interface ForwardValue {
  query: TensorValue
  key: TensorValue
  value: TensorValue
  visibility: VisibilityValue
  positions: TensorValue
  returnHeads: boolean
}

export interface ForwardOperation extends BoundObject {
  /** Appends to the cache, unless it fails. */
  begin(
    layer: BoundMultiHeadAttention,
    call: ForwardValue,
    cache: BoundKeyValueCache | null,
  ): Status
  step(): Status
  readonly done: boolean
  readonly output: TensorValue
  readonly scores: TensorValue
  readonly weights: TensorValue
  readonly heads: TensorValue
}

export interface LatentInputsValue {
  queryNope: TensorValue
  queryRope: TensorValue
  latent: TensorValue
  keyRope: TensorValue
  uk: TensorValue
  uv: TensorValue
}

export interface LatentOptionsValue {
  visibility: VisibilityValue
  scale: number | undefined
  absorbed: boolean
}

export interface LatentLayerValue {
  dModel: number
  numHeads: number
  nopeDim: number
  ropeDim: number
  valueHeadDim: number
  latentDim: number
  queryLatentDim: number | undefined
  rotary: RotaryValue
  query: TensorValue
  queryDown: TensorValue
  latent: TensorValue
  uk: TensorValue
  uv: TensorValue
  output: TensorValue
}

export interface BoundLatentAttention extends BoundObject {
  create(options: LatentLayerValue): Status
}

/** A call with its results, computed at once. */
export interface LatentOperation extends BoundObject {
  attend(inputs: LatentInputsValue, options: LatentOptionsValue): Status
  forward(
    layer: BoundLatentAttention,
    call: { x: TensorValue; positions: TensorValue },
    options: LatentOptionsValue,
  ): Status
  readonly output: TensorValue
  readonly scores: TensorValue
  readonly weights: TensorValue
}

export interface Bindings {
  HEAPU8: Uint8Array<ArrayBuffer>
  HEAP8: Int8Array<ArrayBuffer>
  HEAP32: Int32Array<ArrayBuffer>
  HEAPF32: Float32Array<ArrayBuffer>
  allocate(bytes: number): number
  release(address: number): void
  memory(): { used: number; peak: number; blocks: number }
  limitMemory(bytes: number): void
  threadCount(): number
  /** Makes the pool: once, by whoever has given the module its Workers. */
  setThreadCount(threads: number): number
  AttentionOperation: new () => AttentionOperation
  KeyValueCache: new () => BoundKeyValueCache
  MultiHeadAttention: new () => BoundMultiHeadAttention
  ForwardOperation: new () => ForwardOperation
  LatentAttention: new () => BoundLatentAttention
  LatentOperation: new () => LatentOperation
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
