// `npm run bench`: measures Headwise beside what a web developer would otherwise use, all in one
// Chromium. tests/bench/README.md says how it is done and how to read the tables.
//
//   npm run bench -- [attention|block|decode|memory|encode|generate|heads|page] [--shapes 512,1024-causal]
//       [--peers 'relaxed,onnxruntime*'] [--threads 1,2] [--rounds N] [--quick] [--no-build]
//       [--wasm build/other/headwise-relaxed.wasm]

import './lib/node-version.mjs'

import { parseArgs } from 'node:util'

import { build } from './build.mjs'
import { PlainError, main, say, seconds } from './lib/say.mjs'
import { setup } from './setup.mjs'
import { installPeers } from '../tests/bench/lib/install.mjs'

const commands = ['attention', 'block', 'decode', 'memory', 'encode', 'generate', 'heads', 'page']

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      shapes: { type: 'string' },
      peers: { type: 'string' },
      threads: { type: 'string', default: '1' },
      rounds: { type: 'string' },
      wasm: { type: 'string', multiple: true },
      quick: { type: 'boolean' },
      'no-build': { type: 'boolean' },
    },
  })
  const unknown = positionals.find((name) => !commands.includes(name))
  if (unknown)
    throw new PlainError(`unknown benchmark '${unknown}'; there are ${commands.join(', ')}`)
  const counts = values.threads.split(',').map(Number)
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
    throw new PlainError(`--threads wants numbers such as 1,2, got '${values.threads}'`)
  }
  const names = positionals.length > 0 ? positionals : commands
  return { names, options: { ...values, threads: counts } }
}

await main(async () => {
  const { names, options } = readArguments()
  if (!options['no-build']) {
    const parts = names.includes('page') ? undefined : ['wasm', 'module']
    await build(await setup('test'), parts)
  }
  await installPeers()
  // Only now: these import what has just been installed.
  const { runBenchmarks } = await import('../tests/bench/run.mjs')
  const code = await runBenchmarks(names, options)
  say(`finished after ${seconds(performance.now())}`)
  return code
})
