// clang-tidy over the library's translation units, the tools and the bindings. Tests are left out: they
// cost as much time again, and are compiled with warnings as errors and run under sanitizers. A unit
// that passed is remembered in the user's cache folder by the contents of everything it is compiled
// from, so only what a change touches is looked at again.

import {
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'

import { hashOf } from '../lib/content.mjs'
import { cacheFolder, root, shown } from '../lib/paths.mjs'
import { capture, inParallel, output } from '../lib/process.mjs'
import { say } from '../lib/say.mjs'
import { sum, verdict } from './result.mjs'

const remembered = path.join(cacheFolder(), 'clang-tidy')
const keepFor = 60 * 24 * 3600 * 1000

/** Headers of each object file as Ninja recorded them while compiling. */
async function recordedHeaders(folder) {
  const text = await output('ninja', ['-C', folder, '-t', 'deps'])
  const headers = new Map()
  let current
  for (const line of text.split('\n')) {
    if (line.startsWith('    ')) current?.push(path.resolve(folder, line.trim()))
    else if (line.includes(': #deps')) headers.set(line.split(':', 1)[0], (current = []))
  }
  return headers
}

/** Where the checkout lies does not matter, what its files say does. */
function keyOf(unit, salt) {
  const own = [unit.file, ...unit.headers].filter((name) => name.startsWith(root + path.sep))
  return hashOf(own, salt, unit.key)
}

function isRemembered(file) {
  try {
    utimesSync(file, new Date(), new Date())
    return true
  } catch {
    return false
  }
}

function forgetOld() {
  for (const name of readdirSync(remembered)) {
    const file = path.join(remembered, name)
    if (Date.now() - statSync(file).mtimeMs > keepFor) rmSync(file)
  }
}

/** What tells clang-tidy to read a WebAssembly build as Emscripten's own compiler does. */
async function emscriptenArguments(toolchain) {
  const compiler = path.join(toolchain.env.HEADWISE_EMSCRIPTEN, 'em++')
  const flags = await output(compiler, ['--cflags'], { env: toolchain.env })
  return flags.trim().split(/\s+/)
}

/** The units of the library and its tools in the compilation database of a build folder. */
async function unitsOf(folder, compilerArguments) {
  const database = readFileSync(path.join(folder, 'compile_commands.json'), 'utf8')
  const headers = await recordedHeaders(folder)
  const extra = compilerArguments.map((flag) => `--extra-arg=${flag}`)
  return JSON.parse(database)
    .filter(({ file }) => file.startsWith(path.join(root, 'cpp') + path.sep))
    .map(({ file, command, output: object }) => ({
      file,
      key: `${command.replaceAll(root, '.')} ${extra.join(' ')}`,
      headers: headers.get(object) ?? [],
      args: ['--quiet', '-p', folder, ...extra, file],
    }))
}

async function check(unit, clangTidy, salt) {
  const memory = path.join(remembered, keyOf(unit, salt))
  if (isRemembered(memory)) return { ...verdict(true), checked: false }
  const { code, stdout } = await capture(clangTidy, unit.args)
  if (code === 0) writeFileSync(memory, '')
  else process.stderr.write(stdout)
  return { ...verdict(code === 0), checked: true }
}

/**
 * One verdict for each of our own files: those of the native build, and the bindings as the
 * WebAssembly build compiles them. Both folders have been built before.
 */
export async function clangTidy(toolchain, { native, wasm }) {
  mkdirSync(remembered, { recursive: true })
  const bindings = await unitsOf(wasm, await emscriptenArguments(toolchain))
  const units = [
    ...(await unitsOf(native, [])),
    ...bindings.filter(({ file }) => file.includes(`${path.sep}bindings${path.sep}`)),
  ]
  const version = await output(toolchain.clangTidy, ['--version'])
  const configurations = ['.', 'cpp/bindings'].map((folder) =>
    path.join(root, folder, '.clang-tidy'),
  )
  const salt = hashOf(configurations, version)
  const width = Math.min(4, availableParallelism())
  const results = await inParallel(units, width, (unit) => check(unit, toolchain.clangTidy, salt))
  const result = sum(results)
  const checked = results.filter((one) => one.checked).length
  say(
    `clang-tidy: ${units.length} files, ${checked} of them changed, ${result.failed} with findings`,
  )
  for (const [index, unit] of units.entries()) {
    if (results[index].failed > 0) say(`  ${shown(unit.file)}`)
  }
  forgetOld()
  return result
}
