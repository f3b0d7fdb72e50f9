// One text, read by the model: its tokens, and the attention patterns of every layer that is there.
// A newer text cancels the older one; while it is computed the older reading stays on screen.
import type { Encoding, Model } from 'headwise'
import type { HeadWeights } from '../figures/measures'
import { tokensOf, type Token } from '../figures/tokens'
import { blockOf } from './blocks'
import { markShown } from './moments'
import {
  isLost,
  messageOf,
  modelNames,
  noteMemory,
  openModel,
  replaceLost,
  type ModelName,
} from './session.svelte'

export interface Reading {
  model: ModelName
  text: string
  pair: string
  tokens: readonly Token[]
  ids: readonly number[]
  typeIds: readonly number[]
  /** Tokens at the end that the model cannot take. */
  left: number
  layers: number
  heads: number
  headDim: number
  dModel: number
  /** One per layer that is there: [heads, S, S]. */
  patterns: readonly Float32Array[]
}

interface Shown {
  reading: Reading | null
  /** A newer text is being computed or waited for. */
  pending: boolean
  failure: string | null
}

let shown = $state.raw<Shown>({ reading: null, pending: false, failure: null })

export const reader = {
  get current(): Reading | null {
    return shown.reading
  },
  /** The reading, where it is that of this model: another one has other tokens and other layers. */
  of(model: ModelName): Reading | null {
    return shown.reading?.model === model ? shown.reading : null
  },
  get pending(): boolean {
    return shown.pending
  },
  get failure(): string | null {
    return shown.failure
  },
}

/** Maps by the patterns of their layer: the same numbers are the same object, and not drawn again. */
const maps = new WeakMap<Float32Array, (HeadWeights | undefined)[]>()

/** The map of one head; null while its layer is not there. */
export function headOf(reading: Reading, layer: number, head: number): HeadWeights | null {
  const pattern = reading.patterns[layer]
  if (!pattern || head >= reading.heads) return null
  const ofLayer = maps.get(pattern) ?? []
  maps.set(pattern, ofLayer)
  const size = reading.tokens.length
  const cells = size * size
  const weights = pattern.subarray(head * cells, (head + 1) * cells)
  return (ofLayer[head] ??= { layer, head, size, weights })
}

/** After so long, ms, new tokens are shown without their maps rather than old maps. */
const patience = 250

let running = new AbortController()
let latest: Request | null = null

export interface Request {
  text: string
  pair: string
  model: ModelName
  /** Called before new tokens are shown in place of the old ones. */
  onTokens: (before: readonly Token[], after: readonly Token[]) => void
}

/** Reads a text, layer by layer as they arrive. Never rejects: failures are part of what is shown. */
export async function read(request: Request): Promise<void> {
  running.abort()
  running = new AbortController()
  latest = request
  const { signal } = running
  shown = { ...shown, pending: true, failure: null }
  const model = openModel(request.model)
  try {
    await readWith(await model, request, signal)
  } catch (reason) {
    if (signal.aborted) return
    if (isLost(reason)) await readAgain(model, request, signal)
    else shown = { ...shown, pending: false, failure: messageOf(reason) }
  }
}

/** Reads the text once more, after somebody else found the Worker lost. */
export function recover(): void {
  if (latest && !shown.pending) void read(latest)
}

async function readAgain(
  lost: Promise<Model>,
  request: Request,
  signal: AbortSignal,
): Promise<void> {
  try {
    await readWith(await replaceLost(lost, request.model), request, signal)
  } catch (reason) {
    if (!signal.aborted) shown = { ...shown, pending: false, failure: messageOf(reason) }
  }
}

async function readWith(model: Model, request: Request, signal: AbortSignal): Promise<void> {
  const { text, pair } = request
  const encoding = await (pair === ''
    ? model.tokenizer.encode(text)
    : model.tokenizer.encode(text, pair))
  signal.throwIfAborted()
  const tokens = await readableTokens(encoding, request.model)
  signal.throwIfAborted()
  let reading = readingOf(model, encoding, tokens, request)
  let published = false
  const publish = (pending: boolean): void => {
    if (signal.aborted) return
    if (!published) request.onTokens(shown.reading?.tokens ?? [], reading.tokens)
    published = true
    shown = { reading, pending, failure: null }
  }
  const impatient = setTimeout(() => {
    publish(true)
  }, patience)
  try {
    let more = withMoreLayers(model, reading, signal)
    // The tokens are drawn while the Worker computes.
    if (shown.reading === null) publish(true)
    for (;;) {
      reading = await more
      const isWhole = reading.patterns.length === reading.layers
      publish(!isWhole)
      markShown('headwise:first-map')
      if (isWhole) break
      more = withMoreLayers(model, reading, signal)
    }
    markShown('headwise:all-layers')
  } finally {
    clearTimeout(impatient)
  }
  noteMemory()
}

/** Runs as far as the layers have arrived, one more layer at least, and keeps the new patterns. */
async function withMoreLayers(
  model: Model,
  reading: Reading,
  signal: AbortSignal,
): Promise<Reading> {
  const first = reading.patterns.length
  const end = Math.max(first + 1, Math.min(model.loaded.patterns, reading.layers))
  const names = Array.from(
    { length: end - first },
    (_, step) => `${blockOf(model.config, first + step)}.attn.hook_pattern`,
  )
  const { ids, typeIds } = reading
  const run = await model.run({ ids, typeIds }, { names, output: false, signal })
  signal.throwIfAborted()
  const more = names.map((name) => run.cache.get(name).data)
  return { ...reading, patterns: [...reading.patterns, ...more] }
}

/** Only the page's own model has WordPiece's tokens, which need nothing more. */
async function readableTokens(encoding: Encoding, model: ModelName): Promise<readonly Token[]> {
  if (model === modelNames[0]) return tokensOf(encoding)
  const { markedTokensOf } = await import('../figures/markedTokens')
  return markedTokensOf(encoding)
}

/** Cuts what the model cannot take, and keeps the closing special token. */
function readingOf(
  model: Model,
  encoding: Encoding,
  tokens: readonly Token[],
  request: Request,
): Reading {
  const { numLayers, numHeads, headDim, dModel, maxPositions } = model.config
  const left = Math.max(0, encoding.ids.length - (maxPositions || Infinity))
  const keep = <T>(all: readonly T[]): T[] => {
    return left === 0 ? [...all] : [...all.slice(0, maxPositions - 1), ...all.slice(-1)]
  }
  return {
    model: request.model,
    text: request.text,
    pair: request.pair,
    tokens: keep(tokens),
    ids: keep(encoding.ids),
    typeIds: keep(encoding.typeIds),
    left,
    layers: numLayers,
    heads: numHeads,
    headDim,
    dModel,
    patterns: [],
  }
}
