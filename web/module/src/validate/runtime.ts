// The options of createRuntime, in both entrances.
import { hasWebWorkers } from '../environment.js'
import { invalidArgument } from '../errors.js'
import { mostThreads } from '../threads/support.js'
import type { AsyncRuntimeOptions, RuntimeOptions } from '../types/runtime.js'
import { describe } from './describe.js'
import { checkSize } from './numbers.js'
import { checkFunction, checkOptions } from './options.js'

const coreNames = ['build', 'threads', 'wasm', 'maximumMemory', 'onWarning', 'onTiming'] as const

export function checkRuntimeOptions(options: RuntimeOptions): void {
  checkOptions(options, 'options', coreNames)
  checkSharedOptions(options)
}

export function checkAsyncRuntimeOptions(options: AsyncRuntimeOptions): void {
  checkOptions(options, 'options', [...coreNames, 'worker', 'model'])
  checkSharedOptions(options)
  checkModel(options.model)
  const worker: unknown = options.worker
  checkAddress(worker, 'worker')
  const isWorker = hasWebWorkers() && worker instanceof Worker
  const known = worker === undefined || worker === false || typeof worker === 'string'
  if (!known && !isWorker && !(worker instanceof URL)) {
    throw invalidArgument('worker', 'a URL, a Worker or false', describe(worker))
  }
}

/** What is inside is judged where the model is loaded, but for what could not be handed on. */
function checkModel(model: unknown): void {
  if (model === undefined) return
  if (typeof model === 'object' && model !== null && 'source' in model) return
  throw invalidArgument('model', '{ source, ...options of loadModel }', describe(model))
}

/** An empty address is that of the page itself. */
function checkAddress(address: unknown, argument: string): void {
  if (typeof address === 'string' && address.trim() === '') {
    throw invalidArgument(argument, 'an address', describe(address))
  }
}

function checkSharedOptions(options: RuntimeOptions): void {
  checkAddress(options.wasm, 'wasm')
  checkThreads(options.threads)
  if (options.maximumMemory !== undefined) checkSize(options.maximumMemory, 'maximumMemory')
  checkFunction(options.onWarning, 'onWarning')
  checkFunction(options.onTiming, 'onTiming')
}

function checkThreads(threads: unknown): void {
  if (threads === undefined) return
  checkSize(threads, 'threads')
  if (threads > mostThreads) {
    throw invalidArgument('threads', `at most ${mostThreads}`, describe(threads))
  }
}
