// What may come a frame later while a slider is dragged: the parts of a chapter that stand further from
// it than the figure that is looked at. They have their turn behind that one, so that no frame has to
// show everything.
import { flushSync, untrack } from 'svelte'
import { isDragged } from '../state/sight.svelte'
import { inTurn } from './frames'

/** What `current` gives; while a slider is dragged, what it gave when it had its turn. */
export function late<T>(current: () => T): () => T {
  let shown = $state.raw(untrack(current))
  const turn = inTurn(() => {
    // Here and now, so that it counts as work of this frame.
    flushSync(() => (shown = untrack(current)))
  })
  $effect(() => {
    const newest = current()
    if (isDragged()) turn.ask()
    else shown = newest
  })
  $effect(() => turn.leave)
  return () => shown
}
