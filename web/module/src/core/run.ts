// One run of a transformer, a block a slice.
import type { BoundTransformerRun } from '../bindings.js'
import type { Batch } from '../model/inputs.js'
import type { RunTensors } from '../model/run-result.js'
import type { Intervention, RunOptions } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import { noTensor, type StoredTensor } from './record.js'
import { Scope } from './scope.js'
import type { Steps } from './steps.js'
import type { CoreTransformer } from './transformer.js'

/** Runs the batch; `read` takes what is wanted from the finished run. */
export function* runSteps<T>(
  transformer: CoreTransformer,
  batch: Batch,
  options: RunOptions,
  read: (run: BoundTransformerRun, scope: Scope, keyMask: number) => T,
): Steps<T> {
  const { engine, bound } = transformer
  const scope = new Scope(engine)
  try {
    const run = scope.own(new engine.bindings.TransformerRun())
    for (const intervention of options.interventions ?? []) {
      addIntervention(run, intervention, scope)
    }
    const keyMask = scope.bytes(batch.keyMask, 'keyMask')
    const ids = { address: scope.bytes(batch.ids, 'ids'), dims: [batch.batch, batch.length] }
    engine.record
      .begin()
      .tensor(ids)
      .number(scope.bytes(batch.typeIds, 'typeIds'))
      .number(keyMask)
      .number(options.stopAtLayer ?? -1)
      .flag(options.output ?? true)
      .send()
    engine.check(run.begin(bound, (options.names ?? []).join('\n')))
    for (;;) {
      engine.check(run.step())
      if (run.done) break
      yield
    }
    return read(run, scope, keyMask)
  } finally {
    scope.end()
  }
}

/** Output and kept activations, copied out. */
export function readRun(run: BoundTransformerRun, { engine }: Scope): RunTensors {
  const activations = Array.from({ length: run.activationCount }, (_, index) => {
    run.activationTensor(index)
    return [run.activationName(index), engine.results(1)[0]] as [string, Tensor]
  })
  run.output()
  const [output] = engine.results(1)
  return { output, activations }
}

interface Edit {
  /** zero, values, mean, noise, shuffle: 0 to 4 */
  kind: number
  values?: StoredTensor
  deviation?: number
  seed?: number
}

function editOf({ set }: Intervention, scope: Scope): Edit {
  const argument = 'interventions'
  if (set === 'zero') return { kind: 0 }
  if ('mean' in set) return { kind: 2, values: scope.floats(set.mean, argument) }
  if ('noise' in set) return { kind: 3, deviation: set.noise, seed: set.seed ?? 0 }
  if ('shuffle' in set) return { kind: 4, seed: set.shuffle }
  return { kind: 1, values: scope.floats(set, argument) }
}

function addIntervention(run: BoundTransformerRun, intervention: Intervention, scope: Scope): void {
  const { kind, values = noTensor, deviation = 0, seed = 0 } = editOf(intervention, scope)
  scope.engine.record
    .begin()
    .optional(intervention.head)
    .number(kind)
    .tensor(values)
    .number(deviation)
    .number(seed)
    .send()
  run.addIntervention(intervention.name)
}
