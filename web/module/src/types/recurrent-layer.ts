// The recurrent layer: what attention is measured against.
import type { CallOptions, Disposable, Mode, Reply } from './runtime.js'
import type { Tensor, TensorLike } from './tensor.js'

export interface RecurrentLayerOptions extends CallOptions {
  weights: {
    /** `[width, input]`, torch's weight_ih. */
    input: TensorLike
    /** `[width, width]`, torch's weight_hh. */
    hidden: TensorLike
    /** `[width]`: the sum of torch's two biases. */
    bias?: TensorLike
  }
}

export interface RecurrentResult {
  /** [B, S, width] */
  output: Tensor
}

export interface RecurrentLayerOf<M extends Mode> extends Disposable {
  /** All positions of x [B, S, input], one after another. */
  forward(x: TensorLike, options?: CallOptions): Reply<M, RecurrentResult>
}
