// The multi-head attention layer on one thread.
import type { BoundMultiHeadAttention, ForwardOperation } from '../bindings.js'
import type {
  MultiHeadAttentionForwardOptions,
  MultiHeadAttentionOf,
  MultiHeadAttentionOptions,
  MultiHeadAttentionResult,
  ParameterParts,
  RotaryOptions,
} from '../types/multi-head-attention.js'
import type { TensorLike } from '../types/tensor.js'
import { checkForward, checkMultiHeadAttention } from '../validate/layer.js'
import { present, visibilityValue } from './attention.js'
import { check, type Engine } from './engine.js'
import { Handle } from './handle.js'
import { cacheOf } from './key-value-cache.js'
import { Scope } from './scope.js'
import { finish, throwIfAborted, type Steps } from './steps.js'

export class CoreMultiHeadAttention
  extends Handle<BoundMultiHeadAttention>
  implements MultiHeadAttentionOf<'sync'>
{
  readonly parameters: ParameterParts

  constructor(engine: Engine, options: MultiHeadAttentionOptions) {
    checkMultiHeadAttention(options)
    const bound = createLayer(engine, options)
    super(engine, 'MultiHeadAttention', bound)
    this.parameters = bound.parameters()
  }

  forward(x: TensorLike, options: MultiHeadAttentionForwardOptions = {}): MultiHeadAttentionResult {
    throwIfAborted(options.signal)
    return finish(this.forwardSteps(x, options))
  }

  *forwardSteps(
    x: TensorLike,
    options: MultiHeadAttentionForwardOptions = {},
  ): Steps<MultiHeadAttentionResult> {
    checkForward(x, options)
    const { engine, bound } = this
    const cache = cacheOf(options, engine)
    const lengthBefore = cache?.length ?? 0
    const scope = new Scope(engine)
    let done = false
    try {
      const operation = scope.own(new engine.bindings.ForwardOperation())
      const call = {
        query: scope.floats(x, 'query'),
        key: scope.floats(options.key, 'key'),
        value: scope.floats(options.value, 'value'),
        visibility: visibilityValue(scope, options),
        positions: scope.integerList(options.positions, 'positions'),
        returnHeads: options.returnHeads ?? false,
      }
      check(operation.begin(bound, call, cache?.bound ?? null))
      for (;;) {
        check(operation.step())
        if (operation.done) break
        yield
      }
      const result = forwardResult(engine, operation)
      done = true
      return result
    } finally {
      // A call that was aborted between slices has appended nothing.
      if (!done) cache?.rollBack(lengthBefore)
      scope.end()
    }
  }
}

function createLayer(engine: Engine, options: MultiHeadAttentionOptions): BoundMultiHeadAttention {
  const { rotary, alibi } = options
  const weights: Partial<Record<string, TensorLike>> = { ...options.weights }
  const bound = new engine.bindings.MultiHeadAttention()
  const scope = new Scope(engine)
  try {
    const weight = (name: string) => scope.floats(weights[name], `weights.${name}`)
    const status = bound.create({
      dModel: options.dModel,
      numHeads: options.numHeads,
      kvHeads: options.kvHeads,
      headDim: options.headDim,
      valueHeadDim: options.valueHeadDim,
      keyInputDim: options.keyInputDim,
      valueInputDim: options.valueInputDim,
      query: weight('query'),
      key: weight('key'),
      value: weight('value'),
      output: weight('output'),
      queryBias: weight('queryBias'),
      keyBias: weight('keyBias'),
      valueBias: weight('valueBias'),
      outputBias: weight('outputBias'),
      qkv: weight('qkv'),
      qkvBias: weight('qkvBias'),
      alibiSlopes: scope.floatList(typeof alibi === 'boolean' ? undefined : alibi, 'alibi'),
      hasRotary: rotary !== undefined,
      rotary: rotaryValue(rotary),
      alibi: alibi === true || alibi instanceof Float32Array,
    })
    check(status)
    return bound
  } catch (error) {
    bound.delete()
    throw error
  } finally {
    scope.end()
  }
}

export function rotaryValue(rotary: RotaryOptions = {}) {
  const { dim, base, scaling, interleaved = false } = rotary
  return { dim, base, scaling, interleaved }
}

function forwardResult(engine: Engine, operation: ForwardOperation): MultiHeadAttentionResult {
  return {
    output: engine.read(operation.output),
    ...present({
      scores: engine.readOptional(operation.scores),
      weights: engine.readOptional(operation.weights),
      heads: engine.readOptional(operation.heads),
    }),
  }
}
