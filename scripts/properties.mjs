// The property tests alone, for as many cases as wanted.
//
//   node scripts/properties.mjs [--runs 9000] [--seed 7]

import './lib/node-version.mjs'

import path from 'node:path'
import { parseArgs } from 'node:util'

import { build } from './build.mjs'
import { root } from './lib/paths.mjs'
import { exitCode } from './lib/process.mjs'
import { main, PlainError } from './lib/say.mjs'
import { setup } from './setup.mjs'

function wholeNumber(name, text) {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 0) return String(number)
  throw new PlainError(`--${name}: expected a whole number; received ${text}`)
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '500000' },
      seed: { type: 'string', default: '1' },
    },
  })
  const env = {
    HEADWISE_PROPERTY_RUNS: wholeNumber('runs', values.runs),
    HEADWISE_PROPERTY_SEED: wholeNumber('seed', values.seed),
  }
  await build(await setup('test'), ['wasm', 'module'])
  const vitest = path.join(root, 'node_modules/.bin/vitest')
  return exitCode(vitest, ['run', '--project', 'properties'], { cwd: root, env })
})
