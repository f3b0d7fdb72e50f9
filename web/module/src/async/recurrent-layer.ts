// The calling side of a recurrent layer.
import type {
  RecurrentLayerOf,
  RecurrentLayerOptions,
  RecurrentResult,
} from '../types/recurrent-layer.js'
import type { CallOptions } from '../types/runtime.js'
import type { TensorLike } from '../types/tensor.js'
import { checkRecurrentForward, checkRecurrentLayer } from '../validate/recurrent-layer.js'
import type { Connection } from '../worker/connection.js'
import { RemoteHandle } from './remote-handle.js'

export class AsyncRecurrentLayer extends RemoteHandle implements RecurrentLayerOf<'async'> {
  static async create(
    connection: Connection,
    options: RecurrentLayerOptions,
  ): Promise<AsyncRecurrentLayer> {
    checkRecurrentLayer(options)
    const { signal, transfer } = options
    const made = await connection.call('createRecurrentLayer', [options], { signal, transfer })
    return new AsyncRecurrentLayer(connection, 'RecurrentLayer', made.handle)
  }

  async forward(x: TensorLike, options: CallOptions = {}): Promise<RecurrentResult> {
    const layer = this.reference()
    checkRecurrentForward(x, options)
    const { signal, transfer } = options
    return this.ask('recurrentForward', [layer, x, options], { signal, transfer })
  }
}
