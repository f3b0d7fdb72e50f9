// The benchmark of the reader's device: attention with every build of the module that runs here, in
// turns with the limits of the machine.
import { createRuntime, HeadwiseError, type Build, type Runtime } from 'headwise/core'
import type { Limits } from '../../../limits/limits'
import { medianLimits, openLimitsHere } from './limitsHere'
import type { Refused, Report, Results } from './results'
import { random } from './runtimes'
import { base } from './shapes'
import { spreadOf, timeInTurns } from './timing'

const builds: readonly Build[] = ['scalar', 'simd', 'relaxed', 'threads', 'threads-relaxed']
/** For all limits in a round, ms. */
const limitTime = 150

function reasonOf(build: Build, reason: unknown): Refused['reason'] {
  const isUnsupported = reason instanceof HeadwiseError && reason.code === 'UNSUPPORTED'
  if (!isUnsupported) return { message: reason instanceof Error ? reason.message : String(reason) }
  return build.startsWith('threads') && !crossOriginIsolated ? 'isolation' : 'instructions'
}

async function openAll(): Promise<{ opened: Runtime[]; refused: Refused[] }> {
  const opened: Runtime[] = []
  const refused: Refused[] = []
  for (const build of builds) {
    try {
      opened.push(await createRuntime({ build, onWarning: () => undefined }))
    } catch (reason) {
      refused.push({ build, reason: reasonOf(build, reason) })
    }
  }
  return { opened, refused }
}

/** 20261130T0512 */
export function minuteOf(date: Date): string {
  return date.toISOString().slice(0, 16).replace(/[-:]/g, '')
}

export async function measureDevice(length: number, report: Report): Promise<Results['device']> {
  const loops = await openLimitsHere()
  const limits: Limits[] = []
  const { opened, refused } = await openAll()
  try {
    const x = random(1, length, base.dModel)
    const runs = opened.map(
      (runtime) => () => void runtime.attention(x, x, x, { numHeads: base.heads }),
    )
    const between = () => {
      limits.push(loops.measure(limitTime))
    }
    const times = timeInTurns(runs, report, { between })
    const lines = opened.map(({ info }, place) => ({
      build: info.build,
      threads: info.threads,
      time: times[place] ?? spreadOf([]),
    }))
    const date = minuteOf(new Date())
    return { result: { date, length, limits: medianLimits(limits), lines }, refused }
  } finally {
    for (const runtime of opened) runtime.dispose()
  }
}
