// The calling side of a multi-head attention layer.
import type {
  MultiHeadAttentionForwardOptions,
  MultiHeadAttentionOf,
  MultiHeadAttentionOptions,
  MultiHeadAttentionResult,
  ParameterParts,
} from '../types/multi-head-attention.js'
import type { TensorLike } from '../types/tensor.js'
import { checkForward, checkMultiHeadAttention } from '../validate/layer.js'
import type { Connection } from '../worker/connection.js'
import { remoteCacheOf } from './key-value-cache.js'
import { RemoteHandle } from './remote-handle.js'

export class AsyncMultiHeadAttention extends RemoteHandle implements MultiHeadAttentionOf<'async'> {
  private constructor(
    connection: Connection,
    handle: number,
    readonly parameters: ParameterParts,
  ) {
    super(connection, 'MultiHeadAttention', handle)
  }

  static async create(
    connection: Connection,
    options: MultiHeadAttentionOptions,
  ): Promise<AsyncMultiHeadAttention> {
    checkMultiHeadAttention(options)
    const { signal, transfer } = options
    const made = await connection.call('createMultiHeadAttention', [options], { signal, transfer })
    return new AsyncMultiHeadAttention(connection, made.handle, made.parameters)
  }

  async forward(
    x: TensorLike,
    options: MultiHeadAttentionForwardOptions = {},
  ): Promise<MultiHeadAttentionResult> {
    const layer = this.reference()
    checkForward(x, options)
    remoteCacheOf(options, this.connection)
    const { signal, transfer } = options
    return this.ask('forward', [layer, x, options], { signal, transfer })
  }
}
