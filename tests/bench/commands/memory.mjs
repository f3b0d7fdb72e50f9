// `npm run bench -- memory`: what the module's allocator takes beyond inputs and outputs, and how far
// the WebAssembly memory grows. A new runtime for every case, since neither number ever shrinks.

import { dModel, memoryCases } from '../cases/attention.js'
import { taskOf } from '../lib/compare.mjs'
import { allPeers, chosen } from '../lib/peers.mjs'
import { digits, report, table } from '../lib/report.mjs'
import { openPeer, prepare, quickEffort } from '../lib/rounds.mjs'
import { say } from '../../../scripts/lib/say.mjs'

const megabytes = (bytes) => (bytes === undefined ? '-' : digits(bytes / 2 ** 20))

/** Bytes of query, key, value and output. */
const tensorBytes = ({ queries, keys }) =>
  2 * (queries + keys) * dModel * Float32Array.BYTES_PER_ELEMENT

/** The peers hold all scores at once: at more keys than this they want gigabytes. */
const mostKeysOfPeers = 2048

async function measureOne(browser, peer, shape) {
  const task = taskOf('attention')
  const opened = await openPeer(browser, peer, task.warmUp, quickEffort)
  if (opened.failed) return { peer: peer.name, shape: shape.name, failed: opened.failed }
  const isOurs = peer.group === 'headwise'
  try {
    const before = isOurs ? await opened.call('memory') : undefined
    const check = { expected: task.expected(shape), judge: task.judge }
    const verdict = await prepare(opened, shape, check, quickEffort)
    const entry = { peer: peer.name, shape: shape.name, ...verdict }
    if (!isOurs) return { ...entry, heap: await opened.realm.heapBytes() }
    const after = await opened.call('memory')
    const beyond = after.peak - before.used - tensorBytes(shape)
    return { ...entry, beyond, heap: after.reserved }
  } finally {
    await opened.realm.close()
  }
}

export async function memory({ run, browser, options }) {
  const peers = chosen(allPeers('attention', { threads: 1 }), options.peers, 'peer').filter(
    ({ group, worker }) => group !== 'headwise' || worker,
  )
  const results = []
  for (const shape of chosen(memoryCases, options.shapes, 'shape')) {
    for (const peer of peers) {
      if (peer.group !== 'headwise' && shape.keys > mostKeysOfPeers) continue
      say(`${shape.name}: ${peer.name}`)
      results.push({
        group: peer.group,
        ...(await measureOne(browser, peer, shape)),
        tensors: tensorBytes(shape),
      })
    }
  }
  const rows = results.map(({ shape, peer, tensors, beyond, heap, error, failed }) => [
    `${shape} ${peer}`,
    megabytes(tensors),
    megabytes(beyond),
    megabytes(heap),
    failed ?? error.toExponential(1),
  ])
  const heads = [
    'MB',
    'inputs and output',
    "allocator's peak beyond",
    'WebAssembly memory',
    'error',
  ]
  report('memory', {
    title: 'Memory of attention: dModel 512, 8 heads, batch 1, one call in a new runtime',
    run,
    sections: [table(heads, rows)],
    data: { results },
  })
  return results.every(({ group, verified }) => group !== 'headwise' || verified) ? 0 : 1
}
