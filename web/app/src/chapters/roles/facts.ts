// What is said of a role, in numbers ready to be set.
import { count, decimal } from '../../i18n/numbers'
import { catalogue } from './catalogue.svelte'
import { coreferenceBadge, headName, measureBadge, relationBadge, type Badge } from './badges'
import type { AskedFacts, RoleFacts } from './en'
import { withMarks } from './marks'
import type { RolesState } from './state.svelte'

export const glossOf = (role: string): string =>
  withMarks(catalogue.roles.relationNames[role] ?? role)

/** For the small cells of the grid: relations by their names in Universal Dependencies. */
export function shortName(role: string): string {
  const names: Record<string, string> = catalogue.roles.shortNames
  return withMarks(names[role] ?? role)
}

/** With its sign: a word behind is +1. */
export const offsetText = (offset: number): string =>
  offset > 0 ? `+${String(offset)}` : decimal(offset, 0)

const digits = 2

export function factsOf(badge: Badge, offset = NaN): RoleFacts {
  return {
    head: headName(badge),
    role: badge.role,
    gloss: glossOf(badge.role),
    score: decimal(badge.score, digits),
    low: intervalEnd(badge.low),
    high: intervalEnd(badge.high),
    baseline: decimal(badge.baseline, digits),
    offset: Number.isNaN(offset) ? '' : offsetText(offset),
    n: count(badge.n),
  }
}

/** Intervals come with the end of the measurement. */
export const intervalEnd = (value: number): string =>
  Number.isNaN(value) ? '…' : decimal(value, digits)

export const interval = (low: number, high: number): string =>
  `${intervalEnd(low)} – ${intervalEnd(high)}`

/** What is opened: a head at a relation, a measure, or pronouns; null while it is not measured. */
export function askedOf(state: RolesState): AskedFacts | null {
  const badge = openedBadge(state)
  if (!badge) return null
  const offset = badge.kind === 'relation' ? state.relation?.baseline.offset : NaN
  return { ...factsOf(badge, offset), kind: badge.kind, upward: badge.upward }
}

/** The opened head at the opened role, whether it counts as a role or not. */
export function openedBadge(state: RolesState): Badge | null {
  const { shown, scores, measure, relation, index, shape } = state
  if (state.view.role === 'coreference') {
    return scores ? coreferenceBadge(scores, index, shape.heads) : null
  }
  if (!shown) return null
  if (measure) return measureBadge(shown, measure, index)
  return relation ? relationBadge(relation, index, shape.heads) : null
}
