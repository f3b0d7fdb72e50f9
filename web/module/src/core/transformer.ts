// A transformer in WebAssembly memory, filled parameter by parameter.
import type { BoundTransformer } from '../bindings.js'
import type { LoadedParts } from '../types/loading.js'
import type { ModelConfig } from '../types/model-config.js'
import type { Tensor } from '../types/tensor.js'
import type { Outliers, ParameterSink } from '../model/weights.js'
import type { Engine } from './engine.js'
import { configWords } from '../model/model-config.js'
import { Handle } from './handle.js'
import { noTensor, type CallRecord } from './record.js'
import { Scope } from './scope.js'

/** In the order in which cpp/bindings/transformer.cpp reads it. */
function writeConfig(record: CallRecord, c: ModelConfig): CallRecord {
  const choice = (field: keyof typeof configWords) =>
    (configWords[field] as readonly string[]).indexOf(c[field])
  const { dim = 0, base = 1, interleaved = false, scaling = 1 } = c.rotary ?? {}
  const slow = typeof scaling === 'number' ? { factor: scaling } : scaling
  const { buckets = 0, maxDistance = 0 } = c.relative ?? {}
  const { size = 0, patch = 0, channels = 0, classTokens = 0 } = c.image ?? {}
  const numbers = [
    choice('kind'),
    ...[c.numLayers, c.decoderLayers, c.numHeads, c.kvHeads, c.headDim, c.dModel, c.dMlp],
    ...[c.dEmbedding, c.vocabulary, c.maxPositions, c.tokenTypes],
    ...[choice('norm'), c.normEpsilon, choice('normPlacement'), c.embeddingNorm, c.finalNorm],
    ...[choice('positions'), c.positionOffset, dim, base, interleaved, slow.factor],
    ...('originalPositions' in slow
      ? [slow.originalPositions, slow.lowFrequencyFactor, slow.highFrequencyFactor]
      : [0, 1, 2]),
    ...[buckets, maxDistance, choice('activation')],
    ...[c.gatedMlp, c.attentionBias, c.outputBias, c.mlpBias],
    ...[c.attentionScale, c.attentionSoftcap, c.window, c.globalEvery, c.embeddingScale],
    ...[choice('head'), c.tiedHead, c.headBias, c.logitScale, c.logitSoftcap],
    ...[c.labels, size, patch, channels, classTokens, c.dtype === 'int8'],
  ]
  for (const number of numbers) record.number(Number(number))
  return record
}

export class CoreTransformer extends Handle<BoundTransformer> implements ParameterSink {
  #complete = false
  /** Names of all parameters, in the order of use. */
  readonly parameterNames: readonly string[]

  constructor(
    engine: Engine,
    readonly config: ModelConfig,
  ) {
    const bound = new engine.bindings.Transformer()
    writeConfig(engine.record.begin(), config).send()
    try {
      engine.check(bound.create())
    } catch (error) {
      bound.delete()
      throw error
    }
    super(engine, 'model', bound)
    this.parameterNames = this.missing()
  }

  get parameterCount(): number {
    return this.bound.parameterCount()
  }

  /** What has come so far. */
  get loaded(): LoadedParts {
    const { bound } = this
    return {
      blocks: bound.readyBlocks(),
      patterns: bound.readyPatterns(),
      vocabulary: this.#complete || !this.missing().includes('embed.token'),
      complete: this.#complete,
    }
  }

  /** Names of parameters that have not come, or not whole. */
  missing(): string[] {
    return this.bound.missingParameters().split('\n').filter(Boolean)
  }

  markComplete(): void {
    this.#complete = true
  }

  setFloats(name: string, values: Float32Array, dims: number[]): void {
    this.#set(name, values, dims, () => this.bound.setParameter(name))
  }

  setInt8(
    name: string,
    values: Int8Array,
    scales: Float32Array,
    dims: number[],
    outliers?: Outliers,
  ): void {
    const call = () => this.bound.setParameterInt8(name)
    this.#set(name, values, dims, call, (record, scope) => {
      record
        .number(scope.bytes(scales, name))
        .tensor(scope.floatList(outliers?.values, name))
        .number(scope.integerList(outliers?.positions, name).address)
    })
  }

  setRows(name: string, rowIds: Int32Array, values: Float32Array, dims: number[]): void {
    const call = () => this.bound.setRows(name)
    this.#set(name, values, dims, call, (record, scope) => {
      record.number(scope.bytes(rowIds, name))
    })
  }

  setRowsInt8(
    name: string,
    rowIds: Int32Array,
    values: Int8Array,
    scales: Float32Array,
    dims: number[],
  ): void {
    const call = () => this.bound.setRowsInt8(name)
    this.#set(name, values, dims, call, (record, scope) => {
      record.number(scope.bytes(rowIds, name)).number(scope.bytes(scales, name))
    })
  }

  /** A parameter's values, widened. */
  parameter(name: string): Tensor {
    const { engine, bound } = this
    engine.check(bound.parameterDims(name))
    const [{ dims } = noTensor] = engine.record.tensors(1)
    const scope = new Scope(engine)
    try {
      const size = dims.reduce((product, dim) => product * dim, 1)
      const address = scope.allocate(size * Float32Array.BYTES_PER_ELEMENT, name)
      engine.check(bound.copyParameter(name, address))
      return engine.read({ address, dims })
    } finally {
      scope.end()
    }
  }

  /** Copies the values in, and with `more` what goes with them, for the call. */
  #set(
    name: string,
    values: ArrayBufferView,
    dims: number[],
    call: () => boolean,
    more: (record: CallRecord, scope: Scope) => void = () => undefined,
  ): void {
    const { engine } = this
    const scope = new Scope(engine)
    try {
      const { record } = engine
      record.begin().tensor({ address: scope.bytes(values, name), dims })
      more(record, scope)
      record.send()
      engine.check(call())
    } finally {
      scope.end()
    }
  }
}
