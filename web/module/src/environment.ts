// What an engine may or may not have: Node's process, a page's address, locks, digests, threads.
// Typed as possibly missing, which TypeScript's own libraries do not say.
import type process from 'node:process'

type NodeProcess = typeof process

interface Environment {
  process?: Partial<NodeProcess>
  document?: { baseURI: string }
  location?: { href: string }
  navigator?: { locks?: LockManager; hardwareConcurrency?: number }
  crypto?: { subtle?: SubtleCrypto }
  Worker?: unknown
  SharedArrayBuffer?: unknown
  crossOriginIsolated?: boolean
}

const environment = globalThis as Environment

/** Node's `process`, or undefined elsewhere; asked for so that no bundler sees an import. */
export function nodeProcess(): NodeProcess | undefined {
  const { process } = environment
  const isNode = process?.versions?.node !== undefined && process.getBuiltinModule !== undefined
  return isNode ? (process as NodeProcess) : undefined
}

/** What relative addresses are relative to; undefined in Node. */
export function baseAddress(): string | undefined {
  return environment.document?.baseURI ?? environment.location?.href
}

/** Web Locks; pages without https have none. */
export function webLocks(): LockManager | undefined {
  return environment.navigator?.locks
}

/** Digests; pages without https have none. */
export function subtleCrypto(): SubtleCrypto | undefined {
  return environment.crypto?.subtle
}

/** Whether there are Workers as in browsers; Node's own kind, global or not, is another. */
export function hasWebWorkers(): boolean {
  const inNode = nodeProcess()?.getBuiltinModule('node:worker_threads').Worker
  return environment.Worker !== undefined && environment.Worker !== inNode
}

/** The thread of a page's document, which must never block. */
export function isPageThread(): boolean {
  return environment.document !== undefined
}

/** Whether threads may share memory: in Node, and on pages that are cross-origin isolated. */
export function canShareMemory(): boolean {
  if (environment.SharedArrayBuffer === undefined) return false
  return environment.crossOriginIsolated ?? nodeProcess() !== undefined
}

export function coreCount(): number {
  const inNode = nodeProcess()?.getBuiltinModule('node:os').availableParallelism()
  return inNode ?? environment.navigator?.hardwareConcurrency ?? 1
}

/** Where warnings go that nobody has asked for. */
export function defaultWarning(message: string): void {
  // eslint-disable-next-line no-console -- a warning that nobody listens to would be lost
  console.warn(message)
}
