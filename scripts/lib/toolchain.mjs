// Finds the Emscripten to use, in this order: HEADWISE_EMCC, emcc on PATH (an active emsdk) when new
// enough, the private prefix in the user's cache folder. What it resolves to is all that the other
// scripts, and CMake through the environment, know about it.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { realpath } from 'node:fs/promises'

import { layout, makePrefix, prefixFolder } from './toolchain-prefix.mjs'
import { capture, output, which } from './process.mjs'
import { PlainError, say } from './say.mjs'

const oldestVersion = [3, 1, 69]

const whatToInstall = `Headwise compiles its kernels to WebAssembly with Emscripten ${oldestVersion.join('.')} \
or later, and this script can fetch that by itself only on Debian and its derivatives (apt, dpkg, \
patchelf, python3). On this system install the Emscripten SDK (emsdk) as its own pages describe, \
activate it in this shell so that \`emcc --version\` answers, make sure that a C++20 compiler, CMake \
3.25 or later and Ninja are on PATH, and run the same command again; nothing else has to be set. The \
header-only library xsimd (13 or later) is taken from CMake's find_package where it is installed and \
fetched by CMake otherwise.`

async function versionOf(emcc) {
  const { code, stdout } = await capture(emcc, ['--version'])
  const found = /\b(\d+)\.(\d+)\.(\d+)/.exec(stdout)
  return code === 0 && found ? found.slice(1).map(Number) : undefined
}

function isNewEnough(version) {
  const difference = version.map((part, index) => part - oldestVersion[index]).find((d) => d !== 0)
  return (difference ?? 0) >= 0
}

/** The toolchain that a person activated, or undefined. */
async function activeToolchain() {
  const named = process.env.HEADWISE_EMCC
  const emcc = named ?? which('emcc')
  if (!emcc) return undefined
  const version = await versionOf(emcc)
  if (!version || !isNewEnough(version)) {
    const problem = `${emcc} is ${version?.join('.') ?? 'not working'}, older than needed`
    if (named) throw new PlainError(`HEADWISE_EMCC: ${problem}`)
    say(`${problem}: not used`)
    return undefined
  }
  return {
    origin: emcc,
    version: version.join('.'),
    clangFormat: which('clang-format'),
    clangTidy: which('clang-tidy'),
    env: { HEADWISE_EMSCRIPTEN: path.dirname(await realpath(emcc)) },
  }
}

async function prefixToolchain(prefix) {
  const found = await layout(prefix)
  const env = {
    EM_CONFIG: found.config,
    HEADWISE_EMSCRIPTEN: found.emscripten,
    HEADWISE_XSIMD_INCLUDE: found.include,
  }
  const { stdout } = await capture(path.join(found.emscripten, 'emcc'), ['--version'], { env })
  return {
    origin: prefix,
    version: /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'unknown',
    clangFormat: found.clangFormat,
    clangTidy: found.clangTidy,
    env,
  }
}

async function debianArchitecture() {
  const tools = ['apt-get', 'dpkg', 'patchelf', 'python3']
  const missing = tools.filter((tool) => !which(tool))
  if (missing.length > 0) throw new PlainError(`${whatToInstall} (Missing: ${missing.join(', ')}.)`)
  return (await output('dpkg', ['--print-architecture'])).trim()
}

/**
 * The toolchain, made when it is missing:
 * { origin, version, clangFormat?, clangTidy?, env } with env = what emcc and CMake need to see.
 */
export async function toolchain() {
  const active = await activeToolchain()
  if (active) return active
  const architecture = await debianArchitecture()
  const prefix = prefixFolder(architecture)
  if (!existsSync(prefix)) {
    say('Emscripten is missing: fetching it into the cache folder, once; this takes 2 to 5 minutes')
    await makePrefix(architecture)
  }
  return prefixToolchain(prefix)
}
