// What a user of the npm package gets: that it is put together as its package.json says, and that
// one build of it stays within its size.

import path from 'node:path'

import { root } from '../lib/paths.mjs'
import { exitCode } from '../lib/process.mjs'
import { moduleSizes } from '../size.mjs'
import { sum, verdict } from './result.mjs'

export async function packageChecks() {
  const publint = path.join(root, 'node_modules/.bin/publint')
  const code = await exitCode(publint, ['run', 'web/module', '--strict'], { cwd: root })
  const sizes = await moduleSizes()
  return sum([verdict(code === 0), ...sizes.map(({ withinBudget }) => verdict(withinBudget))])
}
