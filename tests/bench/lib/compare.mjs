// One kind of case beside the peers, on each number of threads asked for: measured, tabulated,
// written. The benchmarks `attention`, `block` and `decode` differ only in their cases.

import { flops, warmUpCases } from '../cases/attention.js'
import { referenceRows } from '../cases/attention-reference.js'
import {
  againstTable,
  limitsLine,
  oursVerified,
  ratiosTable,
  remarks,
  timesTable,
} from './comparison.mjs'
import { allPeers, chosen } from './peers.mjs'
import { report } from './report.mjs'
import { measure } from './rounds.mjs'

/** Outputs may differ from the float64 reference by this much; the outputs are of magnitude 1. */
const tolerance = 2e-6

export function largestError(values, expected) {
  if (values.length !== expected.length) return Infinity
  return values.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0)
}

function judge(peer, rows, expected) {
  const error = largestError(rows, expected)
  return { error, verified: error <= tolerance }
}

/** What `measure` must know of a kind of case: 'attention', 'block' or 'decode'. */
export const taskOf = (kind) => ({
  warmUp: warmUpCases[kind],
  expected: referenceRows,
  judge,
  flops,
})

function sectionsOf(measured, threads, peers, more) {
  const { cases } = measured
  const ours = peers.filter(({ group, worker }) => group === 'headwise' && worker)
  return [
    `## ${threads === 1 ? 'One thread' : `${threads} threads`}`,
    limitsLine(cases),
    timesTable(cases),
    ...ours.map(({ name }) => ratiosTable(cases, name)),
    threads === 1
      ? againstTable(cases, 'relaxed async', 'relaxed', 'async entrance')
      : againstTable(cases, 'threads-relaxed', 'relaxed', 'over one thread'),
    ...(more?.(measured) ?? []),
    remarks(measured),
  ].filter((section) => section !== undefined)
}

/** Runs and reports; resolves to the exit code, 1 when an output of ours was wrong. */
export async function compare({ kind, title, cases, more }, { run, browser, options, effort }) {
  const sections = []
  const data = []
  for (const threads of options.threads) {
    const peers = chosen(allPeers(kind, { ...options, threads }), options.peers, 'peer')
    const shapes = chosen(cases, options.shapes, 'shape')
    const measured = await measure(browser, { task: taskOf(kind), peers, shapes, effort })
    sections.push(...sectionsOf(measured, threads, peers, more))
    data.push({ threads, ...measured })
  }
  report(kind, { title, run, sections, data: { threads: data } })
  return data.every(oursVerified) ? 0 : 1
}
