// The limits of this machine, measured between other things and summed up.
import { openLimits, type Limits, type LimitLoops } from '../../../limits/limits'
import { spreadOf } from './timing'

/** Reading 256 MB where a device gives so much, else 64. */
export async function openLimitsHere(): Promise<LimitLoops> {
  try {
    return await openLimits({ megabytes: 256 })
  } catch {
    return openLimits({ megabytes: 64 })
  }
}

/** The median of several measurements of the limits. */
export function medianLimits(all: readonly Limits[]): Limits {
  const median = (values: number[]): number => spreadOf(values).median
  const relaxed = all.flatMap(({ relaxedMultiplyAdd }) => relaxedMultiplyAdd ?? [])
  return {
    ...(relaxed.length > 0 && { relaxedMultiplyAdd: median(relaxed) }),
    multiplyThenAdd: median(all.map(({ multiplyThenAdd }) => multiplyThenAdd)),
    memory: median(all.map(({ memory }) => memory)),
  }
}
