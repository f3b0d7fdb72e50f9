// Loads a model into this thread's WebAssembly memory.
import type { Fetch } from '../model/download.js'
import { loadFiles } from '../model/loading.js'
import { openSource, resolveSource, type ResolvedSource } from '../model/source.js'
import type { WatchTokenizing } from '../model/tokenizer.js'
import type { LoadModelOptions, ModelSource } from '../types/model.js'
import { checkLoadOptions } from '../validate/model.js'
import { withSignal } from '../worker/connection.js'
import type { Engine } from './engine.js'
import { CoreModel } from './model.js'
import { throwIfAborted } from './steps.js'
import { CoreTransformer } from './transformer.js'

export async function loadModel(
  engine: Engine,
  source: ModelSource,
  options: LoadModelOptions = {},
): Promise<CoreModel> {
  engine.checkAlive()
  checkLoadOptions(options)
  const resolved = await resolveSource(source, options)
  const { signal, hub } = options
  const loaded = loadResolved(engine, resolved, options, { fetch: hub?.fetch }).then((model) => {
    // Aborted while the last file came: the caller has his answer.
    if (signal?.aborted === true) model.dispose()
    return model
  })
  return withSignal(loaded, signal)
}

/** What a model that is loaded in a Worker has of the calling thread. */
export interface LoadContext {
  fetch?: Fetch | undefined
  watchTokenizing?: WatchTokenizing | undefined
}

/** Loads what `resolveSource` gave. */
export async function loadResolved(
  engine: Engine,
  source: ResolvedSource,
  options: LoadModelOptions,
  { fetch, watchTokenizing }: LoadContext,
): Promise<CoreModel> {
  throwIfAborted(options)
  const { warn } = engine
  const { target, tokenizer, loading } = await loadFiles(
    (signal) => openSource(source, { cache: options.cache, fetch, warn }, signal),
    { ...options, warn, watchTokenizing },
    (config) => new CoreTransformer(engine, config),
  )
  return new CoreModel(target, tokenizer, loading)
}
