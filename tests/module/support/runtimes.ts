// Every way to get a runtime: each build, two entrances, and the asynchronous one without Worker.
import v8 from 'node:v8'

import { createRuntime, type Runtime, type RuntimeOptions, type TensorLike } from 'headwise'
import { createRuntime as createCoreRuntime, type Runtime as CoreRuntime } from 'headwise/core'

// Node 20 knows relaxed SIMD but hides it behind a flag of V8.
if (process.versions.node.startsWith('20.')) {
  v8.setFlagsFromString('--experimental-wasm-relaxed-simd')
}

/** Either entrance: with `await` both are used alike. */
export type AnyRuntime = Runtime | CoreRuntime

export const builds = ['scalar', 'simd', 'relaxed', 'threads', 'threads-relaxed'] as const

export interface Entrance {
  name: string
  open: (options?: RuntimeOptions) => Promise<AnyRuntime>
}

export const core: Entrance = {
  name: 'headwise/core',
  open: (options) => createCoreRuntime(options),
}
export const worker: Entrance = { name: 'headwise', open: (options) => createRuntime(options) }
export const withoutWorker: Entrance = {
  name: 'headwise without a Worker',
  open: (options) => createRuntime({ ...options, worker: false }),
}
export const entrances = [core, worker, withoutWorker]

/** What can be asked for its memory: every runtime, the native one of the cases too. */
interface Measured {
  attention: (query: TensorLike, key: TensorLike, value: TensorLike) => unknown
  readonly info: { memory: { used: number } }
}

/** Bytes held once everything that was disposed before is gone, in a Worker too. */
export async function usedMemory(hw: Measured): Promise<number> {
  const one = { data: Float32Array.of(1), dims: [1, 1, 1, 1] }
  await hw.attention(one, one, one)
  return hw.info.memory.used
}

/** Of the builds with threads one will do here: the entrances take the other by themselves. */
const computing = builds.filter((build) => build !== 'threads-relaxed')

export interface Configuration {
  name: string
  open: () => Promise<AnyRuntime>
  /** The same on any number of threads, where the build has them. */
  openOn?: (threads: number) => Promise<AnyRuntime>
}

function coreOn(build: (typeof builds)[number]): Configuration {
  const name = `${core.name}, ${build}`
  if (!build.startsWith('threads')) return { name, open: () => core.open({ build }) }
  const openOn = (threads: number) => core.open({ build, threads })
  return { name: `${name} (3)`, open: () => openOn(3), openOn }
}

/** Each build with `headwise/core`, and each other entrance with the build for this engine. */
export const configurations: Configuration[] = [
  ...computing.map(coreOn),
  ...[worker, withoutWorker].map(({ name, open }) => ({ name, open: () => open() })),
]
