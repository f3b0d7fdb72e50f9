// A transformer in WebAssembly memory, filled parameter by parameter.
import type { BoundTransformer } from '../bindings.js'
import type { LoadedParts, ModelConfig } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import type { Outliers, ParameterSink } from '../model/weights.js'
import type { Engine } from './engine.js'
import { Handle } from './handle.js'
import { noTensor, type CallRecord } from './record.js'
import { Scope } from './scope.js'

export class CoreTransformer extends Handle<BoundTransformer> implements ParameterSink {
  #complete = false

  constructor(
    engine: Engine,
    readonly config: ModelConfig,
  ) {
    const bound = new engine.bindings.Transformer()
    engine.record
      .begin()
      .number(config.numLayers)
      .number(config.numHeads)
      .number(config.dModel)
      .number(config.dMlp)
      .number(config.vocabulary)
      .number(config.maxPositions)
      .number(config.tokenTypes)
      .number(config.normEpsilon)
      .flag(config.dtype === 'int8')
      .send()
    try {
      engine.check(bound.create())
    } catch (error) {
      bound.delete()
      throw error
    }
    super(engine, 'model', bound)
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
