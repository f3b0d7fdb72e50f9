// What chapter 2 shows, as a part of the view, and its form in the address. Pure.

/** Which map of the layer is opened: that of one wide head, the mean of its heads', or a head's. */
export const whyMaps = ['wide', 'mean', 'head'] as const
export type WhyMap = (typeof whyMaps)[number]

export interface WhyView {
  map: WhyMap
  /** The two keys that are wanted at once; null: found by measuring. */
  first: number | null
  second: number | null
  /** The key whose score is raised, and by how much; null where nothing is changed. */
  raised: number | null
  by: number
}

/** A score is raised or lowered by at most so much. */
export const mostRaise = 12

export const defaultWhy: WhyView = { map: 'wide', first: null, second: null, raised: null, by: 0 }

function place(text: string | null): number | null {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null
}

export function parseWhy(given: URLSearchParams): WhyView {
  const by = given.get('by')
  const raise = by !== null && /^-?\d{1,2}(\.\d{1,2})?$/.test(by) ? Number(by) : 0
  const raised = place(given.get('raise'))
  const changed = raised !== null && raise !== 0 && Math.abs(raise) <= mostRaise
  return {
    map: whyMaps.find((each) => each === given.get('map')) ?? defaultWhy.map,
    first: place(given.get('first')),
    second: place(given.get('second')),
    raised: changed ? raised : null,
    by: changed ? raise : 0,
  }
}

/** Only what differs from the default. */
export function writeWhy(view: WhyView, query: URLSearchParams): void {
  if (view.map !== defaultWhy.map) query.set('map', view.map)
  if (view.first !== null) query.set('first', String(view.first))
  if (view.second !== null) query.set('second', String(view.second))
  if (view.raised !== null) {
    query.set('raise', String(view.raised))
    query.set('by', String(view.by))
  }
}

/** The same where all keys exist among so many tokens; else those that do not are let go. */
export function fitWhy(view: WhyView, tokens: number): WhyView {
  const { first, second, raised } = view
  const fits = (key: number | null): boolean => key === null || key < tokens
  if (fits(first) && fits(second) && fits(raised)) return view
  return {
    ...view,
    first: fits(first) ? first : null,
    second: fits(second) ? second : null,
    ...(fits(raised) ? {} : { raised: null, by: 0 }),
  }
}

/** The same after the text has changed: its keys stay on their words. */
export function followWhy(view: WhyView, moved: (key: number) => number): WhyView {
  const follow = (key: number | null): number | null => (key === null ? null : moved(key))
  const [first, second, raised] = [view.first, view.second, view.raised].map(follow)
  return { ...view, first: first ?? null, second: second ?? null, raised: raised ?? null }
}
