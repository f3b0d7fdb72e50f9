// Loads a model into this thread's WebAssembly memory.
import { imported } from '../import-file.js'
import type { Fetch } from '../model/download.js'
import { loadFiles } from '../model/loading.js'
import { openSource } from '../model/open-source.js'
import { resolveSource, type ResolvedSource } from '../model/source.js'
import type { WatchTokenizing } from '../model/tokenizer.js'
import type { LoadModelOptions, ModelSource } from '../types/loading.js'
import type { ModelConfig } from '../types/model-config.js'
import { checkLoadOptions } from '../validate/model.js'
import { withSignal } from '../worker/connection.js'
import type { Engine } from './engine.js'
import type { Generation } from './generation.js'
import type { CoreModel } from './model.js'
import { throwIfAborted } from './steps.js'
import { CoreTransformer } from './transformer.js'

/** Which of the two kinds of models is made. */
export type ModelClass<M extends CoreModel> = new (
  ...parts: ConstructorParameters<typeof CoreModel>
) => M

export async function loadModel<M extends CoreModel>(
  engine: Engine,
  Model: ModelClass<M>,
  source: ModelSource,
  options: LoadModelOptions = {},
): Promise<M> {
  engine.checkAlive()
  checkLoadOptions(options)
  const resolved = await resolveSource(source, options)
  const { signal, hub } = options
  const context = { warn: engine.warn, fetch: hub?.fetch }
  const loaded = loadResolved(engine, Model, resolved, options, context).then((model) => {
    // Aborted while the last file came: the caller has his answer.
    if (signal?.aborted === true) model.dispose()
    return model
  })
  return withSignal(loaded, signal)
}

/** What loading has of those who ask for it; a Worker, of the calling thread. */
export interface LoadContext {
  warn: (message: string) => void
  fetch?: Fetch | undefined
  watchTokenizing?: WatchTokenizing | undefined
}

/** Loads what `resolveSource` gave. The engine is waited for where it is first needed. */
export async function loadResolved<M extends CoreModel>(
  engine: Engine | Promise<Engine>,
  Model: ModelClass<M>,
  source: ResolvedSource,
  options: LoadModelOptions,
  { warn, fetch, watchTokenizing }: LoadContext,
): Promise<M> {
  throwIfAborted(options)
  const { target, tokenizer, loading } = await loadFiles(
    (signal) => openSource(source, { cache: options.cache, fetch, warn }, signal),
    { ...options, warn, watchTokenizing },
    async (config) => new CoreTransformer(await engine, config),
  )
  try {
    return new Model(target, tokenizer, loading, await writerOf(target.config))
  } catch (error) {
    loading.stop(error)
    target.dispose()
    throw error
  }
}

/** The code of `generate`, which most models do not need. */
async function writerOf({ head }: ModelConfig): Promise<typeof Generation | undefined> {
  if (head !== 'lm') return undefined
  return (await imported('core/generation.js', import('./generation.js'))).Generation
}
