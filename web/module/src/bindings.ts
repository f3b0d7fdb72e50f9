// What cpp/bindings exports, as TypeScript sees it. Addresses and sizes are plain numbers.

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

export interface Bindings {
  HEAPU8: Uint8Array<ArrayBuffer>
  HEAP8: Int8Array<ArrayBuffer>
  HEAP32: Int32Array<ArrayBuffer>
  HEAPF32: Float32Array<ArrayBuffer>
  allocate(bytes: number): number
  release(address: number): void
  memory(): { used: number; peak: number; blocks: number }
  limitMemory(bytes: number): void
  AttentionOperation: new () => AttentionOperation
  KeyValueCache: new () => BoundKeyValueCache
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
}) => Promise<Bindings>
