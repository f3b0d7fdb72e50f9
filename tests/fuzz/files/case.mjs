// The case of a seed: which file of which model is changed, and the model's files then.

import { corpus } from './corpus.mjs'
import { mutate } from './mutate.mjs'
import { Random } from './random.mjs'

const models = corpus()

/** @returns {{ name: string, files: Record<string, Uint8Array> }} */
export function caseOf(seed) {
  const random = new Random(seed)
  return mutate(random.of(models), random)
}
