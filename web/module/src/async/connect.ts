// Decides where the asynchronous runtime computes: in a Worker, or on this thread.
import type { EngineOptions } from '../core/create-engine.js'
import { loadWasm } from '../load-wasm.js'
import { baseAddress, defaultWarning, nodeProcess } from '../environment.js'
import { imported } from '../import-file.js'
import type { AsyncRuntimeOptions, RuntimeOptions, WasmSource } from '../types/runtime.js'
import type { Connection, OnOpen } from '../worker/connection.js'
import { WorkerConnection, WorkerNotStarted } from '../worker/worker-connection.js'

export async function connect(
  options: Omit<AsyncRuntimeOptions, 'model'>,
  onOpen?: OnOpen,
): Promise<Connection> {
  const { worker, onWarning, onTiming, ...rest } = options
  const warn = onWarning ?? defaultWarning
  const settings: EngineOptions = { ...rest, timed: onTiming !== undefined }
  if (rest.wasm !== undefined) settings.wasm = await postable(rest.wasm)
  const openHere = () => openOnThisThread(settings, warn, onTiming, onOpen)
  if (worker === false) return openHere()
  try {
    return await WorkerConnection.open(worker, settings, warn, onTiming, onOpen)
  } catch (error) {
    if (!(error instanceof WorkerNotStarted)) throw error
    warn(
      `headwise: no Worker could be started (${error.message}); computing on this thread, which ` +
        'long calls will block. Give the option `worker` a URL of this origin, or `false`.',
    )
    return openHere()
  }
}

/** The runtime itself is loaded on this thread only where it is needed. */
async function openOnThisThread(
  settings: EngineOptions,
  warn: (message: string) => void,
  onTiming: RuntimeOptions['onTiming'],
  onOpen: OnOpen | undefined,
): Promise<Connection> {
  const file = import('../worker/local-connection.js')
  const { LocalConnection } = await imported('worker/local-connection.js', file)
  return LocalConnection.open(settings, warn, onTiming, onOpen)
}

/** What can be sent to a Worker: an absolute address, or the compiled module. */
async function postable(source: WasmSource): Promise<WasmSource> {
  if (source instanceof URL) return source.href
  if (typeof source !== 'string') return loadWasm(source)
  const base = baseAddress()
  if (base !== undefined) return new URL(source, base).href
  return nodeProcess() === undefined ? source : loadWasm(source)
}
