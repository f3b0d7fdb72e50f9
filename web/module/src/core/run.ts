// One run of a transformer, a block a slice.
import type { BoundTransformerRun } from '../bindings.js'
import type { Batch } from '../model/inputs.js'
import type { RunTensors } from '../model/run-result.js'
import type { Intervention, RunOptions } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import { check, noTensor, tensorValue } from './engine.js'
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
    check(
      run.begin(bound, {
        ids: tensorValue(scope.bytes(batch.ids, 'ids'), [batch.batch, batch.length]),
        typeIds: scope.bytes(batch.typeIds, 'typeIds'),
        keyMask,
        names: (options.names ?? []).join('\n'),
        stopAtLayer: options.stopAtLayer ?? -1,
        output: options.output ?? true,
      }),
    )
    for (;;) {
      check(run.step())
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
    const tensor = engine.read(run.activationTensor(index))
    return [run.activationName(index), tensor] as [string, Tensor]
  })
  return { output: engine.readOptional(run.output), activations }
}

function addIntervention(
  run: BoundTransformerRun,
  { name, head, set }: Intervention,
  scope: Scope,
): void {
  const plain = { name, head, values: noTensor, deviation: 0, seed: 0 }
  const argument = 'interventions'
  if (set === 'zero') run.addIntervention({ ...plain, kind: 0 })
  else if ('mean' in set) {
    run.addIntervention({ ...plain, kind: 2, values: scope.floats(set.mean, argument) })
  } else if ('noise' in set) {
    run.addIntervention({ ...plain, kind: 3, deviation: set.noise, seed: set.seed ?? 0 })
  } else if ('shuffle' in set) run.addIntervention({ ...plain, kind: 4, seed: set.shuffle })
  else run.addIntervention({ ...plain, kind: 1, values: scope.floats(set, argument) })
}
