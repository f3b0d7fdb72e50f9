// Configures and builds the CMake presets. A build folder is configured again from nothing when the
// toolchain it was made with is no longer the one in use; everything else is left to Ninja.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'

import { buildFolder, root } from './paths.mjs'
import { output, run } from './process.mjs'

/** The WebAssembly builds that are shipped; no name comes after one that it begins with. */
export const wasmBuilds = ["simd"]

/** More jobs than this exhaust the memory of small machines before they save time. */
const jobs = String(Math.min(8, availableParallelism()))

async function configure(preset, env) {
  const folder = path.join(buildFolder, preset)
  const stamp = path.join(folder, 'configured-with.json')
  const wanted = JSON.stringify(env)
  const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isCurrent && existsSync(path.join(folder, 'build.ninja'))) return
  rmSync(stamp, { force: true }) // interrupted now, a folder is configured again next time
  await output('cmake', ['--fresh', '--preset', preset], { cwd: root, env })
  writeFileSync(stamp, wanted)
}

/** Builds `targets` of a preset (all when none are named); resolves to its build folder. */
export async function cmakeBuild(preset, toolchain, targets = []) {
  await configure(preset, toolchain.env)
  const args = ['--build', '--preset', preset, '--parallel', jobs]
  if (targets.length > 0) args.push('--target', ...targets)
  await run('cmake', args, { cwd: root, env: toolchain.env })
  return path.join(buildFolder, preset)
}
