// Brings a checkout to the point where it can be built (or, with --test, tested): system packages,
// toolchain, npm packages. What is there already is left alone, so it takes a second when all is.

import './lib/node-version.mjs'

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { isMain, root } from './lib/paths.mjs'
import { run } from './lib/process.mjs'
import { main, timed } from './lib/say.mjs'
import { systemPackages } from './lib/system-packages.mjs'
import { toolchain } from './lib/toolchain.mjs'

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}

/** Whether node_modules holds what package-lock.json asks for, by npm's own record of it. */
function npmIsCurrent() {
  const record = path.join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const installed = packagesIn(record)
  return Object.entries(packagesIn(path.join(root, 'package-lock.json'))).every(
    ([name, wanted]) =>
      !name.includes('node_modules/') ||
      wanted.optional ||
      wanted.link ||
      installed[name]?.version === wanted.version,
  )
}

/** `purpose` is 'build' or 'test'; resolves to the toolchain. */
export async function setup(purpose) {
  await systemPackages(purpose)
  const found = await toolchain()
  if (!npmIsCurrent()) {
    await timed('installing the npm packages', () =>
      run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }),
    )
  }
  return found
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setup(process.argv.includes('--test') ? 'test' : 'build')
  })
}
