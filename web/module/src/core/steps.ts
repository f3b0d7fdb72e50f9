// Long work as a generator that pauses between slices: run to the end at once in `headwise/core`,
// a slice at a time where a Worker has to hear messages in between.

/** Work in slices; the generator's own `finally` frees what it took. */
export type Steps<T> = Generator<void, T, void>

/** About how many multiply-adds a slice may cost a thread: some 10 ms with SIMD. */
export const sliceCost = 2e8

/** Does all of the work now. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The work, with how long its slices took, pauses between them apart. */
export function* timed<T>(steps: Steps<T>): Steps<{ value: T; milliseconds: number }> {
  let milliseconds = 0
  try {
    for (;;) {
      const start = performance.now()
      const { done, value } = steps.next()
      milliseconds += performance.now() - start
      if (done === true) return { value, milliseconds }
      yield
    }
  } finally {
    steps.return(undefined as never)
  }
}

/** Throws the reason of a signal that is aborted; options that are no object are refused later. */
export function throwIfAborted(options: { signal?: AbortSignal | undefined } | null): void {
  const signal = options?.signal
  if (signal?.aborted === true) throw signal.reason
}
