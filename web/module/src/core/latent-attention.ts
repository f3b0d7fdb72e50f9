// Latent attention on one thread: the op on projected inputs, and the layer.
import type { BoundLatentAttention, LatentOperation, LatentOptionsValue } from '../bindings.js'
import type { AttentionResult } from '../types/attention.js'
import type {
  LatentAttentionForwardOptions,
  LatentAttentionInputs,
  LatentAttentionLayerOf,
  LatentAttentionOptions,
  LatentAttentionRunOptions,
} from '../types/latent-attention.js'
import type { TensorLike } from '../types/tensor.js'
import {
  checkLatentForward,
  checkLatentInputs,
  checkLatentLayer,
} from '../validate/latent-attention.js'
import { present, visibilityValue } from './attention.js'
import { check, type Engine } from './engine.js'
import { Handle } from './handle.js'
import { rotaryValue } from './multi-head-attention.js'
import { Scope } from './scope.js'
import { throwIfAborted } from './steps.js'

export function latentAttention(
  engine: Engine,
  inputs: LatentAttentionInputs,
  options: LatentAttentionRunOptions,
): AttentionResult {
  checkLatentInputs(inputs, options)
  return withOperation(engine, (operation, scope) =>
    operation.attend(
      {
        queryNope: scope.floats(inputs.queryNope, 'queryNope'),
        queryRope: scope.floats(inputs.queryRope, 'queryRope'),
        latent: scope.floats(inputs.latent, 'latent'),
        keyRope: scope.floats(inputs.keyRope, 'keyRope'),
        uk: scope.floats(inputs.weights.uk, 'weights.uk'),
        uv: scope.floats(inputs.weights.uv, 'weights.uv'),
      },
      optionsValue(scope, options),
    ),
  )
}

export class CoreLatentAttention
  extends Handle<BoundLatentAttention>
  implements LatentAttentionLayerOf<'sync'>
{
  constructor(engine: Engine, options: LatentAttentionOptions) {
    checkLatentLayer(options)
    super(engine, 'LatentAttention', createLayer(engine, options))
  }

  forward(x: TensorLike, options: LatentAttentionForwardOptions = {}): AttentionResult {
    throwIfAborted(options.signal)
    checkLatentForward(x, options)
    const { bound } = this
    return withOperation(this.engine, (operation, scope) => {
      const call = {
        x: scope.floats(x, 'x'),
        positions: scope.integerList(options.positions, 'positions'),
      }
      return operation.forward(bound, call, optionsValue(scope, options))
    })
  }
}

function createLayer(engine: Engine, options: LatentAttentionOptions): BoundLatentAttention {
  const weights: Partial<Record<string, TensorLike>> = { ...options.weights }
  const bound = new engine.bindings.LatentAttention()
  const scope = new Scope(engine)
  try {
    const weight = (name: string) => scope.floats(weights[name], `weights.${name}`)
    const { dModel, numHeads, nopeDim, ropeDim, valueHeadDim, latentDim, queryLatentDim } = options
    check(
      bound.create({
        dModel,
        numHeads,
        nopeDim,
        ropeDim,
        valueHeadDim,
        latentDim,
        queryLatentDim,
        rotary: rotaryValue(options.rotary),
        query: weight('query'),
        queryDown: weight('queryDown'),
        latent: weight('latent'),
        uk: weight('uk'),
        uv: weight('uv'),
        output: weight('output'),
      }),
    )
    return bound
  } catch (error) {
    bound.delete()
    throw error
  } finally {
    scope.end()
  }
}

function optionsValue(scope: Scope, options: LatentAttentionRunOptions): LatentOptionsValue {
  return {
    visibility: visibilityValue(scope, options),
    scale: options.scale,
    absorbed: options.form === 'absorbed',
  }
}

function withOperation(
  engine: Engine,
  run: (operation: LatentOperation, scope: Scope) => Parameters<typeof check>[0],
): AttentionResult {
  const scope = new Scope(engine)
  try {
    const operation = scope.own(new engine.bindings.LatentOperation())
    check(run(operation, scope))
    return {
      output: engine.read(operation.output),
      ...present({
        scores: engine.readOptional(operation.scores),
        weights: engine.readOptional(operation.weights),
      }),
    }
  } finally {
    scope.end()
  }
}
