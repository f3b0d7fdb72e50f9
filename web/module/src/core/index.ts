// The entrance `headwise/core`: everything on the calling thread, computing calls synchronous.
import type { RuntimeOptions } from '../types/runtime.js'
import { checkRuntimeOptions } from '../validate/runtime.js'
import { createEngine } from './engine.js'
import { CoreRuntime } from './runtime.js'

export async function createRuntime(options: RuntimeOptions = {}): Promise<CoreRuntime> {
  checkRuntimeOptions(options)
  return new CoreRuntime(await createEngine(options))
}
