// Work in slices with pauses between them, in which messages arrive and an abort is heard.
import { nextTask } from '../next-task.js'
import { throwIfAborted, type Steps } from './steps.js'

/** What the work is for, asked again behind every pause: anything may have happened in it. */
export interface SlicedWork {
  signal?: AbortSignal | undefined
  /** Throws when what is worked with has been disposed of. */
  checkAlive: () => void
}

/** Does all of the work, each slice by `run`; after an abort throws the signal's reason. */
export async function inSlices<T>(
  steps: Steps<T>,
  work: SlicedWork,
  run: <R>(slice: () => R) => R = (slice) => slice(),
): Promise<T> {
  for (;;) {
    const { done, value } = run(() => steps.next())
    if (done === true) return value
    await nextTask()
    try {
      throwIfAborted(work)
      work.checkAlive()
    } catch (reason) {
      // Lets the generator free what it holds.
      steps.return(undefined as never)
      throw reason
    }
  }
}
