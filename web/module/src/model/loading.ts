// Loading a model's files in the order in which they are needed, all at once or in the background.
import { nextTask } from '../next-task.js'
import { corruptFile, disposedError, HeadwiseError } from '../errors.js'
import type { LoadModelOptions, LoadedParts } from '../types/loading.js'
import type { ModelConfig } from '../types/model-config.js'
import { checkpointOf } from './architectures/index.js'
import { filesOf, type FileFacts } from './file-facts.js'
import { withGenerationConfig } from './generation-config.js'
import type { ModelFolder } from './model-folder.js'
import { ModelReader } from './read-model.js'
import { SafetensorsReader } from './safetensors.js'
import { CoreTokenizer, type WatchTokenizing } from './tokenizer.js'
import { weightFiles, type WeightFile } from './weight-files.js'
import { WeightLoader, type ParameterSink } from './weights.js'

/** What is filled. */
export interface LoadingTarget extends ParameterSink {
  readonly loaded: LoadedParts
  readonly disposed: boolean
  /** Names of parameters that have not come. */
  missing(): string[]
  markComplete(): void
  dispose(): void
}

/** The course of loading, for those who wait for it. */
export class Loading {
  readonly #abort = new AbortController()
  readonly #waiting = new Set<{ resolve: () => void; reject: (error: unknown) => void }>()
  #state: 'running' | 'complete' | 'failed' = 'running'
  /** Settles when every file is there. */
  complete: Promise<void> = Promise.resolve()

  constructor(signal: AbortSignal | undefined) {
    if (signal?.aborted === true) this.#abort.abort(signal.reason)
    signal?.addEventListener('abort', () => this.#abort.abort(signal.reason), { once: true })
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get isRunning(): boolean {
    return this.#state === 'running'
  }

  /** Throws what ended the loading before its time: then nothing more will come. */
  throwIfFailed(): void {
    if (this.#state !== 'complete') this.#abort.signal.throwIfAborted()
  }

  /** Stops the downloads. */
  stop(reason?: unknown): void {
    this.#abort.abort(reason)
  }

  /** Resolves when something more has come, rejects when nothing more will. */
  nextChange(): Promise<void> {
    if (this.#state !== 'running') return this.complete
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }))
  }

  changed(): void {
    this.#settle(({ resolve }) => resolve())
  }

  /** Takes what settles when the last file is there. */
  follow(complete: Promise<void>): void {
    this.complete = complete.then(
      () => {
        this.#state = 'complete'
        this.changed()
      },
      (error: unknown) => {
        this.#state = 'failed'
        this.stop(error)
        this.#settle(({ reject }) => reject(error))
        throw error
      },
    )
    // Whoever wants to know asks; without asking it is no unhandled rejection.
    this.complete.catch(() => undefined)
  }

  #settle(settle: (waiting: { resolve: () => void; reject: (error: unknown) => void }) => void) {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    waiting.forEach(settle)
  }
}

export interface LoadedFiles<Target> {
  target: Target
  /** A model of images has none. */
  tokenizer: CoreTokenizer | undefined
  loading: Loading
}

/** What of the options loading itself needs, and what only this side has. */
export interface LoadingOptions extends LoadModelOptions {
  warn: (message: string) => void
  watchTokenizing?: WatchTokenizing | undefined
}

/**
 * Reads the configuration, makes what it describes, and fills that. Resolves when all is there, or
 * with `streaming` as soon as the tokenizer and the first rows are.
 */
