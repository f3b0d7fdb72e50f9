// Loading a model's files in the order in which they are needed, all at once or in the background.
import { disposedError, HeadwiseError } from '../errors.js'
import type { LoadedParts, LoadModelOptions, ModelConfig } from '../types/model.js'
import { bertConfig, bertParameter, factsOf } from './bert.js'
import { SafetensorsReader } from './safetensors.js'
import { readJson, type FileFacts, type ReadFile, type ReadOptions } from './source.js'
import { CoreTokenizer } from './tokenizer.js'
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
  tokenizer: CoreTokenizer
  loading: Loading
}

/**
 * Reads the configuration, makes what it describes, and fills that. Resolves when all is there, or
 * with `streaming` as soon as the tokenizer and the first rows are.
 */
export async function loadFiles<Target extends LoadingTarget>(
  read: ReadFile,
  options: LoadModelOptions & { warn: (message: string) => void },
  make: (config: ModelConfig) => Target,
): Promise<LoadedFiles<Target>> {
  const { onProgress, onLoaded, warn, streaming = false, dtype = 'auto' } = options
  const loading = new Loading(options.signal)
  const reading = (stage: ReadOptions['stage']): ReadOptions => ({
    stage,
    onProgress,
    signal: loading.signal,
  })
  const source = await readJson(read, { name: 'config.json' }, reading('config'))
  const { files = {} } = factsOf(source)
  const target = make(bertConfig(source, dtype))

  const fill = (file: FileFacts, stage: ReadOptions['stage']) =>
    fillFrom(read(file, reading(stage)), file.name, target, () => {
      loading.changed()
      onLoaded?.(target.loaded)
    })
  const weightsFile = files.weights ?? { name: 'model.safetensors' }
  const tokenizer = readTokenizer(read, files.tokenizer, reading('tokenizer'))
  const first =
    streaming && files.firstRows
      ? fill(files.firstRows, 'first-rows').catch(doWithout(warn))
      : undefined
  const rest = fill(weightsFile, 'weights').then(() => {
    checkComplete(target, weightsFile.name)
    target.markComplete()
    onLoaded?.(target.loaded)
  })
  loading.follow(Promise.all([tokenizer, first, rest]).then(() => undefined))
  try {
    // A file that fails early ends the wait for the others.
    const start = Promise.all([tokenizer, first])
    start.catch(() => undefined)
    await (streaming ? Promise.race([start, loading.complete]) : loading.complete)
    await start
    return { target, tokenizer: await tokenizer, loading }
  } catch (error) {
    loading.stop(error)
    target.dispose()
    throw error
  }
}

/** The first rows only come sooner than the weights, which have them too: later, but not worse. */
function doWithout(warn: (message: string) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof HeadwiseError) || error.code !== 'NETWORK') throw error
    warn(`headwise: the model starts later than it could, with all its weights (${error.message}).`)
  }
}

async function readTokenizer(
  read: ReadFile,
  file: FileFacts = { name: 'tokenizer.json' },
  options: ReadOptions,
): Promise<CoreTokenizer> {
  return CoreTokenizer.create(await readJson(read, file, options))
}

/** Sets every tensor as it arrives; `changed` is called when more can be run than before. */
async function fillFrom(
  chunks: AsyncGenerator<Uint8Array>,
  file: string,
  target: LoadingTarget,
  changed: () => void,
): Promise<void> {
  const reader = new SafetensorsReader(file)
  const loader = new WeightLoader(target, bertParameter)
  let known = ''
  for await (const chunk of chunks) {
    for (const tensor of reader.push(chunk)) {
      if (target.disposed) throw disposedError('model')
      loader.add(tensor)
      const now = JSON.stringify(target.loaded)
      if (now !== known) changed()
      known = now
    }
  }
  reader.end()
}

function checkComplete(target: LoadingTarget, file: string): void {
  if (target.disposed) throw disposedError('model')
  const missing = target.missing()
  if (missing.length === 0) return
  throw new HeadwiseError({
    code: 'CORRUPT_FILE',
    argument: file,
    expected: `every parameter of the model, ${missing.slice(0, 3).join(', ')} among them`,
    received: `a file without ${missing.length} of them`,
  })
}
