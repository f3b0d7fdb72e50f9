// What a user of the npm package gets: that it is put together as its package.json says, that its
// documentation can be made without a warning, and that one build of it stays within its size; and
// that the page's first view does, with its chapters fetched on demand.

import path from 'node:path'

import { pageSizes } from '../lib/page-sizes.mjs'
import { root } from '../lib/paths.mjs'
import { exitCode } from '../lib/process.mjs'
import { say } from '../lib/say.mjs'
import { moduleSizes } from '../size.mjs'
import { sum, verdict } from './result.mjs'

export async function packageChecks() {
  const tool = async (name, ...args) => {
    const code = await exitCode(path.join(root, 'node_modules/.bin', name), args, { cwd: root })
    return verdict(code === 0)
  }
  const put = await tool('publint', 'run', 'web/module', '--strict')
  const documented = await tool('typedoc', '--emit', 'none')
  const sizes = await moduleSizes()
  for (const { build, total } of sizes) say(`${build}: ${total.toFixed(1)} KB, wasm + JavaScript`)
  const { firstView, chapters } = pageSizes()
  say(`page: ${firstView.js.toFixed(1)} KB of JavaScript in the first view`)
  return sum([
    put,
    documented,
    ...sizes.map(({ withinBudget }) => verdict(withinBudget)),
    verdict(firstView.withinBudget),
    ...chapters.map(({ onDemand }) => verdict(onDemand)),
  ])
}
