// The calling side of a key/value cache.
import { HeadwiseError, invalidArgument } from '../errors.js'
import type { AttentionOptions } from '../types/attention.js'
import type { KeyValueCacheOf, KeyValueCacheOptions } from '../types/cache.js'
import type { Tensor } from '../types/tensor.js'
import { checkCacheOptions } from '../validate/cache.js'
import { describe } from '../validate/describe.js'
import { checkSize } from '../validate/numbers.js'
import type { Connection } from '../worker/connection.js'
import { RemoteHandle } from './remote-handle.js'

export class AsyncKeyValueCache extends RemoteHandle implements KeyValueCacheOf<'async'> {
  #length = 0

  private constructor(
    connection: Connection,
    handle: number,
    readonly capacity: number,
  ) {
    super(connection, 'KeyValueCache', handle)
  }

  static async create(
    connection: Connection,
    options: KeyValueCacheOptions,
  ): Promise<AsyncKeyValueCache> {
    checkCacheOptions(options)
    const { handle } = await connection.call('createKeyValueCache', [options])
    return new AsyncKeyValueCache(connection, handle, options.capacity)
  }

  get length(): number {
    this.reference()
    return this.#length
  }

  /** Takes the length that came with a reply. */
  mirror(length: number): void {
    this.#length = length
  }

  async truncate(length: number): Promise<void> {
    const cache = this.reference()
    checkSize(length, 'length', 0)
    await this.ask('truncateCache', [cache, length])
  }

  reset(): Promise<void> {
    return this.truncate(0)
  }

  async keys(): Promise<Tensor> {
    return this.ask('cacheKeys', [this.reference()])
  }

  async values(): Promise<Tensor> {
    return this.ask('cacheValues', [this.reference()])
  }
}

/** The cache that a call names, if it names one of this runtime. */
export function remoteCacheOf(
  { cache }: Pick<AttentionOptions, 'cache'>,
  connection: Connection,
): AsyncKeyValueCache | undefined {
  if (cache === undefined) return undefined
  if (!(cache instanceof AsyncKeyValueCache)) {
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
  if (cache.connection !== connection) {
    throw invalidArgument('cache', 'a KeyValueCache of this runtime', 'one of another runtime')
  }
  return cache
}
