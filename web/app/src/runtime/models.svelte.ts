// The models that this site serves. Each is fetched once, when somebody first needs it, into the
// page's one Worker; how far it has come is state that the page shows.
import type { AsyncRuntimeOptions, LoadedParts, Model, ModelConfig, Progress } from 'headwise'
import { fetchEarly } from './early'

/** By folder under `models/`; the first one comes with the page. */
export const modelNames = ['minilm-l6', 'translate-en-fr', 'novels-lm'] as const
export type ModelName = (typeof modelNames)[number]

/** What is known of a model before it is there. */
export const modelKinds: Readonly<Record<ModelName, ModelConfig['kind']>> = {
  'minilm-l6': 'encoder',
  'translate-en-fr': 'encoder-decoder',
  'novels-lm': 'decoder',
}

export function isModelName(name: string): name is ModelName {
  return modelNames.some((each) => each === name)
}

/** What is fetched before the Worker asks for it; first rows of the embedding where there are some. */
const smallFiles = ['config.json', 'tokenizer.json']
const firstRows: Partial<Record<ModelName, string>> = { 'minilm-l6': 'examples.safetensors' }

// eslint-disable-next-line svelte/prefer-svelte-reactivity -- an address that nobody changes
export const folderOf = (name: ModelName): URL => new URL(`models/${name}/`, document.baseURI)

/** `absent`: nobody has asked for it. */
export type Stage = 'absent' | 'starting' | 'loading' | 'ready' | 'stopped' | 'failed'

export interface Bytes {
  loaded: number
  total: number
}

const nothing: LoadedParts = { blocks: 0, patterns: 0, vocabulary: false, complete: false }

function blank() {
  return {
    stage: 'absent' as Stage,
    config: null as ModelConfig | null,
    parameters: 0,
    loaded: nothing,
    /** Bytes by file. */
    files: {} as Readonly<Record<string, Bytes>>,
    /** Bytes of the file that counts. */
    weights: { loaded: 0, total: 0 },
    failure: null as string | null,
  }
}

/** How far a model has come. */
export type ModelState = Readonly<ReturnType<typeof blank>>

type LoadIntoRuntime = (model: NonNullable<AsyncRuntimeOptions['model']>) => Promise<Model>

export class ShippedModel {
  #state = $state.raw<ModelState>(blank())
  #opening: Promise<Model> | null = null
  #abort = new AbortController()
  readonly #loadInto: LoadIntoRuntime

  /** `load` brings a model into the page's runtime, which it starts where it has to. */
  constructor(
    readonly name: ModelName,
    load: LoadIntoRuntime,
  ) {
    this.#loadInto = load
  }

  get state(): ModelState {
    return this.#state
  }

  /** Share of the weights that has arrived, 0..1; the other files are small. */
  get share(): number {
    if (this.#state.loaded.complete) return 1
    const { loaded, total } = this.#state.weights
    return total === 0 ? 0 : loaded / total
  }

  /** Whether the promise is the one that `open` gives now. */
  isOpening(model: Promise<Model>): boolean {
    return this.#opening === model
  }

  /**
   * The model, usable as soon as its first layer is; rejects when it cannot be had, and again until
   * `openAgain` or `forget`.
   */
  open(): Promise<Model> {
    this.#opening ??= this.#load()
    return this.#opening
  }

  /** Tries once more after a failure or a stop. */
  openAgain(): Promise<Model> {
    if (this.#state.stage === 'failed' || this.#state.stage === 'stopped') this.forget()
    return this.open()
  }

  /** Stops loading; rejects whoever waits. */
  stop(): void {
    this.#abort.abort(new DOMException('Loading was stopped by the reader', 'AbortError'))
  }

  /** Its Worker is gone: the next `open` loads it anew. */
  forget(): void {
    this.#opening = null
    this.#abort = new AbortController()
    this.#state = blank()
  }

  async #load(): Promise<Model> {
    const { signal } = this.#abort
    this.#set(signal, { stage: 'starting' })
    const rows = firstRows[this.name]
    fetchEarly(folderOf(this.name), rows === undefined ? smallFiles : [...smallFiles, rows])
    try {
      const model = await this.#loadInto({
        source: folderOf(this.name),
        streaming: true,
        signal,
        onProgress: (progress) => {
          this.#note(signal, progress)
        },
        onLoaded: (loaded) => {
          this.#set(signal, { loaded: { ...loaded } })
        },
      })
      const { config, parameters, loaded } = model
      this.#set(signal, { stage: 'loading', config, parameters, loaded: { ...loaded } })
      model.whenLoaded().then(
        () => {
          this.#set(signal, { stage: 'ready' })
        },
        (reason: unknown) => {
          this.#fail(signal, reason)
        },
      )
      return model
    } catch (reason) {
      this.#fail(signal, reason)
      throw reason
    }
  }

  #note(signal: AbortSignal, { file, loaded, total, stage }: Progress): void {
    const bytes = { loaded, total }
    const files = { ...this.#state.files, [file]: bytes }
    const weights = stage === 'weights' ? { weights: bytes } : {}
    this.#set(signal, { stage: 'loading', files, ...weights })
  }

  #fail(signal: AbortSignal, reason: unknown): void {
    this.#set(
      signal,
      signal.aborted
        ? { stage: 'stopped', failure: null }
        : { stage: 'failed', failure: reason instanceof Error ? reason.message : String(reason) },
    )
  }

  /** What an earlier attempt tells after `forget` is no news. */
  #set(signal: AbortSignal, part: Partial<ModelState>): void {
    if (signal === this.#abort.signal) this.#state = { ...this.#state, ...part }
  }
}
