// The synchronous runtime behind the message protocol: finds handles, runs long work in slices and
// one call at a time, mirrors plain numbers. The same code answers in a Worker and, without one, on
// the calling thread.
import { createEngine, type EngineOptions } from '../core/create-engine.js'
import {
  headSimilaritySteps,
  lowRankFitSteps,
  principalAnglesSteps,
  principalComponentsSteps,
  svdSteps,
} from '../core/analysis.js'
import { attentionSteps } from '../core/attention.js'
import type { Engine } from '../core/engine.js'
import { CoreLatentAttention, latentAttentionSteps } from '../core/latent-attention.js'
import type { CoreModel } from '../core/model.js'
import type * as Models from '../core/models.js'
import { CoreMultiHeadAttention } from '../core/multi-head-attention.js'
import { CoreKeyValueCache } from '../core/key-value-cache.js'
import { CoreRuntime } from '../core/runtime.js'
import { CoreRecurrentLayer } from '../core/recurrent-layer.js'
import { nextTask } from '../next-task.js'
import { inSlices } from '../core/slices.js'
import { throwIfAborted, type Steps } from '../core/steps.js'
import { WorkTimer } from '../core/work-timer.js'
import { disposedError, HeadwiseError } from '../errors.js'
import { imported } from '../import-file.js'
import { fetchThrough } from '../model/remote-fetch.js'
import type { WatchTokenizing } from '../model/tokenizer.js'
import type { FittedHeadDim } from '../types/analysis.js'
import type { AttentionOptions } from '../types/attention.js'
import type { AnalysisProgress } from '../types/head-roles.js'
import type { LoadModelOptions } from '../types/loading.js'
import type { Disposable, RuntimeInfo } from '../types/runtime.js'
import { withSignal } from './connection.js'
import {
  timedCalls,
  type HandleReference,
  type Mirrors,
  type OperationName,
  type Operations,
} from './protocol.js'

/** What a call is given besides its arguments. */
export interface CallContext {
  signal: AbortSignal
  emit: (name: string, detail: unknown) => void
  /** Takes what the work costs, where that is wanted. */
  timer?: WorkTimer | undefined
}

/** Every operation, its arguments as posted. */
type Handlers = {
  [Op in OperationName]: (
    context: CallContext,
    ...args: Parameters<Operations[Op]>
  ) => ReturnType<Operations[Op]> | Promise<ReturnType<Operations[Op]>>
}

export class Host {
  #runtime: CoreRuntime | undefined
  /** There since `start` was called: what can begin without the engine does. */
  #starting: Promise<Engine> | undefined
  #handles = new Map<number, Disposable>()
  #nextHandle = 1
  #queue: Promise<unknown> = Promise.resolve()
  #touched = new Set<number>()
  /** There since the first model was asked for. */
  #models: typeof Models | undefined
  /** Who hears of a model that is still loading: the call that waits for it. */
  #listeners = new WeakMap<CoreModel, Pick<CallContext, 'emit'>>()

  constructor(
    private readonly warn: (message: string) => void,
    private readonly watchTokenizing?: WatchTokenizing,
  ) {}

  get info(): RuntimeInfo | undefined {
    return this.#runtime?.info
  }

  /** Does one operation; its errors are the caller's to pack. */
  async call(op: OperationName, args: unknown[], context: CallContext): Promise<unknown> {
    const handler = this.#handlers[op] as (...all: unknown[]) => unknown
    return await handler(context, ...args)
  }

  /** What measures a call of this operation; undefined where nobody wants to know. */
  timerOf(op: OperationName): WorkTimer | undefined {
    const copies = this.#runtime?.engine.copyTimer
    return copies && timedCalls[op] && new WorkTimer(copies)
  }

  /** The numbers to send along with a reply. */
  mirrors(): Mirrors {
    const lengths: Record<number, number> = {}
    for (const handle of this.#touched) {
      const cache = this.#handles.get(handle)
      if (cache instanceof CoreKeyValueCache) lengths[handle] = cache.length
    }
    this.#touched.clear()
    return { info: this.info, lengths }
  }

  close(): void {
    this.#runtime?.dispose()
    this.#handles.clear()
  }

