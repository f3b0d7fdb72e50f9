// Fuzzes the readers of a model's three files for some time. Prints the seed of every finding, and lays
// the changed file beside the other findings.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

import { caseOf } from './case.mjs'

/** What takes longer does not come to its end: whole cases take milliseconds. */
const patience = 5000
/** Findings after which it is enough. */
const mostFindings = 20

/** Runs until the time is up, or only the case of `seed` with `once`; resolves to the findings. */
export async function fuzzFiles({ seconds, seed, once, findingsFolder }) {
  const end = Date.now() + seconds * 1000
  const findings = []
  const note = (at, finding) => {
    const { name, files } = caseOf(at)
    mkdirSync(findingsFolder, { recursive: true })
    const file = path.join(findingsFolder, `files-${at}-${name}`)
    writeFileSync(file, files[name])
    findings.push(at)
    console.log(`seed ${at}: ${name}: ${finding}\n  ${file}`)
  }
  let next = seed
  while (Date.now() < end && findings.length < mostFindings && !(once && next > seed)) {
    next = await runFrom(next, { end, once, note })
  }
  console.log(`${next - seed} cases from seed ${seed} on, ${findings.length} findings`)
  return findings
}

/** Runs cases in a thread until the time is up or the thread is lost; resolves to the next seed. */
function runFrom(seed, { end, once, note }) {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('run.mjs', import.meta.url), { workerData: { seed } })
    let [current, begun] = [seed, Date.now()]
    const watch = setInterval(() => {
      if (Date.now() >= end) stop(current)
      else if (Date.now() - begun > patience) lost('it does not come to its end')
    }, 100)
    function stop(next) {
      clearInterval(watch)
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      void worker.terminate().then(() => resolve(next))
    }
    function lost(finding) {
      note(current, finding)
      stop(current + 1)
    }
    worker.on('message', (message) => {
      if ('finding' in message) note(message.seed, message.finding)
      else if (once && message.begin > seed) stop(message.begin)
      else [current, begun] = [message.begin, Date.now()]
    })
    worker.on('error', (error) => lost(error.stack ?? String(error)))
    worker.on('exit', (code) => lost(`the thread ended with ${code}`))
  })
}
