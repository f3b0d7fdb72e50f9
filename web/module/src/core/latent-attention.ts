// Latent attention on one thread: the op on projected inputs, and the layer.
import type { BoundLatentAttention, LatentOperation } from '../bindings.js'
import type { AttentionResult } from '../types/attention.js'
import type {
  LatentAttentionForwardOptions,
  LatentAttentionInputs,
  LatentAttentionLayerOf,
  LatentAttentionOptions,
  LatentAttentionRunOptions,
} from '../types/latent-attention.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import {
  checkLatentForward,
  checkLatentInputs,
  checkLatentLayer,
} from '../validate/latent-attention.js'
import { present, writeVisibility } from './attention.js'
import type { Engine } from './engine.js'
import { Handle } from './handle.js'
import { writeRotary } from './multi-head-attention.js'
import { Scope } from './scope.js'
import { finish, throwIfAborted, type Steps } from './steps.js'

export function* latentAttentionSteps(
  engine: Engine,
  inputs: LatentAttentionInputs,
  options: LatentAttentionRunOptions = {},
): Steps<AttentionResult> {
  engine.checkAlive()
  checkLatentInputs(inputs, options)
  throwIfAborted(options)
  return yield* operationSteps(engine, (operation, scope) => {
    engine.record
      .begin()
      .tensor(scope.floats(inputs.queryNope, 'queryNope'))
      .tensor(scope.floats(inputs.queryRope, 'queryRope'))
      .tensor(scope.floats(inputs.latent, 'latent'))
      .tensor(scope.floats(inputs.keyRope, 'keyRope'))
      .tensor(scope.floats(inputs.weights.uk, 'weights.uk'))
      .tensor(scope.floats(inputs.weights.uv, 'weights.uv'))
    sendOptions(scope, options)
    return operation.attend()
  })
}

export class CoreLatentAttention
  extends Handle<BoundLatentAttention>
  implements LatentAttentionLayerOf<'sync'>
{
  constructor(engine: Engine, options: LatentAttentionOptions) {
    engine.checkAlive()
    checkLatentLayer(options)
    throwIfAborted(options)
    super(engine, 'LatentAttention', createLayer(engine, options))
  }

  forward(x: TensorLike, options: LatentAttentionForwardOptions = {}): AttentionResult {
    return this.engine.timed('forward', () => finish(this.forwardSteps(x, options)))
  }

  *forwardSteps(
    x: TensorLike,
    options: LatentAttentionForwardOptions = {},
  ): Steps<AttentionResult> {
    const { bound, engine } = this
    checkLatentForward(x, options)
    throwIfAborted(options)
    return yield* operationSteps(engine, (operation, scope) => {
      engine.record
        .begin()
        .tensor(scope.floats(x, 'x'))
        .tensor(scope.integerList(options.positions, 'positions'))
      sendOptions(scope, options)
      return operation.forward(bound)
    })
  }
}

/** The weights in the order in which C++ reads them. */
const weightNames = ['query', 'queryDown', 'latent', 'uk', 'uv', 'output']

function createLayer(engine: Engine, options: LatentAttentionOptions): BoundLatentAttention {
  const weights: Partial<Record<string, TensorLike>> = { ...options.weights }
  const bound = new engine.bindings.LatentAttention()
  const scope = new Scope(engine)
  try {
    const { record } = engine
    record
      .begin()
      .number(options.dModel)
      .number(options.numHeads)
      .number(options.nopeDim)
      .number(options.ropeDim)
      .number(options.valueHeadDim)
      .number(options.latentDim)
      .optional(options.queryLatentDim)
    for (const name of weightNames) {
      record.tensor(scope.floats(weights[name], `weights.${name}`))
    }
    writeRotary(record, options.rotary ?? {})
    record.send()
    engine.check(bound.create())
    return bound
  } catch (error) {
    bound.delete()
    throw error
  } finally {
    scope.end()
  }
}

function sendOptions(scope: Scope, options: LatentAttentionRunOptions): void {
  const { record } = scope.engine
  record.optional(options.scale).flag(options.form === 'absorbed')
  writeVisibility(scope, options)
  record.send()
}

function* operationSteps(
  engine: Engine,
  begin: (operation: LatentOperation, scope: Scope) => boolean,
): Steps<AttentionResult> {
  const scope = new Scope(engine)
  try {
    const operation = scope.own(new engine.bindings.LatentOperation())
    engine.check(begin(operation, scope))
    for (;;) {
      engine.check(operation.step())
      if (operation.done) break
      yield
    }
    operation.results()
    const [output, scores, weights] = engine.results(3)
    return { output: output as Tensor, ...present({ scores, weights }) }
  } finally {
    scope.end()
  }
}
