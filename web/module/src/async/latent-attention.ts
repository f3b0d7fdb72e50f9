// The calling side of a latent attention layer.
import type { AttentionResult } from '../types/attention.js'
import type {
  LatentAttentionForwardOptions,
  LatentAttentionLayerOf,
  LatentAttentionOptions,
} from '../types/latent-attention.js'
import type { TensorLike } from '../types/tensor.js'
import { checkLatentForward, checkLatentLayer } from '../validate/latent-attention.js'
import type { Connection } from '../worker/connection.js'
import { RemoteHandle } from './remote-handle.js'

export class AsyncLatentAttention extends RemoteHandle implements LatentAttentionLayerOf<'async'> {
  private constructor(connection: Connection, handle: number) {
    super(connection, 'LatentAttention', handle)
  }

  static async create(
    connection: Connection,
    options: LatentAttentionOptions,
  ): Promise<AsyncLatentAttention> {
    checkLatentLayer(options)
    const { signal, transfer } = options
    const { handle } = await connection.call('createLatentAttention', [options], {
      signal,
      transfer,
    })
    return new AsyncLatentAttention(connection, handle)
  }

  async forward(
    x: TensorLike,
    options: LatentAttentionForwardOptions = {},
  ): Promise<AttentionResult> {
    const layer = this.reference()
    checkLatentForward(x, options)
    const { signal, transfer } = options
    return this.ask('latentForward', [layer, x, options], { signal, transfer })
  }
}
