// The package in Node, as an ES module and through `require`.

import { availableParallelism } from 'node:os'

import { capture } from '../../scripts/lib/process.mjs'
import { faultsOfReport } from './judge.mjs'
import { layOut } from './workplace.mjs'

/** Node 20 hides relaxed SIMD behind a flag. */
const known = process.versions.node.startsWith('20.') ? '' : '-relaxed'
const withThreads = `threads${known}`
const alone = known === '' ? 'simd' : 'relaxed'
const builds = [availableParallelism() > 1 ? withThreads : alone]

export async function nodeRows({ tarball, model }) {
  const folder = await layOut('node', tarball, model)
  const rows = []
  for (const [mode, script] of Object.entries({ import: 'main.mjs', require: 'main.cjs' })) {
    const { code, stdout, stderr } = await capture(process.execPath, [script], { cwd: folder })
    const row = { project: 'node', tool: `Node ${process.versions.node}`, mode, headers: '-' }
    if (code !== 0) {
      rows.push({ ...row, build: '-', faults: [stderr || `exit code ${code}`] })
      continue
    }
    for (const [entrance, report] of Object.entries(JSON.parse(stdout))) {
      const faults = faultsOfReport(report, { builds })
      rows.push({ ...row, mode: `${mode} ${entrance}`, build: report.build, faults })
    }
  }
  return rows
}
