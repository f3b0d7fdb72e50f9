// `npm run bench -- heads`: the head lab. Roles of all heads over 200 sentences, and leave one out
// over 24 pairs, in tokens a second, beside what the encoder alone does with these sentences one by
// one in the same runtime, and with one sentence of 128 tokens (`npm run bench -- encode`). A token
// counts once for each time that it passes all layers.

import path from 'node:path'

import { encoderCases } from '../cases/encoder.js'
import { headsCases } from '../cases/heads.js'
import { modelFolder, readJson } from '../encoder/weights.mjs'
import { chosen, isBuilt, ours } from '../lib/peers.mjs'
import { digits, percent, report, table } from '../lib/report.mjs'
import { openPeer } from '../lib/rounds.mjs'
import { summaryOf } from '../lib/statistics.mjs'
import { root } from '../../../scripts/lib/paths.mjs'
import { say } from '../../../scripts/lib/say.mjs'

const model = `/${path.relative(root, modelFolder).split(path.sep).join('/')}/`

/** Median milliseconds of each case, in turns. */
async function measureCases({ call }, cases, rounds) {
  const times = new Map(cases.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const shape of cases) {
      await call('prepare', shape)
      times.get(shape.name).push(...(await call('time', { milliseconds: 0, calls: 1 })))
      await call('release')
    }
  }
  return cases.map((shape) => ({ ...shape, milliseconds: summaryOf(times.get(shape.name)).median }))
}

export async function heads({ run, browser, options, effort }) {
  const { vocab } = readJson('tokenizer.json').model
  const long = encoderCases('encode', vocab).find(({ tokens }) => tokens === 128)
  const alone = { kind: 'heads', name: 'encode', texts: [long.text], tokens: long.tokens }
  const cases = headsCases(vocab)
  const rows = []
  const data = []
  for (const threads of options.threads) {
    const builds = threads > 1 ? ['threads-relaxed'] : ['relaxed', 'simd']
    const all = builds.filter(isBuilt).map((build) => ({
      ...ours(build, build, threads, { model }),
      module: 'heads-headwise.js',
    }))
    for (const peer of chosen(all, options.peers, 'peer')) {
      const opened = await openPeer(browser, peer, alone, effort)
      if (opened.failed) throw new Error(opened.failed)
      say(`${peer.name}: ${opened.version}`)
      const [limit] = await measureCases(opened, [alone], 4 * effort.rounds)
      const measured = await measureCases(opened, cases, effort.rounds)
      await opened.realm.close()
      const speed = ({ tokens, milliseconds }) => (1000 * tokens) / milliseconds
      for (const entry of measured) {
        const share = percent(speed(entry) / speed(limit))
        const label = entry.name === 'encode' ? 'encode, one by one' : entry.name
        const seconds = digits(entry.milliseconds / 1000)
        rows.push([`${label} ${peer.name} ${threads}`, seconds, Math.round(speed(entry)), share])
      }
      data.push({ peer: peer.name, threads, limit, measured })
    }
  }
  report('heads', {
    title: 'Head lab: 200 sentences, 24 pairs, MiniLM',
    run,
    sections: [table(['', 's', 'tokens/s', 'of one sentence of 128 tokens'], rows)],
    data: { measured: data },
  })
  return 0
}
