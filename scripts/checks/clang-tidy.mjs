// clang-tidy over the native translation units, two at a time. A unit that passed is remembered in
// the user's cache folder by the contents of everything it is compiled from, so only what a change
// touches is looked at again.

import { createHash } from 'node:crypto'
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

function keyOf(unit, headers, salt) {
  const hash = createHash('sha256').update(`${salt}\0${unit.command}\0`)
  // Where the checkout lies does not matter, what its files say does.
  for (const file of [unit.file, ...headers].filter((name) => name.startsWith(root + path.sep))) {
    hash.update(`${path.relative(root, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
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

/** Checks every unit of our own in the compilation database of `folder`; one verdict for each. */
export async function clangTidy(toolchain, folder) {
  mkdirSync(remembered, { recursive: true })
  const database = readFileSync(path.join(folder, 'compile_commands.json'), 'utf8')
  const units = JSON.parse(database).filter(({ file }) => file.startsWith(root + path.sep))
  const headers = await recordedHeaders(folder)
  const version = await output(toolchain.clangTidy, ['--version'])
  const salt =
    version +
    ['.clang-tidy', 'tests/.clang-tidy'].map((name) => readFileSync(path.join(root, name))).join('')
  let checked = 0
  const results = await inParallel(units, Math.min(4, availableParallelism()), async (unit) => {
    const command = unit.command.replaceAll(root, '.')
    const key = keyOf({ ...unit, command }, headers.get(unit.output) ?? [], salt)
    const memory = path.join(remembered, key)
    if (isRemembered(memory)) return verdict(true)
    checked++
    const { code, stdout } = await capture(toolchain.clangTidy, [
      '--quiet',
      '-p',
      folder,
      unit.file,
    ])
    if (code === 0) writeFileSync(memory, '')
    else process.stderr.write(stdout)
    return verdict(code === 0)
  })
  const result = sum(results)
  say(
    `clang-tidy: ${units.length} files, ${checked} of them changed, ${result.failed} with findings`,
  )
  for (const [index, unit] of units.entries()) {
    if (results[index].failed > 0) say(`  ${shown(unit.file)}`)
  }
  forgetOld()
  return result
}
