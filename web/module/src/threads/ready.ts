// How a helper thread tells that its script has loaded: the first message it sends.
import { nodeProcess } from '../environment.js'

interface Port {
  postMessage(message: unknown): void
}

export function sayReady(): void {
  const parent = nodeProcess()?.getBuiltinModule('node:worker_threads').parentPort
  const port: Port = parent ?? globalThis
  port.postMessage('ready')
}
