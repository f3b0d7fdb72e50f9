// Work in slices with pauses between them, in which messages arrive and an abort is heard.
import { nextTask } from './next-task.js'
import { throwIfAborted, type Steps } from './steps.js'

/** Does all of the work, each slice by `run`; after an abort throws the signal's reason. */
export async function inSlices<T>(
  steps: Steps<T>,
  options: { signal?: AbortSignal | undefined },
  run: <R>(slice: () => R) => R = (slice) => slice(),
): Promise<T> {
  for (;;) {
    const { done, value } = run(() => steps.next())
    if (done === true) return value
    await nextTask()
    try {
      throwIfAborted(options)
    } catch (reason) {
      // Lets the generator free what it holds.
      steps.return(undefined as never)
      throw reason
    }
  }
}
