// What a reader must know to judge a figure: machine, browser, versions, commit, and how busy the
// machine was.

import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { root } from '../../../scripts/lib/paths.mjs'
import { capture } from '../../../scripts/lib/process.mjs'

const benchFolder = path.join(root, 'tests/bench')

async function commit() {
  const git = async (...args) => (await capture('git', args, { cwd: root })).stdout.trim()
  const id = await git('rev-parse', '--short=10', 'HEAD')
  const changed = await git('status', '--porcelain', '--', 'cpp', 'web', 'cmake', 'CMakeLists.txt')
  return changed === '' ? id : `${id} with local changes`
}

/** { name: version } of the peers' packages as installed. */
export function packageVersions() {
  const { dependencies } = JSON.parse(readFileSync(path.join(benchFolder, 'package.json')))
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => {
      const file = path.join(benchFolder, 'node_modules', name, 'package.json')
      return [name, JSON.parse(readFileSync(file)).version]
    }),
  )
}

/** Cores that others keep busy, on average over some seconds in which this process only waits. */
async function busyCores(milliseconds = 3000) {
  const used = () =>
    os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  const before = used()
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  return (used() - before) / milliseconds
}

/** To be called before the browser starts, so that what is busy is other work. */
export async function describeMachine() {
  return {
    cpu: os.cpus()[0].model.trim(),
    cores: os.availableParallelism(),
    memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.machine()}`,
    node: process.version,
    commit: await commit(),
    packages: packageVersions(),
    busyCores: await busyCores(),
  }
}

/** What speaks against quoting figures of this machine now. */
export function warningOf({ busyCores: busy }) {
  if (busy < 0.1) return undefined
  return `other work kept ${busy.toFixed(1)} cores busy: do not quote these figures`
}