  #handlers: Handlers = {
    start: async (_context, options: EngineOptions) => {
      this.#starting = createEngine({ ...options, onWarning: this.warn })
      this.#runtime = new CoreRuntime(await this.#starting)
      return undefined
    },
    attention: (context, query, key, value, options) =>
      this.#compute(context, () =>
        attentionSteps(this.#engine, query, key, value, this.#withCache(options)),
      ),
    createKeyValueCache: (_context, options) => this.#add(this.#core.createKeyValueCache(options)),
    truncateCache: (context, cache, length) =>
      this.#inTurn(context, () => {
        this.#cache(cache).truncate(length)
        return undefined
      }),
    cacheKeys: (context, cache) => this.#inTurn(context, () => this.#cache(cache).keys()),
    cacheValues: (context, cache) => this.#inTurn(context, () => this.#cache(cache).values()),
    createMultiHeadAttention: (_context, options) => {
      const layer = this.#core.createMultiHeadAttention(options)
      return { ...this.#add(layer), parameters: layer.parameters }
    },
    forward: (context, layer, x, options) =>
      this.#compute(context, () =>
        this.#get(layer, CoreMultiHeadAttention, 'MultiHeadAttention').forwardSteps(
          x,
          this.#withCache(options),
        ),
      ),
    createLatentAttention: (_context, options) =>
      this.#add(this.#core.createLatentAttention(options)),
    latentForward: (context, layer, x, options) =>
      this.#compute(context, () =>
        this.#get(layer, CoreLatentAttention, 'LatentAttention').forwardSteps(x, options),
      ),
    latentAttention: (context, inputs, options) =>
      this.#compute(context, () => latentAttentionSteps(this.#engine, inputs, options)),
    createRecurrentLayer: (_context, options) =>
      this.#add(this.#core.createRecurrentLayer(options)),
    recurrentForward: (context, layer, x, options) =>
      this.#compute(context, () =>
        this.#get(layer, CoreRecurrentLayer, 'RecurrentLayer').forwardSteps(x, options),
      ),
    traceTiles: (context, query, key, value, options) =>
      this.#inTurn(context, () => this.#core.traceTiles(query, key, value, options)),
    svd: (context, x, options) => this.#compute(context, () => svdSteps(this.#engine, x, options)),
    principalComponents: (context, x, options) =>
      this.#compute(context, () => principalComponentsSteps(this.#engine, x, options)),
    principalAngles: (context, a, b, options) =>
      this.#compute(context, () => principalAnglesSteps(this.#engine, a, b, options)),
    headSimilarity: (context, x, options) =>
      this.#compute(context, () => headSimilaritySteps(this.#engine, x, options)),
    lowRankFit: (context, pattern, options) => {
      const onProgress = (fit: FittedHeadDim) => context.emit('progress', fit)
      return this.#compute(context, () =>
        lowRankFitSteps(this.#engine, pattern, { ...options, onProgress }),
      )
    },
    loadModel: async (context, source, options, port) => {
      if (this.#starting === undefined) throw disposedError('runtime')
      this.#models ??= await imported('core/models.js', import('../core/models.js'))
      const { CoreModel, loadResolved } = this.#models
      const listener = { emit: context.emit }
      const given: LoadModelOptions = {
        ...options,
        signal: context.signal,
        onProgress: (progress) => listener.emit('progress', progress),
        onLoaded: (loaded) => listener.emit('loaded', loaded),
      }
      const model = await loadResolved(this.#starting, CoreModel, source, given, {
        warn: this.warn,
        fetch: port && fetchThrough(port),
        watchTokenizing: this.watchTokenizing,
      })
      this.#listeners.set(model, listener)
      const { config, parameters, weightNames, loaded } = model
      return { ...this.#add(model), config, parameters, weightNames, loaded }
    },
    whenLoaded: async (context, reference) => {
      const model = this.#model(reference)
      const listener = this.#listeners.get(model)
      if (listener !== undefined) listener.emit = context.emit
      context.emit('loaded', model.loaded)
      context.signal.addEventListener('abort', () => model.loading.stop(context.signal.reason))
      await model.whenLoaded()
      return model.loaded
    },
    encode: (_context, model, text, pair) => this.#model(model).tokenizer.encode(text, pair),
    run: async (context, reference, input, options) => {
      const model = this.#model(reference)
      const batch = measured(context, () => model.batchOf(input))
      const run = () => model.runSteps(batch, options)
      const tensors = await this.#whenReady(context, model, run)
      const { encodings, length, keyMask } = batch
      return { ...tensors, batch: { encodings, batch: batch.batch, length, keyMask } }
    },
    embed: (context, reference, texts, options) => {
      const model = this.#model(reference)
      return this.#whenReady(context, model, () => model.embedSteps(texts, options))
    },
    generate: async (context, reference, prompt, options) => {
      const model = this.#model(reference)
      const begin = () => model.beginGeneration(prompt, options)
      const generation = await this.#inTurn(context, begin)
      try {
        while (!generation.finished) {
          const part = await this.#whenReady(context, model, () => generation.next())
          context.emit('part', part)
        }
      } finally {
        generation.end()
      }
      return undefined
    },
    weight: (context, reference, name) => {
      const model = this.#model(reference)
      return this.#whenReady(context, model, () => model.weightSteps(name))
    },
    analyseHeads: async (context, reference, kind, input, options) => {
      const model = this.#model(reference)
      await withSignal(model.whenLoaded(), context.signal)
      const { headAnalyses } = await import('../core/head-analyses.js')
      const reporting = {
        ...options,
        onProgress: (progress: AnalysisProgress) => context.emit('progress', progress),
        onPartial: (partial: unknown) => context.emit('partial', partial),
      }
      const begin = headAnalyses[kind] as (...all: unknown[]) => Steps<unknown>
      return this.#inTurns(context, model, () => begin(model, input, reporting))
    },
    dispose: (context, { handle }) =>
      this.#inTurn(context, () => {
        this.#handles.get(handle)?.dispose()
        this.#handles.delete(handle)
        return undefined
      }),
  }

  get #core(): CoreRuntime {
    if (this.#runtime === undefined) throw disposedError('runtime')
    return this.#runtime
  }

  get #engine() {
    return this.#core.engine
  }

  #add(object: Disposable): HandleReference {
    const handle = this.#nextHandle++
    this.#handles.set(handle, object)
    return { handle }
  }

  #get<T extends Disposable>(
    { handle }: HandleReference,
    type: abstract new (...args: never[]) => T,
    kind: string,
  ): T {
    const object = this.#handles.get(handle)
    if (object instanceof type) return object
    throw disposedError(kind)
  }

  #cache(reference: HandleReference): CoreKeyValueCache {
    this.#touched.add(reference.handle)
    return this.#get(reference, CoreKeyValueCache, 'cache')
  }

  /** Options with the cache itself where the message had a reference. */
  #withCache<Options extends Pick<AttentionOptions, 'cache'>>(options: Options): Options {
    if (options.cache === undefined) return options
    return { ...options, cache: this.#cache(options.cache as unknown as HandleReference) }
  }

  #model(reference: HandleReference): CoreModel {
    if (this.#models === undefined) throw disposedError('model')
    return this.#get(reference, this.#models.CoreModel, 'model')
  }

  /** Works as `#compute` does, as soon as the parts of a loading model that it needs are there. */
  async #whenReady<T>(context: CallContext, model: CoreModel, begin: () => Steps<T>): Promise<T> {
    for (;;) {
      const change = model.loading.isRunning ? model.loading.nextChange() : undefined
      change?.catch(() => undefined)
      try {
        return await this.#compute(context, begin)
      } catch (error) {
        const isEarly = error instanceof HeadwiseError && error.code === 'UNSUPPORTED'
        if (change === undefined || !isEarly) throw error
        await withSignal(change, context.signal)
      }
    }
  }

  /** Waits for the calls before it, then works in one go. */
  #inTurn<T>(context: CallContext, work: () => T): Promise<T> {
    const turn = this.#queue.then(() => {
      throwIfAborted(context)
      return measured(context, work)
    })
    this.#queue = turn.catch(() => undefined)
    return turn
  }

  /** Works in slices between which other calls have their turn: for what takes minutes. */
  async #inTurns<T>(context: CallContext, model: CoreModel, begin: () => Steps<T>): Promise<T> {
    const { signal } = context
    const work: { steps?: Steps<T>; isRunning: boolean } = { isRunning: false }
    // Lets the generator free what it holds, before the calls that came behind an abort.
    const end = () => {
      if (!work.isRunning) work.steps?.return(undefined as never)
    }
    const slice = () => {
      model.transformer.checkAlive()
      work.steps ??= begin()
      work.isRunning = true
      try {
        return work.steps.next()
      } finally {
        work.isRunning = false
      }
    }
    signal.addEventListener('abort', end)
    try {
      for (;;) {
        const { done, value } = await this.#inTurn(context, slice)
        if (done === true && !signal.aborted) return value
        throwIfAborted(context)
        await nextTask()
      }
    } finally {
      signal.removeEventListener('abort', end)
      end()
    }
  }

  /** Waits for the calls before it, then works in slices, hearing messages between them. */
  #compute<T>(context: CallContext, begin: () => Steps<T>): Promise<T> {
    const turn = this.#queue.then(() => {
      throwIfAborted(context)
      const work = { signal: context.signal, checkAlive: () => this.#engine.checkAlive() }
      return inSlices(begin(), work, (slice) => measured(context, slice))
    })
    this.#queue = turn.catch(() => undefined)
    return turn
  }
}

function measured<T>({ timer }: CallContext, work: () => T): T {
  return timer === undefined ? work() : timer.measure(work)
}
