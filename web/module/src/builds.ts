// Which WebAssembly builds this engine can run, and where each lies. Every path is written out, so
// that bundlers find the files.
import type { BindingsFactory } from './bindings.js'
import { HeadwiseError, invalidArgument } from './errors.js'
import { imported } from './import-file.js'
import { whyNoThreads } from './threads/support.js'
import type { Build, RuntimeOptions } from './types/runtime.js'
import { describe } from './validate/describe.js'
import { nearNames } from './validate/near-names.js'

const wasmFiles: Record<Build, () => URL> = {
  'threads-relaxed': () => new URL('./wasm/headwise-threads-relaxed.wasm', import.meta.url),
  threads: () => new URL('./wasm/headwise-threads.wasm', import.meta.url),
  relaxed: () => new URL('./wasm/headwise-relaxed.wasm', import.meta.url),
  simd: () => new URL('./wasm/headwise-simd.wasm', import.meta.url),
  scalar: () => new URL('./wasm/headwise-scalar.wasm', import.meta.url),
}

/** Every build there is, fastest first. */
const allBuilds: readonly Build[] = ['threads-relaxed', 'threads', 'relaxed', 'simd', 'scalar']

export function isThreadsBuild(build: Build): boolean {
  return build === 'threads' || build === 'threads-relaxed'
}

// The smallest modules that use an instruction of the set: one function that returns a vector.
const header = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0]
// i32.const 0, i8x16.splat, i8x16.popcnt
const simdProbe = [...header, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]
// i32.const 1, i8x16.splat, i32.const 2, i8x16.splat, i8x16.relaxed_swizzle
const relaxedProbe = [...header, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11]
const probes: Record<Build, readonly number[]> = {
  'threads-relaxed': relaxedProbe,
  threads: simdProbe,
  relaxed: relaxedProbe,
  simd: simdProbe,
  scalar: [0, 97, 115, 109, 1, 0, 0, 0],
}

/** What keeps the build from running here, in words; undefined where nothing does. */
function whyNot(build: Build): string | undefined {
  if (!WebAssembly.validate(new Uint8Array(probes[build]))) {
    return 'an engine that does not know its instructions'
  }
  return isThreadsBuild(build) ? whyNoThreads() : undefined
}

function canRunHere(build: Build): boolean {
  return whyNot(build) === undefined
}

/**
 * The build to run: the one named, or for `'auto'` the fastest that can run here; with threads only
 * where there is to be more than one.
 */
export function chooseBuild(wanted: RuntimeOptions['build'], threads: number): Build {
  if (typeof WebAssembly === 'undefined') {
    throw new HeadwiseError({
      code: 'UNSUPPORTED',
      argument: 'WebAssembly',
      expected: 'an engine with WebAssembly',
      received: 'one without',
    })
  }
  if (wanted !== undefined && wanted !== 'auto') return checkBuild(wanted)
  const candidates = allBuilds.filter((build) => threads > 1 || !isThreadsBuild(build))
  return candidates.find(canRunHere) ?? 'scalar'
}

function checkBuild(build: Build): Build {
  if (!allBuilds.includes(build)) {
    const names = ['auto', ...allBuilds]
    const given: unknown = build
    throw invalidArgument('build', nearNames(String(given), names), describe(given))
  }
  const reason = whyNot(build)
  if (reason === undefined) return build
  throw new HeadwiseError({
    code: 'UNSUPPORTED',
    argument: 'build',
    expected: `a build that can run here: ${allBuilds.filter(canRunHere).join(', ')}`,
    received: `'${build}' in ${reason}`,
  })
}

/** The address of the build's file beside this code. */
export function wasmOf(build: Build): URL {
  return wasmFiles[build]()
}

/** The code that goes with the build: one with threads, and one for all builds without. */
export async function bindingsOf(build: Build): Promise<BindingsFactory> {
  const name = isThreadsBuild(build) ? 'headwise-threads.js' : 'headwise.js'
  const file: Promise<{ default: BindingsFactory }> = isThreadsBuild(build)
    ? import('./wasm/headwise-threads.js')
    : import('./wasm/headwise.js')
  return (await imported(`wasm/${name}`, file)).default
}

/** The build that a file's name tells, as in `headwise-simd.wasm`; undefined when it tells none. */
export function buildOfUrl(url: string): Build | undefined {
  // The longest name that fits; a bundler may have added a hash to it.
  return allBuilds.find((build) => new RegExp(`headwise-${build}[-.][^/]*$`).test(url))
}
