// What a call costs, as the calling side sees it: put together from what it measures itself and what
// the working side reports.
import type { WorkTime } from '../core/work-timer.js'
import type { CallTiming, RuntimeOptions } from '../types/runtime.js'
import { timedCalls, type OperationName } from './protocol.js'

/** Runs from the call to its result; undefined where nobody wants to know. */
export function clockOf(
  op: OperationName,
  onTiming: RuntimeOptions['onTiming'],
): CallClock | undefined {
  const call = timedCalls[op]
  return onTiming && call && new CallClock(call, onTiming)
}

export class CallClock {
  readonly #startTime = performance.now()
  #packing = 0

  constructor(
    private readonly call: CallTiming['call'],
    private readonly onTiming: (timing: CallTiming) => void,
  ) {}

  /** To be called when the arguments are copied. */
  packed(): void {
    this.#packing = performance.now() - this.#startTime
  }

  /** To be called with the result. */
  stop(work: WorkTime | undefined): void {
    if (work === undefined) return
    const { compute } = work
    const duration = performance.now() - this.#startTime
    const copies = this.#packing + work.copies
    // Two threads' clocks tick in steps: the rest is not to be less than nothing.
    const waiting = Math.max(0, duration - compute - copies)
    const { call } = this
    const startTime = this.#startTime
    this.onTiming({
      call,
      startTime,
      duration: compute + copies + waiting,
      compute,
      copies,
      waiting,
    })
  }
}
