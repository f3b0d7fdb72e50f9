// What chapter 4 says of one head dimension, in numbers ready to be set. Pure.
import { decimal } from '../../i18n/numbers'
import type { ScaleFacts } from './en'
import type { Pairing } from './measure'

export function factsOf({ headDim, without, with: scaled }: Pairing): ScaleFacts {
  return {
    headDim: String(headDim),
    spread: decimal(Math.sqrt(without.variance), 2),
    scaledSpread: decimal(Math.sqrt(scaled.variance), 2),
    largest: decimal(without.largest, 2),
    scaledLargest: decimal(scaled.largest, 2),
  }
}
