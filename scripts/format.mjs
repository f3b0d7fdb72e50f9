// Formats every file of the repository: prettier and clang-format.

import './lib/node-version.mjs'

import path from 'node:path'

import { cppFiles } from './checks/lint.mjs'
import { root } from './lib/paths.mjs'
import { run } from './lib/process.mjs'
import { main, say } from './lib/say.mjs'
import { setup } from './setup.mjs'

await main(async () => {
  const { clangFormat } = await setup('build')
  const prettier = path.join(root, 'node_modules/.bin/prettier')
  await run(prettier, ['--write', '--log-level', 'warn', '.'], { cwd: root })
  if (clangFormat) await run(clangFormat, ['-i', ...cppFiles()])
  else say('clang-format is not on PATH: C++ files are left as they are')
})
