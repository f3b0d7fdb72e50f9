// Starting a Worker, in browsers and in Node, and hearing of its end.
import { hasWebWorkers, nodeProcess, webLocks } from './environment.js'
import type { FromWorker, ToWorker } from './worker/protocol.js'

/** A running Worker, whichever kind. */
export interface WorkerLink {
  post(message: ToWorker, transfer: (ArrayBuffer | MessagePort)[]): void
  /** In Node: whether the Worker keeps the process alive. */
  hold(busy: boolean): void
  terminate(): void
}

export interface WorkerListener {
  message(message: FromWorker): void
  /** The Worker is gone, or never came. */
  lost(reason: string): void
}

let links = 0

/** Starts the Worker that `worker` names and says hello; `ready` is its first message. */
export function spawn(
  worker: string | URL | Worker | undefined,
  listener: WorkerListener,
): WorkerLink {
  const lock = ['headwise', Date.now(), links++, Math.random()].join('-')
  const node = nodeProcess()
  const link =
    !hasWebWorkers() && node !== undefined
      ? spawnInNode(node, worker, listener)
      : spawnInBrowser(worker, lock, listener)
  link.post({ type: 'hello', lock }, [])
  return link
}

function spawnInBrowser(
  source: string | URL | Worker | undefined,
  lock: string,
  listener: WorkerListener,
): WorkerLink {
  let worker: Worker
  if (source instanceof Worker) worker = source
  else if (source !== undefined) worker = new Worker(source, { type: 'module' })
  // Bundlers look for exactly this expression.
  else worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })

  const watch = new AbortController()
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'ready') watchLock(lock, watch.signal, listener)
    listener.message(data)
  })
  worker.addEventListener('error', (event) => {
    listener.lost(event.message || 'its script could not be loaded')
  })
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    hold: () => undefined,
    terminate: () => {
      watch.abort()
      worker.terminate()
    },
  }
}

/** The Worker holds this lock from `ready` on: when it is granted here, the Worker is gone. */
function watchLock(lock: string, signal: AbortSignal, listener: WorkerListener): void {
  webLocks()
    ?.request(lock, { signal }, () => listener.lost('it was ended'))
    .catch(() => undefined)
}

function spawnInNode(
  node: NonNullable<ReturnType<typeof nodeProcess>>,
  source: string | URL | Worker | undefined,
  listener: WorkerListener,
): WorkerLink {
  const { Worker: NodeWorker } = node.getBuiltinModule('node:worker_threads')
  // Through a variable: for bundlers, this is no address of a file.
  const here = import.meta.url
  const script = source ?? new URL('./worker.js', here)
  const worker = new NodeWorker(typeof script === 'string' ? new URL(script) : (script as URL))
  worker.on('message', (message: FromWorker) => listener.message(message))
  worker.on('error', (error: Error) => listener.lost(error.message))
  worker.on('exit', (code) => listener.lost(`exit code ${code}`))
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as ArrayBuffer[]),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => {
      worker.removeAllListeners()
      void worker.terminate()
    },
  }
}
