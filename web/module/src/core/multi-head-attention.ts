// The multi-head attention layer on one thread.
import type { BoundMultiHeadAttention } from '../bindings.js'
import type {
  MultiHeadAttentionForwardOptions,
  MultiHeadAttentionOf,
  MultiHeadAttentionOptions,
  MultiHeadAttentionResult,
  ParameterParts,
  RotaryOptions,
} from '../types/multi-head-attention.js'
import type { Tensor, TensorLike } from '../types/tensor.js'
import { checkForward, checkMultiHeadAttention } from '../validate/layer.js'
import { present, writeVisibility } from './attention.js'
import type { Engine } from './engine.js'
import { Handle } from './handle.js'
import { cacheOf } from './key-value-cache.js'
import type { CallRecord } from './record.js'
import { Scope } from './scope.js'
import { finish, throwIfAborted, type Steps } from './steps.js'

export class CoreMultiHeadAttention
  extends Handle<BoundMultiHeadAttention>
  implements MultiHeadAttentionOf<'sync'>
{
  readonly parameters: ParameterParts

  constructor(engine: Engine, options: MultiHeadAttentionOptions) {
    engine.checkAlive()
    checkMultiHeadAttention(options)
    throwIfAborted(options)
    const bound = createLayer(engine, options)
    super(engine, 'MultiHeadAttention', bound)
    this.parameters = bound.parameters()
  }

  forward(x: TensorLike, options: MultiHeadAttentionForwardOptions = {}): MultiHeadAttentionResult {
    return this.engine.timed('forward', () => finish(this.forwardSteps(x, options)))
  }

  *forwardSteps(
    x: TensorLike,
    options: MultiHeadAttentionForwardOptions = {},
  ): Steps<MultiHeadAttentionResult> {
    const { engine, bound } = this
    checkForward(x, options)
    const cache = cacheOf(options, engine)
    throwIfAborted(options)
    const lengthBefore = cache?.length ?? 0
    const scope = new Scope(engine)
    let done = false
    try {
      const operation = scope.borrow(engine.idle.forward, engine.bindings.ForwardOperation)
      const { record } = engine
      record
        .begin()
        .tensor(scope.floats(x, 'query'))
        .tensor(scope.floats(options.key, 'key'))
        .tensor(scope.floats(options.value, 'value'))
      writeVisibility(scope, options)
      record
        .tensor(scope.integerList(options.positions, 'positions'))
        .flag(options.returnHeads)
        .send()
      engine.check(operation.begin(bound, cache?.bound ?? null))
      for (;;) {
        engine.check(operation.step())
        if (operation.done) break
        yield
      }
      operation.results()
      const [output, scores, weights, heads] = engine.results(4)
      done = true
      return { output: output as Tensor, ...present({ scores, weights, heads }) }
    } finally {
      // A call that was aborted between slices has appended nothing.
      if (!done) cache?.rollBack(lengthBefore)
      scope.end()
    }
  }
}

/** The weights in the order in which C++ reads them. */
const weightNames = [
  'query',
  'key',
  'value',
  'output',
  'queryBias',
  'keyBias',
  'valueBias',
  'outputBias',
  'qkv',
  'qkvBias',
]

function createLayer(engine: Engine, options: MultiHeadAttentionOptions): BoundMultiHeadAttention {
  const { rotary, alibi } = options
  const weights: Partial<Record<string, TensorLike>> = { ...options.weights }
  const bound = new engine.bindings.MultiHeadAttention()
  const scope = new Scope(engine)
  try {
    const { record } = engine
    record
      .begin()
      .number(options.dModel)
      .number(options.numHeads)
      .optional(options.kvHeads)
      .optional(options.headDim)
      .optional(options.valueHeadDim)
      .optional(options.keyInputDim)
      .optional(options.valueInputDim)
    for (const name of weightNames) {
      record.tensor(scope.floats(weights[name], `weights.${name}`))
    }
    record
      .tensor(scope.floatList(typeof alibi === 'boolean' ? undefined : alibi, 'alibi'))
      .flag(alibi === true || alibi instanceof Float32Array)
      .flag(rotary !== undefined)
    if (rotary !== undefined) writeRotary(record, rotary)
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

export function writeRotary(record: CallRecord, rotary: RotaryOptions): void {
  const { dim, base, scaling, interleaved } = rotary
  record.optional(dim).optional(base).optional(scaling).flag(interleaved)
}
