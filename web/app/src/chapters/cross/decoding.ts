// How a text is decoded, one token a step: the likeliest token each time (greedy), the reader's own
// choice where there is one, or the best of several beams. Pure: what comes next is asked of a
// function, which knows the model.
import type { Candidate } from 'headwise'

/** What could come behind these ids, likeliest first. */
export type Next = (ids: readonly number[], signal: AbortSignal) => Promise<readonly Candidate[]>

/** One step: what could be written, and what was. */
export interface Step {
  candidates: readonly Candidate[]
  /** Which of the candidates was written. */
  taken: number
}

/** The reader took another token than the likeliest. */
export interface Choice {
  step: number
  id: number
}

export interface Ends {
  /** What stands before the first step. */
  start: readonly number[]
  end: readonly number[]
  /** Most steps. */
  most: number
}

export const takenOf = ({ candidates, taken }: Step): Candidate => {
  const candidate = candidates[taken]
  if (!candidate) throw new Error(`step: expected candidate ${String(taken)}; received none`)
  return candidate
}

export const idsOf = (steps: readonly Step[]): number[] => steps.map((step) => takenOf(step).id)

/**
 * Greedy, but for the choices. `show` gets the steps so far after each one. A choice that is not among
 * the candidates of its step, as a mistyped link may have it, is none.
 */
export async function decodeGreedy(
  next: Next,
  { start, end, most }: Ends,
  choices: readonly Choice[],
  signal: AbortSignal,
  show: (steps: readonly Step[]) => void,
): Promise<readonly Step[]> {
  let steps: readonly Step[] = []
  while (steps.length < most) {
    const candidates = await next([...start, ...idsOf(steps)], signal)
    if (candidates.length === 0) break
    const choice = choices.find(({ step }) => step === steps.length)
    const chosen = candidates.findIndex(({ id }) => id === choice?.id)
    const step = { candidates, taken: Math.max(0, chosen) }
    steps = [...steps, step]
    show(steps)
    if (end.includes(takenOf(step).id)) break
  }
  return steps
}

/** A text that a beam has come to. */
export interface Hypothesis {
  steps: readonly Step[]
  /** Sum of the logarithms of its probabilities. */
  logProbability: number
  /** The same for each token: what finished texts are compared by, as longer ones have a smaller sum. */
  score: number
  finished: boolean
}

const empty: Hypothesis = { steps: [], logProbability: 0, score: -Infinity, finished: false }

function extended(
  { steps, logProbability }: Hypothesis,
  step: Step,
  end: readonly number[],
): Hypothesis {
  const { id, probability } = takenOf(step)
  const sum = logProbability + Math.log(probability)
  const all = [...steps, step]
  return { steps: all, logProbability: sum, score: sum / all.length, finished: end.includes(id) }
}

/**
 * Beam search: of all continuations of the texts so far the `width` most probable are kept; a text
 * that ends waits aside. Over when no text that goes on can still become better than the worst of
 * `width` finished ones. Best first; what stands before the search, `prefix`, is part of each.
 *
 * Wu et al. 2016, with the length penalty of 1: the mean log-probability of a token.
 */
export async function searchBeams(
  next: Next,
  { start, end, most }: Ends,
  width: number,
  prefix: readonly Step[],
  signal: AbortSignal,
): Promise<Hypothesis[]> {
  const begun = prefix.reduce((sum, step) => extended(sum, step, end), empty)
  let open = begun.finished ? [] : [begun]
  let finished = begun.finished ? [begun] : []
  while (open.length > 0 && (open[0]?.steps.length ?? most) < most) {
    const grown: Hypothesis[] = []
    for (const hypothesis of open) {
      const candidates = await next([...start, ...idsOf(hypothesis.steps)], signal)
      for (const taken of candidates.keys()) {
        grown.push(extended(hypothesis, { candidates, taken }, end))
      }
    }
    grown.sort((a, b) => b.logProbability - a.logProbability)
    const best = grown.slice(0, width)
    open = best.filter((each) => !each.finished)
    finished = ranked([...finished, ...best.filter((each) => each.finished)]).slice(0, width)
    // Log-probabilities only fall; at best the text grows to its full length for nothing.
    const hope = (open[0]?.logProbability ?? -Infinity) / most
    if (finished.length === width && (finished.at(-1)?.score ?? 0) >= hope) break
  }
  return ranked([...finished, ...open]).slice(0, width)
}

/** Texts that ended before those that did not, then by their score. */
function ranked(all: readonly Hypothesis[]): Hypothesis[] {
  return [...all].sort((a, b) => Number(b.finished) - Number(a.finished) || b.score - a.score)
}
