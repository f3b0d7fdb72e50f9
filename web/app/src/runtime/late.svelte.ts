// What may come a frame later: the parts of a chapter that stand further from the slider than the
// figure that is looked at. They have their turn behind it, so that no frame has to show everything.
import { flushSync, untrack } from 'svelte'
import { inTurn } from './frames'

/** `current()` as it was when it had its turn; to be called where a component is made. */
export function late<T>(current: () => T): () => T {
  let shown = $state.raw(untrack(current))
  const turn = inTurn(() => {
    // Here and now, so that it counts as work of this frame.
    flushSync(() => (shown = untrack(current)))
  })
  $effect(() => {
    if (current() !== untrack(() => shown)) turn.ask()
  })
  $effect(() => turn.leave)
  return () => shown
}
