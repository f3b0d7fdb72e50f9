// `npm run bench -- generate`: a random model of the shape of GPT-2 small (124 million weights) reads
// prompts and adds tokens. A prompt is bound by arithmetic, a token by reading every weight once.

import { bytesOf, flopsOf, generateCases } from '../cases/generate.js'
import { limitsLine, medianOf, oursVerified, remarks, timesTable } from '../lib/comparison.mjs'
import { chosen, isBuilt, ours } from '../lib/peers.mjs'
import { digits, percent, report, table } from '../lib/report.mjs'
import { measure } from '../lib/rounds.mjs'

const task = {
  warmUp: generateCases[0],
  expected: () => [1],
  judge: (_peer, [right]) => ({ error: 1 - right, verified: right === 1 }),
  flops: flopsOf,
}

function peersFor(threads) {
  const builds = threads > 1 ? ['threads-relaxed', 'threads'] : ['relaxed', 'simd']
  return builds.filter(isBuilt).flatMap((build) =>
    ['float32', 'int8'].map((dtype) => {
      const peer = ours(`${build} ${dtype}`, build, threads, { dtype })
      return { ...peer, module: 'generate-headwise.js', precision: dtype }
    }),
  )
}

/** Tokens per second, and how near that is to what the machine could do at most. */
function speedTable(cases, threads) {
  const rows = cases.flatMap(({ shape, limit, results }) =>
    results
      .filter(({ verified }) => verified)
      .map((entry) => {
        const tokens = shape.kind === 'prompt' ? shape.tokens : 1
        const perSecond = (1000 * tokens) / medianOf(entry)
        const precision = entry.peer.endsWith('int8') ? 'int8' : 'float32'
        const gigabytes = bytesOf(precision) / medianOf(entry) / 1e6
        return [
          `${shape.name} ${entry.peer}`,
          digits(perSecond),
          digits(entry.gigaflops),
          percent(entry.gigaflops / limit.relaxedMultiplyAdd.median / threads),
          shape.kind === 'prompt' ? '-' : digits(gigabytes),
          shape.kind === 'prompt' ? '-' : percent(gigabytes / limit.memory.median),
        ]
      }),
  )
  const heads = [
    'tokens/s',
    'GFLOP/s',
    'of multiply-add',
    'GB/s of weights',
    'of one thread reading',
  ]
  return table(['', ...heads], rows)
}

export async function generate({ run, browser, options, effort }) {
  const sections = []
  const data = []
  for (const threads of options.threads) {
    const peers = chosen(peersFor(threads), options.peers, 'peer')
    const shapes = chosen(generateCases, options.shapes, 'shape')
    const measured = await measure(browser, { task, peers, shapes, effort })
    sections.push(`## threads: ${threads}`, limitsLine(measured.cases))
    sections.push(timesTable(measured.cases), speedTable(measured.cases, threads))
    if (remarks(measured)) sections.push(remarks(measured))
    data.push({ threads, ...measured })
  }
  const title = 'Text from a random model of the shape of GPT-2 small, median ms'
  report('generate', { title, run, sections, data: { measured: data } })
  return data.every(oursVerified) ? 0 : 1
}
