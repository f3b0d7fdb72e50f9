// Which roles a head may be said to have, by rules that the page states. A role along a relation has to
// beat the best fixed offset clearly on the half of the sentences that heads are chosen on (as Voita et
// al. ask), and surely on the other half. Pure.
import type { CoreferenceScores, HeadMeasure, HeadRoles, RelationScores } from 'headwise'

export type RoleKind = 'relation' | 'measure' | 'coreference'

export interface Badge {
  kind: RoleKind
  /** A relation, a measure, or `coreference`. */
  role: string
  /** Of a relation: dependents look for their head. */
  upward: boolean
  layer: number
  head: number
  /** What was measured, on sentences that the head was not chosen on where it was chosen. */
  score: number
  /** 95 % interval of the score. */
  low: number
  high: number
  /** What a rule without attention reaches; for a measure the bound that it has to pass. */
  baseline: number
  /** Dependents, rows or examples. */
  n: number
}

/** What a role asks for. */
export const rules = {
  /** Share by which a head is better than the best offset, on the half it is chosen on. */
  gain: 0.1,
  /** Dependents in the half that is reported. */
  dependents: 10,
  /** Mean weight on one kind of place, as Clark et al. count positional heads. */
  weight: 0.5,
  /** Rows that have such a place at all. */
  rows: 20,
  /** Mean entropy, as a share of the most that a text of mean length allows. */
  broad: 0.85,
} as const

export const measureIds: readonly HeadMeasure[] = [
  'previous',
  'next',
  'first',
  'separator',
  'punctuation',
  'self',
  'duplicate',
  'entropy',
]

export const isMeasure = (role: string): role is HeadMeasure =>
  measureIds.some((each) => each === role)

/** Half of a 95 % interval, in standard errors. */
const sigmas = 1.96

export const headName = ({ layer, head }: { layer: number; head: number }): string =>
  `${String(layer)}.${String(head)}`

/** [layers, heads] of any result. */
export function shapeOf(roles: HeadRoles): { layers: number; heads: number } {
  const [layers = 0, heads = 0] = roles.measures.previous.mean.dims
  return { layers, heads }
}

/** The entropy of a row that looks everywhere alike, in a text of mean length. */
export function mostEntropy(roles: HeadRoles): number {
  const rows = roles.measures.entropy.rows / Math.max(1, roles.sentences.used)
  return Math.log(rows + 2)
}

/** What a measure has to pass to be a role. */
export function boundOf(roles: HeadRoles, measure: HeadMeasure): number {
  return measure === 'entropy' ? rules.broad * mostEntropy(roles) : rules.weight
}

export function relationBadge(scores: RelationScores, index: number, heads: number): Badge {
  const at = (tensor: { data: Float32Array }): number => tensor.data[index] ?? NaN
  return {
    kind: 'relation',
    role: scores.relation,
    upward: scores.direction === 'dependent-to-head',
    layer: Math.floor(index / heads),
    head: index % heads,
    score: at(scores.accuracy),
    low: at(scores.low),
    high: at(scores.high),
    baseline: scores.baseline.accuracy,
    n: scores.n.report,
  }
}

export function measureBadge(roles: HeadRoles, measure: HeadMeasure, index: number): Badge {
  const { heads } = shapeOf(roles)
  const { mean, error, rows } = roles.measures[measure]
  const [score, spread] = [mean.data[index] ?? NaN, sigmas * (error.data[index] ?? NaN)]
  return {
    kind: 'measure',
    role: measure,
    upward: true,
    layer: Math.floor(index / heads),
    head: index % heads,
    score,
    low: score - spread,
    high: score + spread,
    baseline: boundOf(roles, measure),
    n: rows,
  }
}

export function coreferenceBadge(scores: CoreferenceScores, index: number, heads: number): Badge {
  return {
    kind: 'coreference',
    role: 'coreference',
    upward: true,
    layer: Math.floor(index / heads),
    head: index % heads,
    score: scores.accuracy.data[index] ?? NaN,
    low: scores.low.data[index] ?? NaN,
    high: scores.high.data[index] ?? NaN,
    baseline: scores.nearerCandidate,
    n: scores.examples.used,
  }
}

function holds(scores: RelationScores, index: number): boolean {
  const chosen = (scores.selection.data[index] ?? 0) - scores.baseline.selection
  const sure = (scores.gainLow.data[index] ?? NaN) > 0
  return scores.n.report >= rules.dependents && chosen >= rules.gain && sure
}

/** Every role of every head, the clearest first; none while results are partial. */
export function badgesOf(roles: HeadRoles, coreference: CoreferenceScores | null): Badge[] {
  const { layers, heads } = shapeOf(roles)
  const places = Array.from({ length: layers * heads }, (_, index) => index)
  const relations = places.flatMap((index) => {
    const own = roles.relations
      .filter((scores) => holds(scores, index))
      .map((scores) => relationBadge(scores, index, heads))
    return bestDirections(own)
  })
  const measures = measureIds.flatMap((measure) =>
    places
      .map((index) => measureBadge(roles, measure, index))
      .filter(({ low, baseline, n }) => n >= rules.rows && low > baseline),
  )
  const pronouns = coreference
    ? places
        .filter((index) => (coreference.excessLow.data[index] ?? NaN) > 0)
        .map((index) => coreferenceBadge(coreference, index, heads))
        .filter(({ low, baseline }) => low > baseline)
    : []
  return [...relations, ...measures, ...pronouns].sort((a, b) => clarity(b) - clarity(a))
}

/** A head that finds a relation from both ends has one role, not two. */
function bestDirections(own: readonly Badge[]): Badge[] {
  return own.filter((badge) => {
    const other = own.find((each) => each.role === badge.role && each.upward !== badge.upward)
    return (
      !other ||
      clarity(badge) > clarity(other) ||
      (badge.upward && clarity(badge) === clarity(other))
    )
  })
}

/** How far above what it has to beat; entropy has no share, so it is put on the same scale. */
function clarity({ role, score, baseline }: Badge): number {
  return role === 'entropy' ? (score / baseline) * rules.broad - rules.broad : score - baseline
}

/** How many heads have one of these roles. */
export const headsWith = (badges: readonly Badge[]): number => new Set(badges.map(headName)).size

export const sameRole = (
  a: Pick<Badge, 'role' | 'upward'>,
  b: Pick<Badge, 'role' | 'upward'>,
): boolean =>
  a.role === b.role && (a.upward === b.upward || isMeasure(a.role) || a.role === 'coreference')
