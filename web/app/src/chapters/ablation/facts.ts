// What is said of a change of the loss, in numbers ready to be set.
import { count, decimal, percent } from '../../i18n/numbers'
import type { HeadSpot } from '../../state/ablationView'
import { catalogue } from './catalogue.svelte'
import { isSure } from './compare'
import type { ChangeFacts } from './en'
import type { AblationState, Changed } from './state.svelte'

const digits = 3
/** More heads than these are counted, not named. */
const mostNamed = 4

/** A change with its sign. */
export const signed = (value: number): string =>
  Number.isNaN(value) ? '…' : `${value > 0 ? '+' : ''}${decimal(value, digits)}`

export const intervalText = (low: number, high: number): string =>
  `${signed(low)} – ${signed(high)}`

function namesOf(off: readonly HeadSpot[], lab: AblationState): string {
  const { named, many } = catalogue.ablation.switches
  if (off.length > mostNamed) return many(count(off.length))
  return named(off.map((spot) => lab.nameOf(spot)).join(', '))
}

const shareOf = (share: number | undefined): string => (share === undefined ? '' : percent(share))

export function factsOf(changed: Changed, lab: AblationState): ChangeFacts {
  const { base, now, difference } = changed
  const { spots: off, model } = lab
  return {
    off: namesOf(off, lab),
    count: count(off.length),
    set: catalogue.ablation.subjects[model].set(count(base.losses.length)),
    before: decimal(base.loss, digits),
    after: decimal(now.loss, digits),
    change: signed(difference.mean),
    low: signed(difference.low),
    high: signed(difference.high),
    accuracyBefore: percent(base.accuracy),
    accuracyAfter: percent(now.accuracy),
    matchBefore: shareOf(base.exactMatch),
    matchAfter: shareOf(now.exactMatch),
    bitsBefore: base.bitsPerByte === undefined ? '' : decimal(base.bitsPerByte, 2),
    sure: isSure(difference),
  }
}
