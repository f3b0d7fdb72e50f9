// The calling side of a model.
import { runResult } from '../model/run-result.js'
import { checkWeightName, weightNames } from '../model/weight-names.js'
import { resolveSource } from '../model/source.js'
import type {
  EmbedOptions,
  Encoding,
  LoadedParts,
  LoadModelOptions,
  ModelConfig,
  ModelOf,
  ModelSource,
  Progress,
  RunInput,
  RunOptions,
  RunResult,
  TokenizerOf,
} from '../types/model.js'
import type { CallOptions } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import {
  checkEmbedOptions,
  checkLoadOptions,
  checkRunOptions,
  checkWeightOptions,
} from '../validate/model.js'
import type { Connection } from '../worker/connection.js'
import type { LoadedModel } from '../worker/protocol.js'
import { RemoteHandle } from './remote-handle.js'

class AsyncTokenizer implements TokenizerOf<'async'> {
  constructor(private readonly encodeThere: (text: string, pair?: string) => Promise<Encoding>) {}

  encode(text: string, pair?: string): Promise<Encoding> {
    return this.encodeThere(text, pair)
  }
}

export class AsyncModel extends RemoteHandle implements ModelOf<'async'> {
  readonly config: ModelConfig
  readonly parameters: number
  readonly tokenizer: TokenizerOf<'async'>
  #loaded: LoadedParts
  #complete = Promise.resolve()

  private constructor(connection: Connection, made: LoadedModel) {
    super(connection, 'model', made.handle)
    this.config = made.config
    this.parameters = made.parameters
    this.#loaded = made.loaded
    this.tokenizer = new AsyncTokenizer((text, pair) =>
      this.ask('encode', [this.reference(), text, pair]),
    )
  }

  static async load(
    connection: Connection,
    source: ModelSource,
    options: LoadModelOptions = {},
  ): Promise<AsyncModel> {
    checkLoadOptions(options)
    const { signal, onProgress, onLoaded } = options
    const onEvent = (name: string, detail: unknown) => {
      if (name === 'progress') onProgress?.(detail as Progress)
      else onLoaded?.(detail as LoadedParts)
    }
    const settings = { signal, onEvent }
    const made = await connection.call('loadModel', [resolveSource(source), options], settings)
    const model = new AsyncModel(connection, made)
    if (!made.loaded.complete) model.#follow(options)
    return model
  }

  get loaded(): LoadedParts {
    return this.#loaded
  }

  whenLoaded(): Promise<void> {
    return this.#complete
  }

  async run(input: RunInput, options: RunOptions = {}): Promise<RunResult> {
    const model = this.reference()
    checkRunOptions(options)
    const { signal, transfer } = options
    const settings = { signal, transfer }
    const { batch, ...tensors } = await this.#unlessFailed(
      this.ask('run', [model, input, options], settings),
    )
    return runResult(batch, tensors)
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Tensor> {
    const model = this.reference()
    checkEmbedOptions(texts, options)
    const settings = { signal: options.signal }
    return this.#unlessFailed(this.ask('embed', [model, texts, options], settings))
  }

  get weightNames(): readonly string[] {
    return weightNames(this.config)
  }

  async weight(name: string, options: CallOptions = {}): Promise<Tensor> {
    const model = this.reference()
    checkWeightOptions(options)
    checkWeightName(name, this.config)
    return this.#unlessFailed(this.ask('weight', [model, name], { signal: options.signal }))
  }

  /** The answer, or what ended the loading of a model that will stay incomplete. */
  #unlessFailed<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#complete.catch(reject)
      answer.then(resolve, reject)
    })
  }

  /** Hears of the files that are still on their way; the signal goes on to mean them. */
  #follow({ signal, onProgress, onLoaded }: LoadModelOptions): void {
    const onEvent = (name: string, detail: unknown) => {
      if (name === 'progress') {
        onProgress?.(detail as Progress)
        return
      }
      this.#loaded = detail as LoadedParts
      onLoaded?.(this.#loaded)
    }
    const settings = { signal, onEvent }
    this.#complete = this.ask('whenLoaded', [this.reference()], settings).then((loaded) => {
      this.#loaded = loaded
    })
    // Whoever wants to know asks; without asking it is no unhandled rejection.
    this.#complete.catch(() => undefined)
  }
}
