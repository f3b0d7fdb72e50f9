// What chapter 15 shows, as a part of the view, and its form in the address. Pure.

/** The terms, by the levels they belong to. */
export const termIds = [
  'token',
  'special-token',
  'query',
  'key',
  'value',
  'score',
  'softmax',
  'weight',
  'map',
  'attention',
  'scaled-dot-product',
  'scale',
  'entropy',
  'head',
  'multi-head',
  'head-dimension',
  'projection',
  'concatenation',
  'output-projection',
  'contribution',
  'subspace',
  'self-attention',
  'cross-attention',
  'causal-mask',
  'transformer',
  'layer',
  'encoder',
  'decoder',
  'residual',
  'normalisation',
  'feed-forward',
  'gqa',
  'mqa',
  'mla',
  'cache',
  'tiling',
  'intensity',
  'bottleneck',
  'ablation',
] as const
export type TermId = (typeof termIds)[number]

/** Neighbours of multi-head attention on the map. */
export const placeIds = [
  'multi-head',
  'transformer',
  'alignment',
  'recurrence',
  'convolution',
  'dot-product',
  'self',
  'cross',
  'gqa',
  'mqa',
  'mla',
  'flash',
  'mixture',
] as const
export type PlaceId = (typeof placeIds)[number]

/** Which paper the example sentences are for. */
export const paperIds = ['encoder', 'vision', 'cross'] as const
export type PaperId = (typeof paperIds)[number]

export interface GlossaryView {
  /** The term that a link points at; null for none. */
  term: TermId | null
  /** What is searched for, as typed. */
  find: string
  /** The neighbour that is explained. */
  place: PlaceId
  paper: PaperId
}

export const defaultGlossary: GlossaryView = {
  term: null,
  find: '',
  place: 'multi-head',
  paper: 'encoder',
}

const longestSearch = 60

export function parseGlossary(given: URLSearchParams): GlossaryView {
  const one = <T extends string>(ids: readonly T[], name: string): T | undefined =>
    ids.find((id) => id === given.get(name))
  return {
    term: one(termIds, 'term') ?? null,
    find: (given.get('find') ?? '').slice(0, longestSearch),
    place: one(placeIds, 'place') ?? defaultGlossary.place,
    paper: one(paperIds, 'paper') ?? defaultGlossary.paper,
  }
}

export function writeGlossary(view: GlossaryView, query: URLSearchParams): void {
  if (view.term !== null) query.set('term', view.term)
  if (view.find !== '') query.set('find', view.find)
  if (view.place !== defaultGlossary.place) query.set('place', view.place)
  if (view.paper !== defaultGlossary.paper) query.set('paper', view.paper)
}
