// The Worker that measures: one job, then it is ended by the page. Synchronous calls of headwise/core,
// so that nothing but the work itself is timed.
import { measureDepth } from './depth'
import { measureDevice } from './device'
import { measureGrowth } from './growth'
import { measureLoops } from './loops'
import type { Answer, Job, JobName, Report, Results } from './results'
import { measureRoof } from './roof'

const jobs: {
  [Name in JobName]: (report: Report, job: Job) => Promise<Results[Name]>
} = {
  loops: measureLoops,
  depth: measureDepth,
  roof: measureRoof,
  growth: measureGrowth,
  device: (report, { length }) => measureDevice(length, report),
}

function answer(message: Answer): void {
  postMessage(message)
}

addEventListener('message', ({ data }: MessageEvent<Job>) => {
  const report: Report = (share) => {
    answer({ type: 'progress', share })
  }
  jobs[data.name](report, data).then(
    (value) => {
      answer({ type: 'result', value })
    },
    (reason: unknown) => {
      const message = reason instanceof Error ? reason.message : String(reason)
      answer({ type: 'failure', message })
    },
  )
})
