// Which WebAssembly builds this engine can run, and where each lies. Every path is written out, so
// that bundlers find the files.
import type { BindingsFactory } from './bindings.js'
import { HeadwiseError, invalidArgument } from './errors.js'
import type { Build, RuntimeOptions } from './types/runtime.js'
import { describe } from './validate/describe.js'
import { nearNames } from './validate/near-names.js'

interface BuildFiles {
  wasm: () => URL
  bindings: () => Promise<{ default: BindingsFactory }>
}

type ShippedBuild = Exclude<Build, 'threads' | 'threads-relaxed'>

const files: Record<ShippedBuild, BuildFiles> = {
  relaxed: {
    wasm: () => new URL('./wasm/headwise-relaxed.wasm', import.meta.url),
    bindings: () => import('./wasm/headwise-relaxed.js'),
  },
  simd: {
    wasm: () => new URL('./wasm/headwise-simd.wasm', import.meta.url),
    bindings: () => import('./wasm/headwise-simd.js'),
  },
  scalar: {
    wasm: () => new URL('./wasm/headwise-scalar.wasm', import.meta.url),
    bindings: () => import('./wasm/headwise-scalar.js'),
  },
}

/** Every build there is, fastest first. */
const allBuilds: readonly Build[] = ['threads-relaxed', 'threads', 'relaxed', 'simd', 'scalar']

// The smallest modules that use an instruction of the set: one function that returns a vector.
const header = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0]
const probes: Record<ShippedBuild, readonly number[]> = {
  scalar: [0, 97, 115, 109, 1, 0, 0, 0],
  // i32.const 0, i8x16.splat, i8x16.popcnt
  simd: [...header, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
  // i32.const 1, i8x16.splat, i32.const 2, i8x16.splat, i8x16.relaxed_swizzle
  relaxed: [...header, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11],
}

function isShipped(build: Build): build is ShippedBuild {
  return build in files
}

/** Whether this engine validates what the build is made of. */
export function validatesHere(build: Build): boolean {
  return isShipped(build) && WebAssembly.validate(new Uint8Array(probes[build]))
}

/** The build to run: the one named, or for `'auto'` the fastest that validates here. */
export function chooseBuild(wanted: RuntimeOptions['build'] = 'auto'): ShippedBuild {
  if (typeof WebAssembly === 'undefined') {
    throw new HeadwiseError({
      code: 'UNSUPPORTED',
      argument: 'WebAssembly',
      expected: 'an engine with WebAssembly',
      received: 'one without',
    })
  }
  if (wanted !== 'auto' && !allBuilds.includes(wanted)) {
    const names = ['auto', ...allBuilds]
    const given: unknown = wanted
    throw invalidArgument('build', nearNames(String(given), names), describe(given))
  }
  const candidates = wanted === 'auto' ? allBuilds : [wanted]
  const build = candidates.filter(isShipped).find(validatesHere)
  if (build === undefined) {
    throw new HeadwiseError({
      code: 'UNSUPPORTED',
      argument: 'build',
      expected: `a build that can run here: ${allBuilds.filter(validatesHere).join(', ')}`,
      received: `'${wanted}'`,
    })
  }
  return build
}

export function buildFiles(build: ShippedBuild): BuildFiles {
  return files[build]
}

/** The build that a file's name tells, as in `headwise-simd.wasm`; undefined when it tells none. */
export function buildOfUrl(url: string): Build | undefined {
  return /headwise-([a-z-]+)\.wasm(?:[?#]|$)/.exec(url)?.[1] as Build | undefined
}
