// What chapter 8 shows besides the text and the opened head, and its form in the address. Pure.

/** What happens to a head's output before W_O. */
export const ablations = ['zero', 'mean', 'noise', 'shuffle'] as const
export type AblationId = (typeof ablations)[number]

/** The long measurements. */
export const experiments = ['importance', 'pruning'] as const
export type ExperimentId = (typeof experiments)[number]

export interface HeadSpot {
  layer: number
  head: number
}

export interface HeadsOffView {
  /** Heads that are switched off, in the order of their layers. */
  off: readonly HeadSpot[]
  how: AblationId
  /** The reader's own pairs: they stay with the reader. */
  ownPairs: boolean
  seed: number
  /** Long measurements that the link's author had started. */
  run: readonly ExperimentId[]
  /** Also prune greedily, which takes long. */
  greedy: boolean
}

export const largestAblationSeed = 9999
const most = { off: 400, place: 99 }

export const defaultHeadsOff: HeadsOffView = {
  off: [{ layer: 3, head: 1 }],
  how: 'zero',
  ownPairs: false,
  seed: 0,
  run: [],
  greedy: false,
}

export const spotName = ({ layer, head }: HeadSpot): string => `${String(layer)}.${String(head)}`

const inOrder = (a: HeadSpot, b: HeadSpot): number => a.layer - b.layer || a.head - b.head

/** Each head once, in order. */
export function spots(all: readonly HeadSpot[]): HeadSpot[] {
  const once = new Map(all.map((spot) => [spotName(spot), spot]))
  return [...once.values()].sort(inOrder)
}

/** On where it was off, and off where it was on. */
export function toggled(off: readonly HeadSpot[], spot: HeadSpot): HeadSpot[] {
  const without = off.filter((each) => spotName(each) !== spotName(spot))
  return without.length < off.length ? without : spots([...off, spot])
}

function spotsFrom(text: string): HeadSpot[] {
  const found = [...text.matchAll(/(\d{1,2})\.(\d{1,2})(?:_|$)/g)].slice(0, most.off)
  return spots(found.map(([, layer, head]) => ({ layer: Number(layer), head: Number(head) })))
}

export function parseHeadsOff(given: URLSearchParams): HeadsOffView {
  const seed = given.get('draw')
  const run = (given.get('run') ?? '').split('_')
  return {
    off: given.has('off') ? spotsFrom(given.get('off') ?? '') : defaultHeadsOff.off,
    how: ablations.find((each) => each === given.get('how')) ?? defaultHeadsOff.how,
    ownPairs: given.get('pairs') === 'file',
    seed: seed !== null && /^\d{1,4}$/.test(seed) ? Number(seed) : defaultHeadsOff.seed,
    run: experiments.filter((each) => run.includes(each)),
    greedy: given.get('greedy') === '1',
  }
}

const noHead = 'none'
const written = (off: readonly HeadSpot[]): string =>
  off.length === 0 ? noHead : off.map(spotName).join('_')

/** The heads always where the chapter is open; the rest where it differs from the default. */
export function writeHeadsOff(view: HeadsOffView, open: boolean, query: URLSearchParams): void {
  const off = written(view.off)
  if (open || off !== written(defaultHeadsOff.off)) query.set('off', off)
  if (view.how !== defaultHeadsOff.how) query.set('how', view.how)
  if (view.ownPairs) query.set('pairs', 'file')
  if (view.seed !== defaultHeadsOff.seed) query.set('draw', String(view.seed))
  if (view.run.length > 0) query.set('run', view.run.join('_'))
  if (view.greedy) query.set('greedy', '1')
}
