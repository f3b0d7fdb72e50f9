// Loads a model into this thread's WebAssembly memory.
import { loadFiles } from '../model/loading.js'
import { readerOf, resolveSource } from '../model/source.js'
import type { LoadModelOptions, ModelSource } from '../types/model.js'
import { checkLoadOptions } from '../validate/model.js'
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
  const files = resolveSource(source)
  throwIfAborted(options)
  const { target, tokenizer, loading } = await loadFiles(
    readerOf(files),
    { ...options, warn: engine.warn },
    (config) => new CoreTransformer(engine, config),
  )
  return new CoreModel(target, tokenizer, loading)
}
