// What Headwise needs from the operating system, and how a person gets it. As root on a system with
// apt the missing packages are installed; otherwise the one line to run is printed.

import { existsSync } from 'node:fs'

import { chromiumPath } from './chromium.mjs'
import { capture, output, which } from './process.mjs'
import { PlainError, say } from './say.mjs'

async function hasKoreanFont() {
  const { code, stdout } = await capture('fc-list', [':lang=ko', 'family'])
  return code === 0 && stdout.trim() !== ''
}

/** `for`: 'build' = npm start and npm run build, 'test' = npm test. */
const needs = [
  { package: 'cmake', for: 'build', present: () => which('cmake') },
  { package: 'ninja-build', for: 'build', present: () => which('ninja') },
  { package: 'python3', for: 'build', present: () => which('python3') },
  { package: 'patchelf', for: 'build', present: () => which('patchelf') ?? which('emcc') },
  { package: 'g++', for: 'test', present: () => which('g++') ?? which('clang++') },
  { package: 'googletest', for: 'test', present: () => existsSync('/usr/src/googletest') },
  { package: 'chromium', for: 'test', present: chromiumPath },
  { package: 'fontconfig', for: 'test', present: () => which('fc-list') },
  { package: 'fonts-noto-cjk', for: 'test', present: hasKoreanFont },
]

async function missingFor(purpose) {
  const missing = []
  for (const need of needs) {
    if (need.for === 'test' && purpose === 'build') continue
    if (!(await need.present())) missing.push(need.package)
  }
  return missing
}

/** Makes sure that the system has what `purpose` needs. */
export async function systemPackages(purpose) {
  const missing = await missingFor(purpose)
  if (missing.length === 0) return
  const list = missing.join(' ')
  if (!which('apt-get')) {
    throw new PlainError(
      `these are missing; please install what your system calls them, and run again: ${list}`,
    )
  }
  const line = `apt-get install -y --no-install-recommends ${list}`
  if (process.getuid?.() !== 0) {
    throw new PlainError(
      `some packages are missing; please run this, then the same command again:\n  sudo ${line}`,
    )
  }
  say(`installing what is missing with apt: ${list}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  // A fresh machine often updates itself in the background: wait for its lock rather than fail.
  const patient = ['-q', '-o', 'DPkg::Lock::Timeout=600', '-o', 'Acquire::Retries=3']
  await output('apt-get', [...patient, 'update'], { env })
  const [command, ...args] = line.split(' ')
  await output(command, [...patient, ...args], { env })
  const still = await missingFor(purpose)
  if (still.length > 0) throw new PlainError(`apt did not bring: ${still.join(' ')}`)
}
