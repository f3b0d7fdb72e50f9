// Installs the peers of tests/bench/package.json, once for each state of its lock file.

import path from 'node:path'

import { whenChanged } from '../../../scripts/lib/content.mjs'
import { root } from '../../../scripts/lib/paths.mjs'
import { run } from '../../../scripts/lib/process.mjs'
import { say } from '../../../scripts/lib/say.mjs'

const folder = path.join(root, 'tests/bench')

export async function installPeers() {
  const inputs = [path.join(folder, 'package-lock.json')]
  const product = path.join(folder, 'node_modules/onnxruntime-web/package.json')
  await whenChanged('bench-peers', { inputs, product }, async () => {
    say('installing the peers (about 1 GB, once)')
    await run('npm', ['ci', '--ignore-scripts'], { cwd: folder })
  })
}
