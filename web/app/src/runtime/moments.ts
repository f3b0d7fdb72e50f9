// Moments of the first view, marked for `npm run bench -- page` and for a browser's profiler.

export type Moment = 'headwise:first-map' | 'headwise:all-layers'

const marked = new Set<Moment>()

/** Marks the moment the first time it comes, after the frame that shows it. */
export function markShown(moment: Moment): void {
  if (marked.has(moment)) return
  marked.add(moment)
  requestAnimationFrame(() => {
    setTimeout(() => performance.mark(moment))
  })
}
