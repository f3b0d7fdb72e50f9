// `npm run bench -- attention`: the op alone, on projected inputs, full and causal.

import { attentionCases } from '../cases/attention.js'
import { againstTable, oursVerified, ratiosTable, remarks, timesTable } from '../lib/comparison.mjs'
import { describeRun } from '../lib/machine.mjs'
import { allPeers, chosen } from '../lib/peers.mjs'
import { report } from '../lib/report.mjs'
import { measure } from '../lib/rounds.mjs'

function sectionsOf(measured, threads, peers) {
  const { cases } = measured
  const ours = peers.filter(({ group, worker }) => group === 'headwise' && worker)
  return [
    `## ${threads === 1 ? 'One thread' : `${threads} threads`}`,
    timesTable(cases),
    ...ours.map(({ name }) => ratiosTable(cases, name)),
    threads === 1
      ? againstTable(cases, 'relaxed, async entrance', 'relaxed', 'async entrance')
      : againstTable(cases, 'threads-relaxed', 'relaxed', 'over one thread'),
    remarks(measured),
  ].filter((section) => section !== undefined)
}

/** Measures one kind of case on each number of threads, and reports. */
export async function compare(name, { title, kind, cases }, { browser, options, effort }) {
  const run = await describeRun(browser.version)
  const sections = []
  const data = []
  for (const threads of options.threads) {
    const peers = chosen(allPeers(kind, { ...options, threads }), options.peers, 'peer')
    const shapes = chosen(cases, options.shapes, 'shape')
    const measured = await measure(browser, { kind, peers, shapes, effort })
    sections.push(...sectionsOf(measured, threads, peers))
    data.push({ threads, ...measured })
  }
  report(name, { title, run, sections, data: { threads: data } })
  return data.every(oursVerified) ? 0 : 1
}

export const attention = (context) =>
  compare(
    'attention',
    {
      title: 'Attention: dModel 512, 8 heads, batch 1, median ms with all copies',
      kind: 'attention',
      cases: attentionCases,
    },
    context,
  )
