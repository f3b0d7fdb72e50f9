// What chapter 6 shows besides the text, the head and the tokens, and its form in the address. Pure.

/** Which vectors of a head are looked at. */
export const headSpaces = ['query', 'key'] as const
export type HeadSpace = (typeof headSpaces)[number]

/** By what heads are compared: what they hand on, or what their projections read. */
export const comparisons = ['cka', 'debiased', 'query', 'key'] as const
export type Comparison = (typeof comparisons)[number]

export interface SubspacesView {
  space: HeadSpace
  compare: Comparison
  /** The head that the opened one is compared with; null stands for the most alike. */
  other: { layer: number; head: number } | null
}

export const defaultSubspaces: SubspacesView = { space: 'query', compare: 'cka', other: null }

export function parseSubspaces(given: URLSearchParams): SubspacesView {
  const [, layer, head] = /^(\d{1,3})\.(\d{1,3})$/.exec(given.get('with') ?? '') ?? []
  return {
    space: headSpaces.find((each) => each === given.get('space')) ?? defaultSubspaces.space,
    compare: comparisons.find((each) => each === given.get('compare')) ?? defaultSubspaces.compare,
    other: layer === undefined ? null : { layer: Number(layer), head: Number(head) },
  }
}

export function writeSubspaces(view: SubspacesView, query: URLSearchParams): void {
  const { space, compare, other } = view
  if (space !== defaultSubspaces.space) query.set('space', space)
  if (compare !== defaultSubspaces.compare) query.set('compare', compare)
  if (other) query.set('with', `${String(other.layer)}.${String(other.head)}`)
}
