// What chapter 2 says of the two keys that are asked for, in numbers ready to be set. Pure.
import { decimal } from '../../i18n/numbers'
import type { WantedFacts } from './en'
import type { Best } from './together'

/** A key, the head that gives it most, and what the mean map gives it. */
export function wantedFacts(
  { label, best, mean }: { label: string; best: Best; mean: number },
  layer: { nameOf: (head: number) => string },
): WantedFacts {
  return {
    key: label,
    head: layer.nameOf(best.head),
    weight: decimal(best.weight, 2),
    mean: decimal(mean, 2),
  }
}
