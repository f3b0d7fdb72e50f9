// The one runtime of the page: its Worker, the model, how far loading has come, and what to do when
// one of them fails. It starts before the first paint and computes nothing itself.
import { createRuntime, HeadwiseError, type Model, type Runtime } from 'headwise'
import type { LoadedParts, ModelConfig, Progress, RuntimeInfo } from 'headwise'
import { fetchEarly } from './early'

export type Stage = 'starting' | 'loading' | 'ready' | 'stopped' | 'failed'

/** Models that this site serves, by folder. */
export const modelNames = ['minilm-l6'] as const
export type ModelName = (typeof modelNames)[number]

interface Bytes {
  loaded: number
  total: number
}

interface SessionState {
  stage: Stage
  info: RuntimeInfo | null
  config: ModelConfig | null
  parameters: number
  loaded: LoadedParts
  /** Bytes by file. */
  files: Record<string, Bytes>
  /** Bytes of the file that counts. */
  weights: Bytes
  /** The Worker was lost and a new one started. */
  restarted: boolean
  failure: string | null
}

function blank(): SessionState {
  return {
    stage: 'starting',
    info: null,
    config: null,
    parameters: 0,
    loaded: { blocks: 0, patterns: 0, vocabulary: false, complete: false },
    files: {},
    weights: { loaded: 0, total: 0 },
    restarted: false,
    failure: null,
  }
}

const state = $state<SessionState>(blank())

/** What the page shows of it. */
export const session: Readonly<SessionState> = state

/** Share of the weights that has arrived, 0..1; the other files are small. */
export function loadedShare(): number {
  if (state.loaded.complete) return 1
  const { loaded, total } = state.weights
  return total === 0 ? 0 : loaded / total
}

let runtime: Runtime | null = null
let starting: Promise<Runtime> | null = null
let stopLoading = new AbortController()
let opening: Promise<Model> | null = null

/** The model, usable as soon as its first layer is; rejects when it cannot be had. */
export function openModel(name: ModelName): Promise<Model> {
  opening ??= open(name)
  return opening
}

/** The runtime that the model lives in, as soon as it runs: for calls beside the model's. */
export function openRuntime(name: ModelName): Promise<Runtime> {
  openModel(name).catch(() => undefined) // its failure is part of the state
  return (starting ??= startRuntime())
}

async function startRuntime(): Promise<Runtime> {
  const made = await createRuntime()
  runtime = made
  return made
}

async function open(name: ModelName): Promise<Model> {
  stopLoading = new AbortController()
  const { signal } = stopLoading
  const folder = new URL(`models/${name}/`, document.baseURI)
  fetchEarly(folder)
  try {
    const made = await (starting ??= startRuntime())
    state.info = made.info
    state.stage = 'loading'
    const model = await made.loadModel(folder, {
      streaming: true,
      signal,
      onProgress: noteProgress,
      onLoaded: noteLoaded,
    })
    state.config = model.config
    state.parameters = model.parameters
    noteLoaded(model.loaded)
    void model.whenLoaded().then(
      () => {
        state.stage = 'ready'
        noteMemory()
      },
      (reason: unknown) => {
        fail(reason, signal)
      },
    )
    return model
  } catch (reason) {
    fail(reason, signal)
    throw reason
  }
}

function noteProgress({ file, loaded, total, stage }: Progress): void {
  state.files[file] = { loaded, total }
  if (stage === 'weights') state.weights = { loaded, total }
}

function noteLoaded(loaded: LoadedParts): void {
  state.loaded = { ...loaded }
}

/** Memory is told with every reply; the page reads it when somebody asks. */
export function noteMemory(): void {
  if (runtime) state.info = { ...runtime.info }
}

function fail(reason: unknown, signal: AbortSignal): void {
  state.stage = signal.aborted ? 'stopped' : 'failed'
  state.failure = signal.aborted ? null : messageOf(reason)
}

export function stop(): void {
  stopLoading.abort(new DOMException('Loading was stopped by the reader', 'AbortError'))
}

/**
 * The model in a new Worker after `model` was found lost. Whoever comes later with the same lost
 * model gets the one that is already being opened.
 */
export function replaceLost(model: Promise<Model>, name: ModelName): Promise<Model> {
  return opening === model ? restart(name, 'lost') : openModel(name)
}

/** Begins again with a new Worker; the view and the text are not touched. */
export function restart(name: ModelName, because: 'lost' | 'asked'): Promise<Model> {
  runtime?.dispose()
  runtime = null
  starting = null
  opening = null
  Object.assign(state, blank(), { restarted: because === 'lost' })
  return openModel(name)
}

export function dismissRestarted(): void {
  state.restarted = false
}

export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

export function isLost(reason: unknown): boolean {
  return reason instanceof HeadwiseError && reason.code === 'WORKER_LOST'
}
