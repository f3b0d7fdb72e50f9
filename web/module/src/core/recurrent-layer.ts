// The recurrent layer on one thread, some positions a slice.
import type { BoundRecurrentLayer } from '../bindings.js'
import type {
  RecurrentLayerOf,
  RecurrentLayerOptions,
  RecurrentResult,
} from '../types/recurrent-layer.js'
import type { CallOptions } from '../types/runtime.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import { checkRecurrentForward, checkRecurrentLayer } from '../validate/recurrent-layer.js'
import type { Engine } from './engine.js'
import { Handle } from './handle.js'
import { Scope } from './scope.js'
import { finish, sliceCost, throwIfAborted, type Steps } from './steps.js'

export class CoreRecurrentLayer
  extends Handle<BoundRecurrentLayer>
  implements RecurrentLayerOf<'sync'>
{
  constructor(engine: Engine, options: RecurrentLayerOptions) {
    engine.checkAlive()
    checkRecurrentLayer(options)
    throwIfAborted(options)
    super(engine, 'RecurrentLayer', createLayer(engine, options))
  }

  forward(x: TensorLike, options: CallOptions = {}): RecurrentResult {
    return this.engine.timed('forward', () => finish(this.forwardSteps(x, options)))
  }

  *forwardSteps(x: TensorLike, options: CallOptions = {}): Steps<RecurrentResult> {
    const { engine, bound } = this
    checkRecurrentForward(x, options)
    throwIfAborted(options)
    const scope = new Scope(engine)
    try {
      const operation = scope.own(new engine.bindings.RecurrentOperation())
      engine.record.begin().tensor(scope.floats(x, 'x')).send()
      engine.check(operation.begin(bound))
      const { positions, positionCost } = operation
      // A product with one row does half as many multiply-adds in the same time.
      const slice = Math.max(1, Math.floor(sliceCost / 2 / Math.max(positionCost, 1)))
      for (let first = 0; first < positions; first += slice) {
        if (first > 0) yield
        engine.check(operation.run(first, Math.min(first + slice, positions)))
      }
      operation.results()
      return { output: engine.results(1)[0] as Tensor }
    } finally {
      scope.end()
    }
  }
}

function createLayer(engine: Engine, { weights }: RecurrentLayerOptions): BoundRecurrentLayer {
  const bound = new engine.bindings.RecurrentLayer()
  const scope = new Scope(engine)
  try {
    engine.record
      .begin()
      .tensor(scope.floats(weights.input, 'weights.input'))
      .tensor(scope.floats(weights.hidden, 'weights.hidden'))
      .tensor(scope.floats(weights.bias, 'weights.bias'))
      .send()
    engine.check(bound.create())
    return bound
  } catch (error) {
    bound.delete()
    throw error
  } finally {
    scope.end()
  }
}
