// The key/value cache in WebAssembly memory.
import type { BoundKeyValueCache } from '../bindings.js'
import { HeadwiseError, invalidArgument } from '../errors.js'
import type { AttentionOptions } from '../types/attention.js'
import type { KeyValueCacheOf, KeyValueCacheOptions } from '../types/cache.js'
import type { Tensor } from '../types/tensor.js'
import { checkCacheOptions } from '../validate/cache.js'
import { describe } from '../validate/describe.js'
import { checkSize } from '../validate/numbers.js'
import type { Engine } from './engine.js'
import { Handle } from './handle.js'
import { Scope } from './scope.js'

export class CoreKeyValueCache
  extends Handle<BoundKeyValueCache>
  implements KeyValueCacheOf<'sync'>
{
  readonly #sizes: Required<KeyValueCacheOptions>

  constructor(engine: Engine, options: KeyValueCacheOptions) {
    engine.checkAlive()
    checkCacheOptions(options)
    const sizes = { ...options, valueHeadDim: options.valueHeadDim ?? options.headDim }
    const bound = new engine.bindings.KeyValueCache()
    engine.record
      .begin()
      .number(sizes.batch)
      .number(sizes.kvHeads)
      .number(sizes.headDim)
      .number(sizes.valueHeadDim)
      .number(sizes.capacity)
      .send()
    try {
      engine.check(bound.create())
    } catch (error) {
      bound.delete()
      throw error
    }
    super(engine, 'KeyValueCache', bound)
    this.#sizes = sizes
  }

  get length(): number {
    return this.bound.length()
  }

  get capacity(): number {
    return this.#sizes.capacity
  }

  truncate(length: number): void {
    const { bound } = this
    checkSize(length, 'length', 0)
    this.engine.check(bound.truncate(length))
  }

  reset(): void {
    this.truncate(0)
  }

  /** Forgets what a call that did not end has appended; nothing when it is disposed meanwhile. */
  rollBack(length: number): void {
    if (!this.disposed && this.engine.alive && this.length > length) this.truncate(length)
  }

  keys(): Tensor {
    const { bound } = this
    return this.#copy(this.#sizes.headDim, 'keys', (address) => bound.copyKeys(address))
  }

  values(): Tensor {
    const { bound } = this
    return this.#copy(this.#sizes.valueHeadDim, 'values', (address) => bound.copyValues(address))
  }

  #copy(width: number, purpose: string, copy: (address: number) => void): Tensor {
    const dims = [this.#sizes.batch, this.#sizes.kvHeads, this.length, width]
    const scope = new Scope(this.engine)
    try {
      const size = dims.reduce((product, dim) => product * dim, 1)
      const address = scope.allocate(size * Float32Array.BYTES_PER_ELEMENT, purpose)
      copy(address)
      return this.engine.read({ address, dims })
    } finally {
      scope.end()
    }
  }
}

/** The cache that a call names, if it names one of this runtime. */
export function cacheOf(
  options: Pick<AttentionOptions, 'cache'>,
  engine: Engine,
): CoreKeyValueCache | undefined {
  const { cache } = options
  if (cache === undefined) return undefined
  if (!(cache instanceof CoreKeyValueCache)) {
    throw invalidArgument('cache', 'a KeyValueCache', describe(cache))
  }
  if (cache.disposed) {
    throw new HeadwiseError({
      code: 'DISPOSED',
      argument: 'cache',
      expected: 'a KeyValueCache in use',
      received: 'one that is disposed',
    })
  }
  if (cache.engine !== engine) {
    throw invalidArgument('cache', 'a KeyValueCache of this runtime', 'one of another runtime')
  }
  return cache
}
