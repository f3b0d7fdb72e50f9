// The calling side of a model.
import type { HeadAnalysis } from '../core/head-analyses.js'
import { columnsOf, plainExample } from '../model/head-analysis.js'
import { runResult } from '../model/run-result.js'
import { checkWeightName } from '../model/weight-names.js'
import { resolveSource } from '../model/source.js'
import { serveFetch } from '../model/remote-fetch.js'
import type { Fetch } from '../model/download.js'
import type {
  AnsweredText,
  HeadImportance,
  HeadImportanceOptions,
  LossSample,
  ModelLoss,
  ModelLossOptions,
  PruningCurves,
  PruningOptions,
} from '../types/head-importance.js'
import type {
  AnalysisOptions,
  AnalysisProgress,
  CoreferenceExample,
  CoreferenceOptions,
  CoreferenceScores,
  HeadRoles,
  HeadRolesOptions,
} from '../types/head-roles.js'
import type { GenerateOptions, GeneratedPart } from '../types/generation.js'
import type { LoadModelOptions, LoadedParts, ModelSource, Progress } from '../types/loading.js'
import type { EmbedOptions, ModelOf, RunInput, RunOptions, RunResult } from '../types/model.js'
import type { ModelConfig } from '../types/model-config.js'
import type { TokenizerOf } from '../types/tokens.js'
import type { CallOptions } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import type { TreebankSentence } from '../types/treebank.js'
import {
  checkCoreference,
  checkHeadImportance,
  checkHeadRoles,
  checkMeanHeadOutputs,
  checkLoss,
  checkPruning,
} from '../validate/head-analysis.js'
import {
  checkEmbedOptions,
  checkGenerateOptions,
  checkLoadOptions,
  checkRunOptions,
  checkWeightOptions,
} from '../validate/model.js'
import { checkCallOptions, checkOptions } from '../validate/options.js'
import type { Connection } from '../worker/connection.js'
import type { HandleReference, LoadedModel } from '../worker/protocol.js'
import { EventStream } from './event-stream.js'
import { RemoteHandle } from './remote-handle.js'

type Encode = TokenizerOf<'async'>['encode']

class AsyncTokenizer implements TokenizerOf<'async'> {
  constructor(readonly encode: Encode) {}
}

/** A way for the Worker to call this thread's function. */
function portTo(fetch: Fetch): { far: MessagePort; close: () => void } {
  const { port1, port2 } = new MessageChannel()
  serveFetch(port1, fetch)
  return { far: port2, close: () => port1.close() }
}

export class AsyncModel extends RemoteHandle implements ModelOf<'async'> {
  readonly config: ModelConfig
  readonly parameters: number
  readonly weightNames: readonly string[]
  readonly tokenizer: TokenizerOf<'async'>
  #loaded: LoadedParts
  #complete = Promise.resolve()

  private constructor(connection: Connection, made: LoadedModel) {
    super(connection, 'model', made.handle)
    this.config = made.config
    this.parameters = made.parameters
    this.weightNames = made.weightNames
    this.#loaded = made.loaded
    this.tokenizer = new AsyncTokenizer(async (text, pair, options = {}) => {
      checkOptions(options, 'options', ['signal'])
      checkCallOptions(options)
      const { signal } = options
      return this.ask('encode', [this.reference(), text, pair], { signal })
    })
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
    const resolved = await resolveSource(source, options)
    const fetched = options.hub?.fetch && portTo(options.hub.fetch)
    const hangUp = () => fetched?.close()
    try {
      const args = [resolved, options, fetched?.far] as const
      const made = await connection.call('loadModel', [...args], settings)
      const model = new AsyncModel(connection, made)
      if (!made.loaded.complete) model.#follow(options)
      model.#complete.then(hangUp, hangUp)
      return model
    } catch (error) {
      hangUp()
      throw error
    }
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

  generate(
    prompt: string | readonly number[] | Int32Array,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedPart, void, undefined> {
    const model = this.reference()
    checkGenerateOptions(prompt, options)
    const parts = new EventStream<GeneratedPart>(options.signal)
    const start = () =>
      this.#unlessFailed(
        this.ask('generate', [model, prompt, options], {
          signal: parts.signal,
          onEvent: (_name, part) => parts.push(part as GeneratedPart),
        }),
      )
    return parts.read(start)
  }

  async weight(name: string, options: CallOptions = {}): Promise<Tensor> {
    const model = this.reference()
    checkWeightOptions(options)
    checkWeightName(name, this.weightNames)
    return this.#unlessFailed(this.ask('weight', [model, name], { signal: options.signal }))
  }

  async headRoles(
    sentences: readonly TreebankSentence[],
    options: HeadRolesOptions = {},
  ): Promise<HeadRoles> {
    this.reference()
    checkHeadRoles(sentences, options)
    return this.#analyse('headRoles', columnsOf(sentences), options)
  }

  async coreference(
    examples: readonly CoreferenceExample[],
    options: CoreferenceOptions = {},
  ): Promise<CoreferenceScores> {
    this.reference()
    checkCoreference(examples, options)
    return this.#analyse('coreference', examples.map(plainExample), options)
  }

  async loss(samples: readonly LossSample[], options: ModelLossOptions = {}): Promise<ModelLoss> {
    this.reference()
    checkLoss(samples, options, this.config)
    return this.#analyse('loss', samples, options)
  }

  async pairLoss(
    samples: readonly LossSample[],
    options: ModelLossOptions = {},
  ): Promise<ModelLoss> {
    return this.loss(samples, options)
  }

  async headImportance(
    samples: readonly LossSample[],
    options: HeadImportanceOptions = {},
  ): Promise<HeadImportance> {
    this.reference()
    checkHeadImportance(samples, options, this.config)
    return this.#analyse('headImportance', samples, options)
  }

  async pruning(
    samples: readonly LossSample[],
    options: PruningOptions = {},
  ): Promise<PruningCurves> {
    this.reference()
    checkPruning(samples, options, this.config)
    return this.#analyse('pruning', samples, options)
  }

  async meanHeadOutputs(
    texts: readonly string[] | readonly AnsweredText[],
    options: CallOptions = {},
  ): Promise<Tensor> {
    this.reference()
    checkMeanHeadOutputs(texts, options, this.config)
    return this.#analyse('meanHeadOutputs', texts, options)
  }

  #analyse<T>(
    kind: HeadAnalysis,
    input: unknown,
    options: Partial<AnalysisOptions<never>>,
  ): Promise<T> {
    const { signal, onProgress, onPartial } = options
    const onEvent = (name: string, detail: unknown) => {
      if (name === 'progress') onProgress?.(detail as AnalysisProgress)
      else onPartial?.(detail as never)
    }
    const args: [HandleReference, HeadAnalysis, unknown, object] = [
      this.reference(),
      kind,
      input,
      options,
    ]
    return this.#unlessFailed(this.ask('analyseHeads', args, { signal, onEvent }) as Promise<T>)
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
