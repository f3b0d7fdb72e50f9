// Runs the named benchmarks one after another in one Chromium.

import { attention } from './commands/attention.mjs'
import { block } from './commands/block.mjs'
import { decode } from './commands/decode.mjs'
import { encode } from './commands/encode.mjs'
import { generate } from './commands/generate.mjs'
import { heads } from './commands/heads.mjs'
import { memory } from './commands/memory.mjs'
import { page } from './commands/page.mjs'
import { withBrowser } from './lib/browser.mjs'
import { bundleModule } from './lib/bundle.mjs'
import { describeMachine, warningOf } from './lib/machine.mjs'
import { fullEffort, quickEffort } from './lib/rounds.mjs'
import { say } from '../../scripts/lib/say.mjs'

const commands = { attention, block, decode, memory, encode, generate, heads, page }

/** Resolves to the exit code: 1 when an output of ours was wrong. */
export async function runBenchmarks(names, options) {
  const effort = { ...(options.quick ? quickEffort : fullEffort) }
  if (options.rounds) effort.rounds = Number(options.rounds)
  await bundleModule()
  const machine = await describeMachine()
  if (warningOf(machine)) say(warningOf(machine))
  return withBrowser(async (browser) => {
    let code = 0
    for (const name of names) {
      const run = {
        ...machine,
        browser: `Chromium ${browser.version}`,
        date: new Date().toISOString(),
      }
      code = Math.max(code, await commands[name]({ run, browser, options, effort }))
    }
    return code
  })
}
