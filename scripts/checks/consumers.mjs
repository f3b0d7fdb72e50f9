// The packed module in real projects (e2e/consumers): installed, built by their own tools, and run.
//
//   node scripts/checks/consumers.mjs [project ...]     those named, or all

import '../lib/node-version.mjs'

import { isMain } from '../lib/paths.mjs'
import { packModule } from '../lib/pack.mjs'
import { main } from '../lib/say.mjs'
import { inWords, sum } from './result.mjs'

/** `long`: every bundler and framework; else Node and the plain script. */
export async function consumers({ long = false, only = [] } = {}) {
  // Only now: it imports what npm has installed.
  const { runConsumers } = await import('../../e2e/consumers/run.mjs')
  const { file } = await packModule()
  const rows = await runConsumers({ tarball: file, long, only })
  return sum(
    rows.map(({ faults, skipped }) => ({
      passed: skipped || faults.length > 0 ? 0 : 1,
      failed: faults.length > 0 ? 1 : 0,
      skipped: skipped ? 1 : 0,
    })),
  )
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const [{ build }, { setup }] = await Promise.all([
      import('../build.mjs'),
      import('../setup.mjs'),
    ])
    await build(await setup('test'), ['wasm', 'module'])
    const result = await consumers({ long: true, only: process.argv.slice(2) })
    console.log(`\n${inWords(result)}`)
    return result.failed > 0 ? 1 : 0
  })
}
