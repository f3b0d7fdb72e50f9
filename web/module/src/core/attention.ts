// The attention op on one thread: inputs copied in, tasks run in slices, results copied out.
import type { AttentionOperation, VisibilityValue } from '../bindings.js'
import type {
  AttentionOptions,
  AttentionResult,
  ReturnOptions,
  VisibilityOptions,
} from '../types/attention.js'
import type { BooleanTensorLike, Tensor, TensorLike } from '../types/tensor.js'
import { checkAttention, scoresPoints } from '../validate/attention.js'
import { check, type Engine } from './engine.js'
import { cacheOf } from './key-value-cache.js'
import { Scope } from './scope.js'
import { sliceCost, type Steps } from './steps.js'

export function* attentionSteps(
  engine: Engine,
  query: TensorLike,
  key: TensorLike,
  value: TensorLike,
  options: AttentionOptions = {},
): Steps<AttentionResult> {
  checkAttention(query, key, value, options)
  const cache = cacheOf(options, engine)
  const lengthBefore = cache?.length ?? 0
  const scope = new Scope(engine)
  let done = false
  try {
    const operation = scope.own(new engine.bindings.AttentionOperation())
    check(
      operation.prepare(
        {
          query: scope.floats(query, 'query'),
          key: scope.floats(key, 'key'),
          value: scope.floats(value, 'value'),
          pastKey: scope.floats(options.pastKey, 'pastKey'),
          pastValue: scope.floats(options.pastValue, 'pastValue'),
          numHeads: options.numHeads,
          kvHeads: options.kvHeads,
          scale: options.scale,
          visibility: visibilityValue(scope, options),
          kvLengths: scope.integerList(options.kvLengths, 'kvLengths'),
        },
        cache?.bound ?? null,
      ),
    )
    yield* runTasks(operation)
    const result = attentionResult(engine, operation)
    done = true
    return result
  } finally {
    // A call that was aborted between slices has appended nothing.
    if (!done && cache !== undefined) cache.rollBack(lengthBefore)
    scope.end()
  }
}

/** The options that decide what a query sees, with their tensors copied in. */
export function visibilityValue(
  scope: Scope,
  options: VisibilityOptions & ReturnOptions,
): VisibilityValue {
  const { mask, returnScores } = options
  const maskIsBoolean = mask?.data instanceof Uint8Array
  return {
    mask: maskIsBoolean
      ? scope.booleans(mask as BooleanTensorLike, 'mask')
      : scope.floats(mask as TensorLike | undefined, 'mask'),
    maskIsBoolean,
    keyMask: scope.booleans(options.keyMask, 'keyMask'),
    causal: options.causal ?? false,
    causalOffset: options.causalOffset,
    windowLeft: options.window?.[0] ?? -1,
    windowRight: options.window?.[1] ?? -1,
    softcap: options.softcap ?? 0,
    headMask: scope.floatList(options.headMask, 'headMask'),
    scoresPoint: returnScores === undefined ? 0 : scoresPoints.indexOf(returnScores) + 1,
    returnWeights: options.returnWeights ?? false,
  }
}

function* runTasks(operation: AttentionOperation): Steps<void> {
  const { tasks, taskCost } = operation
  const slice = Math.max(1, Math.floor(sliceCost / Math.max(taskCost, 1)))
  for (let first = 0; first < tasks; first += slice) {
    if (first > 0) yield
    operation.run(first, Math.min(first + slice, tasks))
  }
}

/** An object without the names whose value is undefined. */
export function present<T extends Record<string, Tensor | undefined>>(
  results: T,
): { [Name in keyof T]?: Tensor } {
  const entries = Object.entries(results).filter(([, tensor]) => tensor !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof T]?: Tensor }
}

function attentionResult(engine: Engine, operation: AttentionOperation): AttentionResult {
  return {
    output: engine.read(operation.output),
    ...present({
      scores: engine.readOptional(operation.scores),
      weights: engine.readOptional(operation.weights),
      presentKey: engine.readOptional(operation.presentKey),
      presentValue: engine.readOptional(operation.presentValue),
    }),
  }
}
