// Whether and how many threads may compute here.
import { canShareMemory, coreCount, isPageThread } from '../environment.js'

/** More than this wait for memory rather than compute. */
const mostByDefault = 8
/** What the pool in C++ has room for. */
export const mostThreads = 64

export function defaultThreads(): number {
  return Math.min(coreCount(), mostByDefault)
}

/** What keeps threads from running here, in words; undefined where nothing does. */
export function whyNoThreads(): string | undefined {
  if (isPageThread()) {
    return "a page's main thread, which must not wait for others; compute in a Worker"
  }
  if (!canShareMemory()) {
    return (
      'a page that is not cross-origin isolated (send the headers Cross-Origin-Opener-Policy: ' +
      'same-origin and Cross-Origin-Embedder-Policy: require-corp)'
    )
  }
  return undefined
}
