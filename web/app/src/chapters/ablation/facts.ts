// What is said of a change of the loss, in numbers ready to be set.
import { count, decimal, percent } from '../../i18n/numbers'
import { spotName, type HeadSpot } from '../../state/ablationView'
import { catalogue } from './catalogue.svelte'
import type { Difference } from './compare'
import type { ChangeFacts } from './en'
import type { Changed } from './state.svelte'

const digits = 3
/** More heads than these are counted, not named. */
const mostNamed = 4

/** A change with its sign. */
export const signed = (value: number): string =>
  Number.isNaN(value) ? '…' : `${value > 0 ? '+' : ''}${decimal(value, digits)}`

export const intervalText = (low: number, high: number): string =>
  `${signed(low)} – ${signed(high)}`

/** Whether the interval leaves 0 out. */
export const isSure = ({ low, high }: Pick<Difference, 'low' | 'high'>): boolean =>
  low > 0 || high < 0

export function namesOf(off: readonly HeadSpot[]): string {
  const { named, many } = catalogue.ablation.switches
  if (off.length > mostNamed) return many(count(off.length))
  return named(off.map(spotName).join(', '))
}

export function factsOf(changed: Changed, off: readonly HeadSpot[]): ChangeFacts {
  const { base, now, difference } = changed
  return {
    off: namesOf(off),
    count: count(off.length),
    pairs: count(base.losses.length),
    before: decimal(base.loss, digits),
    after: decimal(now.loss, digits),
    change: signed(difference.mean),
    low: signed(difference.low),
    high: signed(difference.high),
    accuracyBefore: percent(base.accuracy),
    accuracyAfter: percent(now.accuracy),
    sure: isSure(difference),
  }
}
