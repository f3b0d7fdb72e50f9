// Weights of the model, each asked for once: chapters ask again with every change of the text.
import type { Model, Tensor } from 'headwise'

const known = new WeakMap<Model, Map<string, Promise<Tensor>>>()

/** A weight by its name; waits for it while the model streams. What comes is shared: read only. */
export function weightOf(model: Model, name: string): Promise<Tensor> {
  const weights = known.get(model) ?? new Map<string, Promise<Tensor>>()
  known.set(model, weights)
  const asked = weights.get(name) ?? model.weight(name)
  weights.set(name, asked)
  // Asked again after a failure it is tried again.
  asked.catch(() => weights.delete(name))
  return asked
}
