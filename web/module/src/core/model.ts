// A model on one thread: its transformer and tokenizer, texts in, activations and vectors out.
import type { BoundTransformerRun } from '../bindings.js'
import { disposedError, HeadwiseError } from '../errors.js'
import { encodeInput, encodeText, imageBatch, padBatch, type Batch } from '../model/inputs.js'
import type { Loading } from '../model/loading.js'
import { runResult, type RunTensors } from '../model/run-result.js'
import type { CoreTokenizer } from '../model/tokenizer.js'
import { checkWeightName, weightOf, weightsOf } from '../model/weight-names.js'
import type { HeadAnalysisOf } from '../types/head-analysis.js'
import type { GenerateOptions, GeneratedPart } from '../types/generation.js'
import type { LoadedParts } from '../types/loading.js'
import type { EmbedOptions, ModelOf, RunInput, RunOptions, RunResult } from '../types/model.js'
import type { ModelConfig } from '../types/model-config.js'
import type { CallOptions } from '../types/runtime.js'
import type { Tensor } from '../types/tensor.js'
import {
  checkEmbedOptions,
  checkGenerateOptions,
  checkRunOptions,
  checkWeightOptions,
} from '../validate/model.js'
import type { Generation } from './generation.js'
import { inSlices } from './slices.js'
import { readRun, runSteps } from './run.js'
import type { Scope } from './scope.js'
import { finish, throwIfAborted, type Steps } from './steps.js'
import type { CoreTransformer } from './transformer.js'

/** All of a model but the analyses of its heads, which a Worker fetches when they are wanted. */
export class CoreModel implements Omit<ModelOf<'sync'>, keyof HeadAnalysisOf<'sync'>> {
  readonly #weights: ReadonlyMap<string, string>

  readonly #tokenizer: CoreTokenizer | undefined

  constructor(
    readonly transformer: CoreTransformer,
    tokenizer: CoreTokenizer | undefined,
    readonly loading: Loading,
    /** What writes texts, of a model that can. */
    private readonly writer: typeof Generation | undefined,
  ) {
    this.#tokenizer = tokenizer
    this.#weights = weightsOf(transformer.parameterNames, transformer.config)
  }

  get config(): ModelConfig {
    return this.transformer.config
  }

