// The script of the Worker, in browsers and in Node: answers messages through a Host.
import type { WorkTime } from './core/work-timer.js'
import { nodeProcess, webLocks } from './environment.js'
import { buffersOf } from './worker/buffers.js'
import { Host } from './worker/host.js'
import { packError, type FromWorker, type ToWorker } from './worker/protocol.js'

/** The port to whoever started this Worker. */
interface Port {
  post(message: FromWorker, transfer?: ArrayBuffer[]): void
  listen(hear: (message: ToWorker) => void): void
}

function openPort(): Port {
  const parent = nodeProcess()?.getBuiltinModule('node:worker_threads').parentPort
  if (parent) {
    return {
      post: (message, transfer = []) => parent.postMessage(message, transfer),
      listen: (hear) => void parent.on('message', hear),
    }
  }
  const scope = globalThis as unknown as DedicatedWorkerGlobalScopeLike
  return {
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    listen: (hear) => scope.addEventListener('message', (event) => hear(event.data)),
  }
}

/** The part of a Worker's global scope that is used here. */
interface DedicatedWorkerGlobalScopeLike {
  postMessage(message: FromWorker, transfer: ArrayBuffer[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void
}

const port = openPort()
const host = new Host(
  (message) => port.post({ type: 'warning', message }),
  (isRunning) => port.post({ type: 'tokenizing', isRunning }),
)
const aborts = new Map<number, AbortController>()

/** Holds the lock for as long as this Worker lives: its release tells the page of the end. */
async function holdLock(name: string): Promise<void> {
  const locks = webLocks()
  if (locks === undefined) return
  await new Promise<void>((held) => {
    void locks.request(name, () => {
      held()
      return new Promise<never>(() => undefined)
    })
  })
}

/** As plain as a message wants it. */
function timesOf({ compute, copies }: WorkTime): WorkTime {
  return { compute, copies }
}

async function answer({ id, op, args }: Extract<ToWorker, { type: 'call' }>): Promise<void> {
  const abort = new AbortController()
  aborts.set(id, abort)
  const work = host.timerOf(op)
  try {
    const value = await host.call(op, args, {
      signal: abort.signal,
      emit: (name, detail) => port.post({ type: 'event', id, name, detail }),
      timer: work,
    })
    const mirrors = host.mirrors()
    port.post({ type: 'value', id, value, mirrors, work: work && timesOf(work) }, [
      ...buffersOf(value),
    ])
  } catch (error) {
    port.post({ type: 'error', id, error: packError(error), mirrors: host.mirrors() })
  } finally {
    aborts.delete(id)
  }
}

port.listen((message) => {
  switch (message.type) {
    case 'hello':
      void holdLock(message.lock).then(() => port.post({ type: 'ready' }))
      break
    case 'call':
      void answer(message)
      break
    case 'abort':
      aborts.get(message.id)?.abort()
      break
  }
})
