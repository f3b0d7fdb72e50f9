// A transformer in WebAssembly memory, filled parameter by parameter.
import type { BoundTransformer, Status } from '../bindings.js'
import type { LoadedParts, ModelConfig } from '../types/model.js'
import type { Outliers, ParameterSink } from '../model/weights.js'
import { check, tensorValue, type Engine } from './engine.js'
import { Handle } from './handle.js'
import { Scope } from './scope.js'

export class CoreTransformer extends Handle<BoundTransformer> implements ParameterSink {
  #complete = false

  constructor(
    engine: Engine,
    readonly config: ModelConfig,
  ) {
    const bound = new engine.bindings.Transformer()
    const status = bound.create({ ...config, int8: config.dtype === 'int8' })
    if (status.code !== '') bound.delete()
    check(status)
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
    this.#set((scope) =>
      this.bound.setParameter(name, tensorValue(scope.bytes(values, name), dims)),
    )
  }

  setInt8(
    name: string,
    values: Int8Array,
    scales: Float32Array,
    dims: number[],
    outliers?: Outliers,
  ): void {
    this.#set((scope) => {
      const tensor = tensorValue(scope.bytes(values, name), dims)
      return this.bound.setParameterInt8(
        name,
        tensor,
        scope.bytes(scales, name),
        scope.integerList(outliers?.positions, name).address,
        scope.floatList(outliers?.values, name),
      )
    })
  }

  setRows(name: string, rowIds: Int32Array, values: Float32Array, dims: number[]): void {
    this.#set((scope) => {
      const tensor = tensorValue(scope.bytes(values, name), dims)
      return this.bound.setRows(name, scope.bytes(rowIds, name), tensor)
    })
  }

  setRowsInt8(
    name: string,
    rowIds: Int32Array,
    values: Int8Array,
    scales: Float32Array,
    dims: number[],
  ): void {
    this.#set((scope) => {
      const tensor = tensorValue(scope.bytes(values, name), dims)
      const ids = scope.bytes(rowIds, name)
      return this.bound.setRowsInt8(name, ids, tensor, scope.bytes(scales, name))
    })
  }

  #set(set: (scope: Scope) => Status): void {
    const scope = new Scope(this.engine)
    try {
      check(set(scope))
    } finally {
      scope.end()
    }
  }
}