  get tokenizer(): CoreTokenizer {
    if (this.#tokenizer !== undefined) return this.#tokenizer
    throw new HeadwiseError({
      code: 'UNSUPPORTED',
      argument: 'model',
      expected: 'a model of texts',
      received: 'a model of images, which has no tokenizer',
    })
  }

  get parameters(): number {
    return this.transformer.parameterCount
  }

  get loaded(): LoadedParts {
    return this.transformer.loaded
  }

  whenLoaded(): Promise<void> {
    return this.loading.complete
  }

  run(input: RunInput, options: RunOptions = {}): RunResult {
    this.transformer.checkAlive()
    checkRunOptions(options)
    throwIfAborted(options)
    return this.transformer.engine.timed('run', () => {
      const batch = this.batchOf(input)
      return runResult(batch, finish(this.runSteps(batch, options)))
    })
  }

  embed(texts: readonly string[], options: EmbedOptions = {}): Tensor {
    return this.transformer.engine.timed('embed', () => finish(this.embedSteps(texts, options)))
  }

  generate(
    prompt: string | readonly number[] | Int32Array,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedPart, void, undefined> {
    this.transformer.checkAlive()
    checkGenerateOptions(prompt, options)
    throwIfAborted(options)
    return this.#parts(prompt, options)
  }

  async *#parts(
    prompt: string | readonly number[] | Int32Array,
    options: GenerateOptions,
  ): AsyncGenerator<GeneratedPart, void, undefined> {
    const generation = this.beginGeneration(prompt, options)
    try {
      const checkAlive = () => this.transformer.checkAlive()
      const work = { signal: options.signal, checkAlive }
      while (!generation.finished) yield await inSlices(generation.next(), work)
    } finally {
      generation.end()
    }
  }

  /** To be ended by the caller. */
  beginGeneration(
    prompt: string | readonly number[] | Int32Array,
    options: GenerateOptions,
  ): Generation {
    this.throwIfFailed()
    this.transformer.checkAlive()
    const ids = typeof prompt === 'string' ? this.tokenizer.encode(prompt).ids : Array.from(prompt)
    if (this.writer === undefined) {
      const { modelType, head } = this.config
      throw new HeadwiseError({
        code: 'UNSUPPORTED',
        argument: 'generate',
        expected: 'a model with a language-model head',
        received: `${modelType} with the head '${head}'`,
      })
    }
    return new this.writer(this.transformer, this.tokenizer, ids, options)
  }

  get weightNames(): readonly string[] {
    return [...this.#weights.keys()]
  }

  weight(name: string, options: CallOptions = {}): Tensor {
    this.transformer.checkAlive()
    checkWeightOptions(options)
    checkWeightName(name, this.weightNames)
    throwIfAborted(options)
    return finish(this.weightSteps(name))
  }

  dispose(): void {
    this.loading.stop(disposedError('model'))
    this.transformer.dispose()
  }

  [Symbol.dispose](): void {
    this.dispose()
  }

  batchOf(input: RunInput): Batch {
    const images = imageBatch(input, this.config)
    if (images !== undefined) return images
    const batch = padBatch(encodeInput(input, this), this.tokenizer.padId)
    // A tokenizer may tell two texts apart where the model does not; who gives ids is taken at his word.
    const given = typeof input === 'object' && 'typeIds' in input
    if (this.config.tokenTypes < 2 && !given) batch.typeIds.fill(0)
    return batch
  }

  runSteps(batch: Batch, options: RunOptions): Steps<RunTensors> {
    this.throwIfFailed()
    return runSteps(this.transformer, batch, options, readRun)
  }

  // eslint-disable-next-line require-yield -- one slice: to widen a matrix takes milliseconds
  *weightSteps(name: string): Steps<Tensor> {
    this.throwIfFailed()
    const parameter = this.#weights.get(name) ?? ''
    return weightOf(parameter, this.transformer.parameter(parameter), this.config)
  }

  /** A model that will stay incomplete says why, not what it lacks. */
  protected throwIfFailed(): void {
    if (!this.transformer.disposed) this.loading.throwIfFailed()
  }

  /** One text after the other: no work is spent on padding. */
  *embedSteps(texts: readonly string[], options: EmbedOptions): Steps<Tensor> {
    this.transformer.checkAlive()
    checkEmbedOptions(texts, options)
    throwIfAborted(options)
    this.throwIfFailed()
    const { dModel, kind } = this.config
    if (kind === 'encoder-decoder' || kind === 'vision') {
      throw new HeadwiseError({
        code: 'UNSUPPORTED',
        argument: 'embed',
        expected: 'a model of texts with one stack',
        received: kind,
      })
    }
    const data = new Float32Array(texts.length * dModel)
    for (const [row, text] of texts.entries()) {
      if (row > 0) yield
      const batch = padBatch([encodeText(this, text, `texts[${row}]`)], this.tokenizer.padId)
      const pool = (run: BoundTransformerRun, scope: Scope) => pooled(run, scope, batch, options)
      const vector = yield* runSteps(this.transformer, batch, { output: 'hidden' }, pool)
      data.set(vector.data, row * dModel)
    }
    return { type: 'float32', data, dims: [texts.length, dModel] }
  }
}

/** The vector of a text. The first token alone is a mean over a mask that shows only it. */
function pooled(
  run: BoundTransformerRun,
  scope: Scope,
  { keyMask, length }: Batch,
  { pooling = 'mean', normalize = true }: EmbedOptions,
): Tensor {
  const shown = pooling === 'mean' ? keyMask : Uint8Array.from({ length }, (_, i) => +(i === 0))
  run.output()
  const [output] = scope.engine.record.tensors(1)
  const width = output?.dims[2] ?? 0
  const address = scope.allocate(width * Float32Array.BYTES_PER_ELEMENT, 'output')
  run.pool(scope.bytes(shown, 'keyMask'), normalize, address)
  return scope.engine.read({ address, dims: [width] })
}
