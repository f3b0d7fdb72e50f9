// The Workers that the builds with threads compute on, started before the module so that each of
// them is known to run: a host may forbid them, or not have their script.
import { hasWebWorkers, nodeProcess } from '../environment.js'
import { HeadwiseError } from '../errors.js'

/** A Worker of either kind, as far as it is used here. */
interface Helper {
  /** Settles with its first message, or its failure. */
  started: Promise<void>
  /** What Emscripten is given. */
  worker: unknown
  end(): void
}

function startInBrowser(): Helper {
  // Written out, so that bundlers find the script. By the name, in Node by `workerData`, Emscripten's
  // code knows that it runs as a helper.
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    type: 'module',
    name: 'em-pthread',
  })
  const started = new Promise<void>((resolve, reject) => {
    const settled = new AbortController()
    const { signal } = settled
    const hear = () => {
      settled.abort()
      resolve()
    }
    const fail = (event: ErrorEvent) => {
      event.preventDefault()
      settled.abort()
      reject(new Error(event.message || 'its script could not be loaded'))
    }
    worker.addEventListener('message', hear, { signal })
    worker.addEventListener('error', fail, { signal })
  })
  return { started, worker, end: () => worker.terminate() }
}

function startInNode(node: NonNullable<ReturnType<typeof nodeProcess>>): Helper {
  const { Worker: NodeWorker } = node.getBuiltinModule('node:worker_threads')
  // Through a variable: for bundlers, this is no address of a file.
  const here = import.meta.url
  const script = new URL('thread.js', here)
  const worker = new NodeWorker(script, { workerData: 'em-pthread' })
  const started = new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', () => {
      worker.off('error', reject)
      resolve()
    })
  })
  return { started, worker, end: () => void worker.terminate() }
}

export class ThreadPool {
  readonly #helpers: Helper[] = []
  #handedOver = 0

  private constructor() {}

  /**
   * Starts `count` helpers and waits until all of them run.
   *
   * @throws HeadwiseError `UNSUPPORTED` where one does not start
   */
  static async start(count: number): Promise<ThreadPool> {
    const pool = new ThreadPool()
    const node = hasWebWorkers() ? undefined : nodeProcess()
    try {
      for (let i = 0; i < count; i++) {
        pool.#helpers.push(node ? startInNode(node) : startInBrowser())
      }
      await Promise.all(pool.#helpers.map(({ started }) => started))
      return pool
    } catch (cause) {
      pool.end()
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new HeadwiseError(
        {
          code: 'UNSUPPORTED',
          argument: 'threads',
          expected: "a Worker from threads/thread.js, beside the module's own code",
          received: `none (${reason})`,
        },
        { cause },
      )
    }
  }

  /** How many run, beside the thread that has started them. */
  get size(): number {
    return this.#helpers.length
  }

  /** The Workers, one at a time, as Emscripten asks for them. */
  next(): unknown {
    return this.#helpers[this.#handedOver++]?.worker
  }

  /** Ends all of them, whatever they are doing. */
  end(): void {
    for (const helper of this.#helpers.splice(0)) helper.end()
  }
}
