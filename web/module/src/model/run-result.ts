// What a run gives: as it is posted, and in the words of the API.
import type { RunResult } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import { KeptActivations } from './activations.js'
import type { Batch } from './inputs.js'

/** The tensors of a run, plain enough to be posted. */
export interface RunTensors {
  output: Tensor | undefined
  /** In the order of use. */
  activations: [name: string, tensor: Tensor][]
}

/** What of a batch goes into the result. */
export type RunBatch = Pick<Batch, 'encodings' | 'batch' | 'length' | 'keyMask'>

export function runResult(
  { encodings, batch, length, keyMask }: RunBatch,
  { output, activations }: RunTensors,
): RunResult {
  return {
    tokens: encodings[0]?.tokens ?? [],
    encodings,
    keyMask: { data: keyMask, dims: [batch, length] },
    cache: new KeptActivations(activations),
    ...(output && { output }),
  }
}
