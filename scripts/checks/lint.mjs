// Layout, lint and types of every language in the repository. Each tool counts as one check, and
// clang-tidy as one for each file.

import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'

import { cmakeBuild } from '../lib/cmake.mjs'
import { filesUnder } from '../lib/content.mjs'
import { buildFolder, root } from '../lib/paths.mjs'
import { capture, inParallel } from '../lib/process.mjs'
import { say } from '../lib/say.mjs'
import { clangTidy } from './clang-tidy.mjs'
import { checkLabData } from './lab-data.mjs'
import { sum, verdict } from './result.mjs'

const bin = (name) => path.join(root, 'node_modules/.bin', name)
const cacheFile = (name) => path.join(buildFolder, 'lint', name)

/** All C++ files of our own. */
export function cppFiles() {
  return ['cpp', 'tests/cpp', 'tests/fuzz']
    .flatMap((folder) => filesUnder(path.join(root, folder)))
    .filter((file) => /\.(cpp|hpp)$/.test(file))
}

/** Its findings come in one piece, for another tool may run beside it. */
async function tool([title, command, args]) {
  if (!existsSync(command)) throw new Error(`${command} is missing although npm has run`)
  const { code, stdout, stderr } = await capture(command, args, { cwd: root })
  if (code !== 0) process.stderr.write(stdout + stderr)
  say(`${title}: ${code === 0 ? 'clean' : 'findings, see above'}`)
  return verdict(code === 0)
}

/** The tools that need no C++ build. */
function webTools() {
  mkdirSync(path.join(buildFolder, 'lint'), { recursive: true })
  const page = path.join(root, 'web/app')
  const cached = (name) => [
    '--cache',
    '--cache-strategy',
    'content',
    '--cache-location',
    cacheFile(name),
  ]
  return [
    ['prettier', bin('prettier'), ['--check', '--log-level', 'warn', ...cached('prettier'), '.']],
    ['eslint', bin('eslint'), ['--max-warnings', '0', ...cached('eslint'), '.']],
    ['types of tests and configurations', bin('tsc'), ['-p', 'tsconfig.json']],
    ['types of the service worker', bin('tsc'), ['-p', 'web/app/offline']],
    [
      'svelte-check',
      bin('svelte-check'),
      ['--workspace', page, '--fail-on-warnings', '--output', 'human', '--threshold', 'warning'],
    ],
  ]
}

async function cppTools(toolchain) {
  if (!toolchain.clangFormat || !toolchain.clangTidy) {
    say('clang-format and clang-tidy are not on PATH beside this emcc: the C++ lint is skipped')
    return { passed: 0, failed: 0, skipped: 2 }
  }
  const args = ['--dry-run', '--Werror', ...cppFiles()]
  const format = await tool(['clang-format', toolchain.clangFormat, args])
  const native = await cmakeBuild('native', toolchain)
  const wasm = await cmakeBuild('simd', toolchain, ['headwise_module'])
  return sum([format, await clangTidy(toolchain, { native, wasm })])
}

export async function lint(toolchain) {
  const results = await inParallel(webTools(), Math.min(4, availableParallelism()), tool)
  results.push(verdict(checkLabData()))
  results.push(await cppTools(toolchain))
  return sum(results)
}
