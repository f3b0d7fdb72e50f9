// The one runtime of the page: its Worker, the models in it, and what to do when the Worker is lost.
// It starts before the first paint and computes nothing itself.
import {
  createRuntime,
  HeadwiseError,
  type AsyncRuntimeOptions,
  type Model,
  type Runtime,
  type RuntimeInfo,
} from 'headwise'
import { modelNames, ShippedModel, type ModelName, type ModelState } from './models.svelte'

export { modelNames, type ModelName, type Stage } from './models.svelte'

interface WorkerState {
  info: RuntimeInfo | null
  /** The Worker was lost and a new one started. */
  restarted: boolean
  /** Raised with every new Worker: what lived in the one before has to be asked for again. */
  generation: number
}

const worker = $state<WorkerState>({ info: null, restarted: false, generation: 0 })

let runtime: Runtime | null = null
let starting: Promise<Runtime> | null = null

const models = Object.fromEntries(
  modelNames.map((name) => [name, new ShippedModel(name, load)]),
) as Record<ModelName, ShippedModel>

/** A model of this site, whether it is there or not. */
export function shipped(name: ModelName): ShippedModel {
  return models[name]
}

/** What the page shows of the Worker, and of the model that comes with the page. */
export const session: Readonly<WorkerState> & ModelState = {
  get info() {
    return worker.info
  },
  get restarted() {
    return worker.restarted
  },
  get generation() {
    return worker.generation
  },
  get stage() {
    return models[modelNames[0]].state.stage
  },
  get config() {
    return models[modelNames[0]].state.config
  },
  get parameters() {
    return models[modelNames[0]].state.parameters
  },
  get loaded() {
    return models[modelNames[0]].state.loaded
  },
  get files() {
    return models[modelNames[0]].state.files
  },
  get weights() {
    return models[modelNames[0]].state.weights
  },
  get failure() {
    return models[modelNames[0]].state.failure
  },
}

/** Share of the weights of the page's own model that has arrived, 0..1. */
export function loadedShare(): number {
  return models[modelNames[0]].share
}

/** The model, usable as soon as its first layer is; rejects when it cannot be had. */
export function openModel(name: ModelName): Promise<Model> {
  return models[name].open()
}

/** The runtime that the model lives in, as soon as it runs: for calls beside the model's. */
export function openRuntime(name: ModelName): Promise<Runtime> {
  openModel(name).catch(() => undefined) // its failure is part of the state
  return startOnce()
}

function startOnce(): Promise<Runtime> {
  starting ??= startRuntime({})
  return starting
}

/** Loads a model, the first one beside the start of the runtime. */
async function load(model: NonNullable<AsyncRuntimeOptions['model']>): Promise<Model> {
  if (starting === null) {
    starting = startRuntime({ model })
    const first = (await starting).model
    if (first) return first
  }
  const { source, ...options } = model
  return (await starting).loadModel(source, options)
}

async function startRuntime(options: AsyncRuntimeOptions): Promise<Runtime> {
  const made = await createRuntime(options)
  runtime = made
  worker.info = made.info
  return made
}

/** Memory is told with every reply; the page reads it when somebody asks. */
export function noteMemory(): void {
  if (runtime) worker.info = { ...runtime.info }
}

/** Stops the loading of a model. */
export function stop(name: ModelName): void {
  models[name].stop()
}

/**
 * The model in a new Worker after `model` was found lost. Whoever comes later with the same lost
 * model gets the one that is already being opened.
 */
export function replaceLost(model: Promise<Model>, name: ModelName): Promise<Model> {
  return models[name].isOpening(model) ? restart(name, 'lost') : openModel(name)
}

/** Begins again with a new Worker; the view and the text are not touched. */
export function restart(name: ModelName, because: 'lost' | 'asked'): Promise<Model> {
  runtime?.dispose()
  runtime = null
  starting = null
  for (const model of Object.values(models)) model.forget()
  Object.assign(worker, {
    info: null,
    restarted: because === 'lost',
    generation: worker.generation + 1,
  })
  return openModel(name)
}

export function dismissRestarted(): void {
  worker.restarted = false
}

export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

export function isLost(reason: unknown): boolean {
  return reason instanceof HeadwiseError && reason.code === 'WORKER_LOST'
}
