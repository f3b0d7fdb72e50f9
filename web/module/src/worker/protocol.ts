// What crosses between the calling thread and the Worker: one message a call, one a reply. Values
// are plain: tensors as { data, dims }, handles as { handle }, errors as their facts.
import { HeadwiseError, type ErrorFacts } from '../errors.js'
import type { RunBatch, RunTensors } from '../model/run-result.js'
import type { ResolvedSource } from '../model/source.js'
import type {
  HeadSimilarityOptions,
  LowRankFitOptions,
  LowRankFitResult,
  PrincipalAnglesResult,
  PrincipalComponentsOptions,
  PrincipalComponentsResult,
  SvdOptions,
  SvdResult,
} from '../types/analysis.js'
import type { AttentionOptions, AttentionResult } from '../types/attention.js'
import type { KeyValueCacheOptions } from '../types/cache.js'
import type {
  LatentAttentionForwardOptions,
  LatentAttentionInputs,
  LatentAttentionOptions,
  LatentAttentionRunOptions,
} from '../types/latent-attention.js'
import type { GenerateOptions } from '../types/generation.js'
import type { LoadModelOptions, LoadedParts } from '../types/loading.js'
import type { EmbedOptions, RunInput, RunOptions } from '../types/model.js'
import type { ModelConfig } from '../types/model-config.js'
import type { Encoding } from '../types/tokens.js'
import type {
  MultiHeadAttentionForwardOptions,
  MultiHeadAttentionOptions,
  MultiHeadAttentionResult,
  ParameterParts,
} from '../types/multi-head-attention.js'
import type { RecurrentLayerOptions, RecurrentResult } from '../types/recurrent-layer.js'
import type { EngineOptions } from '../core/create-engine.js'
import type { HeadAnalysis } from '../core/head-analyses.js'
import type { WorkTime } from '../core/work-timer.js'
import type { CallOptions, RuntimeInfo, TimedCall } from '../types/runtime.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import type { TileTrace, TileTraceOptions } from '../types/tile-trace.js'
import { describe } from '../validate/describe.js'

/** Stands for an object that lives on the other side. */
export interface HandleReference {
  handle: number
}

/** A model and what is plain about it. */
export interface LoadedModel extends HandleReference {
  config: ModelConfig
  parameters: number
  weightNames: readonly string[]
  loaded: LoadedParts
}

/** Everything the Worker can be asked for: name, arguments, answer. */
export interface Operations {
  start(options: EngineOptions): undefined
  attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: AttentionOptions,
  ): AttentionResult
  createKeyValueCache(options: KeyValueCacheOptions): HandleReference
  truncateCache(cache: HandleReference, length: number): undefined
  cacheKeys(cache: HandleReference): Tensor
  cacheValues(cache: HandleReference): Tensor
  createMultiHeadAttention(options: MultiHeadAttentionOptions): HandleReference & {
    parameters: ParameterParts
  }
  forward(
    layer: HandleReference,
    x: TensorLike,
    options: MultiHeadAttentionForwardOptions,
  ): MultiHeadAttentionResult
  createLatentAttention(options: LatentAttentionOptions): HandleReference
  latentForward(
    layer: HandleReference,
    x: TensorLike,
    options: LatentAttentionForwardOptions,
  ): AttentionResult
  latentAttention(
    inputs: LatentAttentionInputs,
    options: LatentAttentionRunOptions,
  ): AttentionResult
  createRecurrentLayer(options: RecurrentLayerOptions): HandleReference
  recurrentForward(layer: HandleReference, x: TensorLike, options: CallOptions): RecurrentResult
  traceTiles(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options: TileTraceOptions,
  ): TileTrace
  svd(x: TensorLike, options: SvdOptions): SvdResult
  principalComponents(x: TensorLike, options: PrincipalComponentsOptions): PrincipalComponentsResult
  principalAngles(
    a: TensorLike,
    b: TensorLike | undefined,
    options: CallOptions,
  ): PrincipalAnglesResult
  headSimilarity(x: TensorLike, options: HeadSimilarityOptions): Tensor
  /** With an event for every d_k. */
  lowRankFit(pattern: TensorLike, options: LowRankFitOptions): LowRankFitResult
  /** With the port that leads to the caller's own `fetch`, where there is one. */
  loadModel(source: ResolvedSource, options: LoadModelOptions, fetch?: MessagePort): LoadedModel
  /** Answers when everything is loaded, with events until then. Its abort stops the loading. */
  whenLoaded(model: HandleReference): LoadedParts
  encode(model: HandleReference, text: string, pair: string | undefined): Encoding
  run(
    model: HandleReference,
    input: RunInput,
    options: RunOptions,
  ): RunTensors & { batch: RunBatch }
  embed(model: HandleReference, texts: readonly string[], options: EmbedOptions): Tensor
  /** Answers at the end, with an event for each part. */
  generate(
    model: HandleReference,
    prompt: string | readonly number[] | Int32Array,
    options: GenerateOptions,
  ): undefined
  weight(model: HandleReference, name: string): Tensor
  /** With events: progress, partial results. */
  analyseHeads(model: HandleReference, kind: HeadAnalysis, input: unknown, options: object): unknown
  dispose(handle: HandleReference): undefined
}

export type OperationName = keyof Operations

/** The operations that compute, by the names of the calls that ask for them. */
export const timedCalls: Partial<Record<OperationName, TimedCall>> = {
  attention: 'attention',
  forward: 'forward',
  latentForward: 'forward',
  recurrentForward: 'forward',
  latentAttention: 'latentAttention',
  run: 'run',
  embed: 'embed',
}

/** Calling thread to Worker. */
export type ToWorker =
  | { type: 'hello'; lock: string }
  | { type: 'call'; id: number; op: OperationName; args: unknown[] }
  | { type: 'abort'; id: number }

/** What every reply carries besides its value: numbers that are plain on the other side. */
export interface Mirrors {
  info: RuntimeInfo | undefined
  /** Lengths of the caches that the call touched, by handle. */
  lengths: Record<number, number>
}

/** Worker to calling thread. */
export type FromWorker =
  | { type: 'ready' }
  | { type: 'value'; id: number; value: unknown; mirrors: Mirrors; work: WorkTime | undefined }
  | { type: 'error'; id: number; error: PostedError; mirrors: Mirrors }
  | { type: 'event'; id: number; name: string; detail: unknown }
  | { type: 'warning'; message: string }
  /** The patterns of a tokenizer.json run, or have ended: nothing else is heard in between. */
  | { type: 'tokenizing'; isRunning: boolean }

export interface PostedError {
  facts: ErrorFacts
  cause: string | undefined
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? String(cause) : describe(cause)
}

/** An error as it is posted. What is no HeadwiseError is a fault of ours: `INTERNAL`. */
export function packError(error: unknown): PostedError {
  if (error instanceof HeadwiseError) {
    const { code, argument, expected, received, cause } = error
    const text = cause === undefined ? undefined : describeCause(cause)
    return { facts: { code, argument, expected, received }, cause: text }
  }
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  const facts: ErrorFacts = {
    code: 'INTERNAL',
    argument: 'headwise',
    expected: 'no failure here',
    received: error instanceof Error ? error.message : text,
  }
  return { facts, cause: text }
}

export function unpackError({ facts, cause }: PostedError): HeadwiseError {
  return new HeadwiseError(facts, cause === undefined ? undefined : { cause })
}
