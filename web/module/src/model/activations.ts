// Kept activations by name, as a run returns them.
import { invalidArgument } from '../errors.js'
import type { ActivationCache } from '../types/model.js'
import type { Tensor } from '../types/tensor.js'
import { nearNames } from '../validate/near-names.js'

export class KeptActivations implements ActivationCache {
  readonly #tensors: Map<string, Tensor>

  /** In the order of use. */
  constructor(tensors: readonly (readonly [name: string, tensor: Tensor])[]) {
    this.#tensors = new Map(tensors)
  }

  get names(): readonly string[] {
    return [...this.#tensors.keys()]
  }

  has(name: string): boolean {
    return this.#tensors.has(name)
  }

  get(name: string): Tensor {
    const tensor = this.#tensors.get(name)
    if (tensor !== undefined) return tensor
    const kept = this.names
    const expected = kept.length === 0 ? 'a run with `names`' : nearNames(name, kept)
    throw invalidArgument('name', expected, `'${name}'`)
  }
}
