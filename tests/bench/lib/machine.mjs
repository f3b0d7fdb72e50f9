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

export async function describeRun(browserVersion) {
  const [cpu] = os.cpus()
  return {
    date: new Date().toISOString(),
    cpu: cpu.model.trim(),
    cores: os.availableParallelism(),
    memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.machine()}`,
    node: process.version,
    browser: `Chromium ${browserVersion}`,
    commit: await commit(),
    packages: packageVersions(),
    loadAverage: os.loadavg()[0],
  }
}

/** Above this many busy cores at the start, other work takes time from what is measured. */
export function warningOf({ loadAverage }) {
  if (loadAverage < 0.5) return undefined
  return `the machine was busy (load average ${loadAverage.toFixed(1)}): do not quote these figures`
}
