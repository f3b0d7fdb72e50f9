// One run of a transformer, a block a slice.
import type { BoundTransformerRun } from '../bindings.js'
import type { Batch } from '../model/inputs.js'
import type { RunTensors } from '../model/run-result.js'
import type { Intervention, RunOptions } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import { invalidArgument } from '../errors.js'
import type { Engine } from './engine.js'
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
    const keyMask = batch.ids.length === 0 ? 0 : scope.bytes(batch.keyMask, 'keyMask')
    const ids = (list: Int32Array, name: string) =>
      list.length === 0
        ? noTensor
        : {
            address: scope.bytes(list, name),
            dims: [batch.batch, list.length / batch.batch],
          }
    engine.record
      .begin()
      .tensor(ids(batch.ids, 'ids'))
      .tensor(ids(decoderIdsOf(transformer, batch, options), 'decoderIds'))
      .tensor(scope.floats(batch.image, 'image'))
      .number(batch.ids.length === 0 ? 0 : scope.bytes(batch.typeIds, 'typeIds'))
      .number(keyMask)
      .number(options.stopAtLayer ?? -1)
      .number(outputs.indexOf(options.output ?? true))
      .send()
    engine.check(run.begin(bound, null, (options.names ?? []).join('\n')))
    yield* stepsOf(run, engine)
    return read(run, scope, keyMask)
  } finally {
    scope.end()
  }
}

/** What `output` may say, in C++'s order. */
const outputs: readonly RunOptions['output'][] = [false, 'hidden', true]

/** The ids that the decoder of an encoder-decoder reads, the same for every sequence. */
function decoderIdsOf(
  { config: { kind, generation } }: CoreTransformer,
  { batch }: Batch,
  { decoderIds }: RunOptions,
): Int32Array {
  if (kind !== 'encoder-decoder') {
    if (decoderIds === undefined) return new Int32Array()
    throw invalidArgument(
      'decoderIds',
      'nothing: the model has no decoder beside an encoder',
      'ids',
    )
  }
  const ids = decoderIds ?? generation?.startIds ?? []
  return Int32Array.from(Array.from({ length: batch }, () => Array.from(ids)).flat())
}

/** To the end of a run that has begun. */
export function* stepsOf(run: BoundTransformerRun, engine: Engine): Steps<void> {
  for (;;) {
    engine.check(run.step())
    if (run.done) return
    yield
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