export async function loadFiles<Target extends LoadingTarget>(
  openFolder: (signal: AbortSignal) => Promise<ModelFolder>,
  options: LoadingOptions,
  make: (config: ModelConfig) => Target | Promise<Target>,
): Promise<LoadedFiles<Target>> {
  const { onProgress, onLoaded, warn, watchTokenizing, streaming = false, dtype = 'auto' } = options
  const loading = new Loading(options.signal)
  const { signal } = loading
  let folder: ModelFolder | undefined
  let target: Target | undefined
  try {
    folder = await openFolder(signal)
    const reader = new ModelReader(folder, signal, onProgress)
    const source = await reader.json({ name: 'config.json' }, 'config')
    const { weights, firstRows, tokenizer = { name: 'tokenizer.json' } } = filesOf(source)
    const { config: shape, placeOf } = await checkpointOf(source, dtype)
    const config = await withGenerationConfig(shape, reader, warn)

    const hasTokenizer = config.kind !== 'vision'
    // Needs no engine, which may still be starting. Its failure is told below.
    const tokenizerRead = hasTokenizer
      ? reader.json(tokenizer, 'tokenizer', { uniqueKeys: false })
      : Promise.resolve(undefined)
    const tokenized = tokenizerRead.then(
      (json) => json && CoreTokenizer.create(json, watchTokenizing),
    )
    tokenized.catch(() => undefined)
    const rowsOpened =
      streaming && firstRows ? reader.open(firstRows, 'first-rows') : Promise.resolve(undefined)
    rowsOpened.catch(() => undefined)
    // No text can be read without its tokens, and no line is faster for being shared.
    const files = weightFiles(reader, weights)
    const firstFile = tokenizerRead.then(() => files.next())
    firstFile.catch(() => undefined)
    const filled = (target = await made(make, config))

    const loader = new WeightLoader(filled, placeOf)
    const changed = () => {
      loading.changed()
      onLoaded?.(filled.loaded)
    }
    const readFirstRows = async ({ name }: FileFacts) => {
      const opened = await rowsOpened
      if (opened === undefined) return
      const rows = new WeightLoader(filled, placeOf)
      await fillFrom({ name, opened, tensors: undefined }, rows, filled, changed)
    }
    const readWeights = async () => {
      let last = ''
      for (let next = await firstFile; next.done !== true; next = await files.next()) {
        last = next.value.name
        await fillFrom(next.value, loader, filled, changed)
      }
      checkComplete(filled, last)
      filled.markComplete()
      onLoaded?.(filled.loaded)
    }
    const first = firstRows ? readFirstRows(firstRows).catch(doWithout(warn)) : Promise.resolve()
    loading.follow(closing(folder, loading, [tokenized, first, readWeights()]))
    // A file that fails early ends the wait for the others.
    const start = Promise.all([tokenized, first])
    start.catch(() => undefined)
    await (streaming ? Promise.race([start, loading.complete]) : loading.complete)
    await start
    return { target: filled, tokenizer: await tokenized, loading }
  } catch (error) {
    loading.stop(error)
    target?.dispose()
    throw error
  }
}

/** Tells the folder how loading ended, once nothing reads from it any more. */
async function closing(
  folder: ModelFolder,
  loading: Loading,
  work: readonly Promise<unknown>[],
): Promise<void> {
  try {
    await Promise.all(work)
  } catch (error) {
    loading.stop(error)
    await Promise.allSettled(work)
    await folder.close?.(error)
    throw error
  }
  await folder.close?.()
}

/** The first rows only come sooner than the weights, which have them too: later, but not worse. */
function doWithout(warn: (message: string) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof HeadwiseError) || error.code !== 'NETWORK') throw error
    warn(`headwise: the model starts later than it could, with all its weights (${error.message}).`)
  }
}

/** Sets every tensor as it arrives; `changed` is called when more can be run than before. */
async function fillFrom(
  { name, opened, tensors }: WeightFile,
  loader: WeightLoader,
  target: LoadingTarget,
  changed: () => void,
): Promise<void> {
  const reader = new SafetensorsReader(name, opened.size)
  const expected = tensors && new Set(tensors)
  let known = ''
  for await (const chunk of opened.chunks) {
    for (const tensor of reader.push(chunk)) {
      if (target.disposed) throw disposedError('model')
      if (expected?.delete(tensor.name) === false) {
        throw corruptFile(name, 'the tensors that the index names', `another one, ${tensor.name}`)
      }
      try {
        loader.add(tensor)
      } catch (error) {
        throw inFile(error, name, tensor.name)
      }
      const now = JSON.stringify(target.loaded)
      if (now !== known) changed()
      known = now
    }
    // Chunks may lie ready in a row: calls for what has come are heard between them.
    await nextTask()
  }
  reader.end()
  const [missing] = expected ?? []
  if (missing !== undefined) {
    throw corruptFile(name, `the tensor ${missing}, as the index says`, 'a file without it')
  }
}

async function made<Target>(
  make: (config: ModelConfig) => Target | Promise<Target>,
  config: ModelConfig,
): Promise<Target> {
  try {
    return await make(config)
  } catch (error) {
    throw inFile(error, 'config.json')
  }
}

/** What was refused by name, with the file that asked for it. */
function inFile(error: unknown, file: string, name?: string): unknown {
  if (!(error instanceof HeadwiseError)) return error
  const { argument, expected, received } = error
  const code = error.code === 'INVALID_ARGUMENT' ? 'CORRUPT_FILE' : error.code
  return new HeadwiseError(
    { code, argument: `${file}: ${name ?? argument}`, expected, received },
    { cause: error },
  )
}

function checkComplete(target: LoadingTarget, file: string): void {
  if (target.disposed) throw disposedError('model')
  const missing = target.missing()
  if (missing.length === 0) return
  const some = missing.slice(0, 3).join(', ')
  throw corruptFile(
    file,
    `every parameter of the model, ${some} among them`,
    `a file without ${missing.length} of them`,
  )
}
