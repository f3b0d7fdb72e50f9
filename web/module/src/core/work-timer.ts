// Where the time of a call goes on the thread that computes. Nothing here runs without `onTiming`.

/** Counts what copying into and out of WebAssembly memory takes. */
export class CopyTimer {
  milliseconds = 0

  count(since: number): void {
    this.milliseconds += performance.now() - since
  }
}

/** What the work of one call took, in milliseconds. */
export interface WorkTime {
  compute: number
  copies: number
}

/** Adds up the slices of one call, copies apart. */
export class WorkTimer implements WorkTime {
  compute = 0
  copies = 0

  constructor(private readonly timer: CopyTimer) {}

  measure<T>(work: () => T): T {
    const before = this.timer.milliseconds
    const start = performance.now()
    try {
      return work()
    } finally {
      const copies = this.timer.milliseconds - before
      this.copies += copies
      this.compute += performance.now() - start - copies
    }
  }
}
