// From options to a running module: which build, its file, its memory and its threads.
import type { Bindings, BindingsFactory } from '../bindings.js'
import { bindingsOf, buildOfUrl, chooseBuild, isThreadsBuild, wasmOf } from '../builds.js'
import { defaultWarning } from '../environment.js'
import { HeadwiseError } from '../errors.js'
import { loadWasm } from '../load-wasm.js'
import { sharedMemory } from '../threads/memory.js'
import { ThreadPool } from '../threads/pool.js'
import { defaultThreads } from '../threads/support.js'
import type { Build, RuntimeOptions } from '../types/runtime.js'
import { version } from '../version.js'
import { Engine, type EngineTiming } from './engine.js'

/** The options of a runtime; in a Worker `timed` stands for `onTiming`. */
export type EngineOptions = RuntimeOptions & Pick<EngineTiming, 'timed'>

/** What Emscripten's code is given for threads; nothing for the other builds. */
type ThreadSettings = Partial<Parameters<BindingsFactory>[0]>

/**
 * Loads the build that the options ask for. Where `'auto'` chose threads and the device refuses
 * them, it is one thread and a warning.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const warn = options.onWarning ?? defaultWarning
  const named = namedBuild(options)
  // A file that does not tell its build is taken for one without threads.
  const threads = options.wasm === undefined ? (options.threads ?? defaultThreads()) : 1
  const build = chooseBuild(named, threads)
  if (!isThreadsBuild(build)) return openBuild(build, options, warn)
  try {
    return await openThreadsBuild(build, options, warn)
  } catch (error) {
    if (named !== undefined || !isRefusal(error)) throw error
    warn(`headwise: computing on one thread, for there can be no others here (${error.message}).`)
    return openBuild(chooseBuild('auto', 1), options, warn)
  }
}

/** The build that an option names: `build`, or the name of the file. */
function namedBuild({ build, wasm }: RuntimeOptions): Build | undefined {
  if (build !== undefined && build !== 'auto') return build
  return typeof wasm === 'string' || wasm instanceof URL ? buildOfUrl(String(wasm)) : undefined
}

/** Whether the device gives no memory, or no Workers, to share the work. */
function isRefusal(error: unknown): error is HeadwiseError {
  return error instanceof HeadwiseError && ['threads', 'maximumMemory'].includes(error.argument)
}

async function openBuild(
  build: Build,
  options: EngineOptions,
  warn: (message: string) => void,
): Promise<Engine> {
  const bindings = await start(build, await load(build, options), warn)
  return limited(new Engine(bindings, build, warn, options), options)
}

async function openThreadsBuild(
  build: Build,
  options: EngineOptions,
  warn: (message: string) => void,
): Promise<Engine> {
  const threads = options.threads ?? defaultThreads()
  const wasmMemory = sharedMemory(options.maximumMemory, warn)
  const loading = load(build, options)
  // Its failure is heard of once the helpers run.
  loading.catch(() => undefined)
  const pool = await ThreadPool.start(threads - 1)
  try {
    const bindings = await start(build, await loading, warn, {
      wasmMemory,
      helperThreads: pool.size,
      nextThread: () => pool.next(),
    })
    bindings.setThreadCount(threads)
    return limited(new Engine(bindings, build, warn, options, pool), options)
  } catch (error) {
    pool.end()
    throw error
  }
}

function limited(engine: Engine, { maximumMemory }: RuntimeOptions): Engine {
  if (maximumMemory !== undefined) engine.bindings.limitMemory(maximumMemory)
  return engine
}

interface Parts {
  module: WebAssembly.Module
  createBindings: BindingsFactory
}

/** The compiled file and the code that goes with it. */
async function load(build: Build, { wasm }: RuntimeOptions): Promise<Parts> {
  const [module, createBindings] = await Promise.all([
    loadWasm(wasm ?? wasmOf(build)),
    bindingsOf(build),
  ])
  return { module, createBindings }
}

function start(
  build: Build,
  { module, createBindings }: Parts,
  warn: (message: string) => void,
  threads: ThreadSettings = {},
): Promise<Bindings> {
  return new Promise<Bindings>((resolve, reject) => {
    // Every step of starting fails where the file is that of another build.
    const refuse = (cause: unknown) => reject(mismatch(build, cause))
    createBindings({
      ...threads,
      printErr: warn,
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(module, imports)
          .then((instance) => done(instance, module))
          .catch(refuse)
        return {}
      },
    }).then(resolve, refuse)
  })
}

function mismatch(build: Build, cause: unknown): HeadwiseError {
  return new HeadwiseError(
    {
      code: 'UNSUPPORTED',
      argument: 'wasm',
      expected: `the file headwise-${build}.wasm of version ${version}`,
      received: `a module that does not fit (${String(cause)})`,
    },
    { cause },
  )
}
