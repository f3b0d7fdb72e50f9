// The attention op on one thread: inputs copied in, tasks run in slices, results copied out.
import type { AttentionOperation } from '../bindings.js'
import type {
  AttentionOptions,
  AttentionResult,
  ReturnOptions,
  VisibilityOptions,
} from '../types/attention.js'
import type { BooleanTensorLike, Tensor, TensorLike } from '../types/tensor.js'
import { checkAttention, scoresPoints } from '../validate/attention.js'
import type { Engine } from './engine.js'
import { cacheOf } from './key-value-cache.js'
import { sizeOf, type StoredTensor } from './record.js'
import { Scope } from './scope.js'
import { sliceCost, throwIfAborted, type Steps } from './steps.js'

export function* attentionSteps(
  engine: Engine,
  query: TensorLike,
  key: TensorLike,
  value: TensorLike,
  options: AttentionOptions = {},
): Steps<AttentionResult> {
  engine.checkAlive()
  checkAttention(query, key, value, options)
  const cache = cacheOf(options, engine)
  throwIfAborted(options)
  const lengthBefore = cache?.length ?? 0
  const scope = new Scope(engine)
  let done = false
  try {
    const operation = scope.borrow(engine.idle.attention, engine.bindings.AttentionOperation)
    const { record } = engine
    record
      .begin()
      .tensor(scope.floats(query, 'query'))
      .tensor(scope.floats(key, 'key'))
      .tensor(scope.floats(value, 'value'))
      .tensor(scope.floats(options.pastKey, 'pastKey'))
      .tensor(scope.floats(options.pastValue, 'pastValue'))
      .optional(options.numHeads)
      .optional(options.kvHeads)
      .optional(options.scale)
      .tensor(scope.integerList(options.kvLengths, 'kvLengths'))
    writeVisibility(scope, options)
    record.send()
    engine.check(operation.prepare(cache?.bound ?? null))
    const results = yield* computeResults(engine, operation)
    const [output, scores, weights, presentKey, presentValue] = results
    done = true
    return { output: output as Tensor, ...present({ scores, weights, presentKey, presentValue }) }
  } finally {
    // A call that was aborted between slices has appended nothing.
    if (!done && cache !== undefined) cache.rollBack(lengthBefore)
    scope.end()
  }
}

/** The options that decide what a query sees, with their tensors copied in. */
export function writeVisibility(scope: Scope, options: VisibilityOptions & ReturnOptions): void {
  const { mask, returnScores, window } = options
  const isBoolean = mask?.data instanceof Uint8Array
  scope.engine.record
    .flag(isBoolean)
    .tensor(
      isBoolean
        ? scope.booleans(mask as BooleanTensorLike, 'mask')
        : scope.floats(mask as TensorLike | undefined, 'mask'),
    )
    .tensor(scope.booleans(options.keyMask, 'keyMask'))
    .flag(options.causal)
    .optional(options.causalOffset)
    .number(window?.[0] ?? -1)
    .number(window?.[1] ?? -1)
    .number(options.softcap ?? 0)
    .tensor(scope.floatList(options.headMask, 'headMask'))
    .number(returnScores === undefined ? 0 : scoresPoints.indexOf(returnScores) + 1)
    .flag(options.returnWeights)
}

/** A slice has work for every thread: they wait for each other at its end. */
function* computeResults(
  engine: Engine,
  operation: AttentionOperation,
): Steps<(Tensor | undefined)[]> {
  const { tasks, taskCost } = operation
  const threads = engine.bindings.threadCount()
  const slice = Math.max(1, Math.floor(sliceCost / Math.max(taskCost, 1))) * threads
  operation.results()
  const results = engine.record.tensors(5)
  let arrays: (Tensor['data'] | undefined)[] = []
  for (let first = 0; first < tasks; first += slice) {
    if (first > 0) yield
    operation.begin(first, Math.min(first + slice, tasks))
    try {
      if (first === 0 && threads > 1)
        arrays = results.map((tensor) => tensor && touchedArray(tensor))
    } finally {
      operation.finish() // whatever happens: the others write into memory that is freed afterwards
    }
  }
  return results.map((stored, i) => stored && engine.read(stored, arrays[i]))
}

/**
 * An array for a result while the other threads compute it: fresh memory comes page by page as it is
 * first written, and takes longer than the copy into it.
 */
function touchedArray(stored: StoredTensor): Tensor['data'] {
  const pageLength = 4096 / Float32Array.BYTES_PER_ELEMENT
  const array = new Float32Array(sizeOf(stored))
  for (let i = 0; i < array.length; i += pageLength) array[i] = 1
  return array
}

/** An object without the names whose value is undefined. */
export function present<T extends { [Name in keyof T]: Tensor | undefined }>(
  results: T,
): { [Name in keyof T]?: Tensor } {
  const there: { [Name in keyof T]?: Tensor } = {}
  for (const name in results) {
    const tensor = results[name]
    if (tensor !== undefined) there[name] = tensor
  }
  return there
}
