// How long something takes, on a machine that does other things too: many samples in turns, their
// median and quartiles. Pure but for the clock, which can be given.
import { quantileSorted } from 'd3-array'

/** Milliseconds of a call: the median, and the quarters below and above it. */
export interface Spread {
  median: number
  /** A quarter of the samples were as fast or faster. */
  low: number
  /** A quarter were as slow or slower. */
  high: number
  samples: number
}

export interface Effort {
  /** Calls before the first sample, ms: engines compile a function better once it is used. */
  warmUp: number
  /** A sample repeats the call until it lasts so long, ms: clocks of browsers are coarse. */
  sample: number
  rounds: number
  /** No further rounds for what has taken so long, ms; three samples there are at least. */
  patience: number
}

export const usualEffort: Effort = { warmUp: 250, sample: 12, rounds: 11, patience: 2500 }
const fewestRounds = 3

export type Clock = () => number
const systemClock: Clock = () => performance.now()

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number): number => quantileSorted(sorted, share) ?? NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75), samples: sorted.length }
}

interface Entry {
  run: () => void
  calls: number
  spent: number
  samples: number[]
}

/** Warms up, and finds how many calls a sample needs. */
function prepared(run: () => void, effort: Effort, clock: Clock): Entry {
  const start = clock()
  let calls = 0
  do {
    run()
    calls += 1
  } while (clock() - start < effort.warmUp)
  const one = (clock() - start) / calls
  return { run, calls: Math.max(1, Math.ceil(effort.sample / one)), spent: 0, samples: [] }
}

function takeSample(entry: Entry, clock: Clock): void {
  const start = clock()
  for (let call = 0; call < entry.calls; call++) entry.run()
  const elapsed = clock() - start
  entry.spent += elapsed
  entry.samples.push(elapsed / entry.calls)
}

export interface Turns {
  effort?: Effort
  clock?: Clock
  /** Once a round, before the others. */
  between?: () => void
}

/**
 * Times all of them in turns, each round beginning with another one, so that what disturbs the
 * machine for a while does not hit one of them alone.
 */
export function timeInTurns(
  runs: readonly (() => void)[],
  onProgress: (share: number) => void,
  { effort = usualEffort, clock = systemClock, between }: Turns = {},
): Spread[] {
  let steps = 0
  const onStep = (): void => {
    steps += 1
    onProgress(steps / (runs.length * (effort.rounds + 1)))
  }
  const entries = runs.map((run) => {
    const entry = prepared(run, effort, clock)
    onStep()
    return entry
  })
  for (let round = 0; round < effort.rounds; round++) {
    between?.()
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(round + turn) % entries.length]
      const isDone = round >= fewestRounds && (entry?.spent ?? 0) > effort.patience
      if (entry && !isDone) takeSample(entry, clock)
      onStep()
    }
  }
  return entries.map(({ samples }) => spreadOf(samples))
}
