// The layer that the chapter shows, with all its matrices: asked for when the text, the layer, the
// mask or the tiny layer's cells change. A newer request cancels the older one.
import type { Runtime } from 'headwise'
import { recover, type Reading } from '../../runtime/reading.svelte'
import {
  isLost,
  messageOf,
  modelNames,
  openModel,
  openRuntime,
  replaceLost,
} from '../../runtime/session.svelte'
import { cellsText, type TinyEdits } from '../../state/tinyCells'
import { cutDifference, modelLayer, ownLayer, type LayerNumbers } from './layer'
import { tinyMatrix, tinyWeights } from './tiny'

export type Wanted =
  | { kind: 'model'; reading: Reading; layer: number; head: number; causal: boolean }
  | { kind: 'tiny'; edits: TinyEdits; head: number; causal: boolean }

interface Loaded {
  wanted: Wanted
  numbers: LayerNumbers
  /** Between the head cut out of the big product and the same head alone; null while computed. */
  difference: number | null
}

let loaded = $state.raw<Loaded | null>(null)
let failure = $state<string | null>(null)
let running = new AbortController()

/** Old numbers stay on screen only where the labels beside them still hold. */
function fits(known: Wanted, wanted: Wanted): boolean {
  if (known.kind === 'tiny' || wanted.kind === 'tiny') return known.kind === wanted.kind
  return known.reading.ids === wanted.reading.ids && known.layer === wanted.layer
}

function isSame(known: Wanted, wanted: Wanted): boolean {
  if (!fits(known, wanted) || known.causal !== wanted.causal) return false
  if (known.kind !== 'tiny' || wanted.kind !== 'tiny') return true
  return cellsText(known.edits) === cellsText(wanted.edits)
}

export function numbersFor(wanted: Wanted | null): LayerNumbers | null {
  return loaded && wanted && fits(loaded.wanted, wanted) ? loaded.numbers : null
}

export function differenceFor(wanted: Wanted | null): number | null {
  if (!loaded || !wanted || !isSame(loaded.wanted, wanted)) return null
  return loaded.wanted.head === wanted.head ? loaded.difference : null
}

export function loadFailure(): string | null {
  return failure
}

export async function load(wanted: Wanted, again = true): Promise<void> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  failure = null
  const name = modelNames[0]
  const lost = openModel(name)
  lost.catch(() => undefined) // the tiny layer needs no model
  try {
    const runtime = await openRuntime(name)
    const known = loaded && isSame(loaded.wanted, wanted) ? loaded.numbers : null
    const numbers = known ?? (await compute(runtime, wanted, signal))
    show({ wanted, numbers, difference: null }, signal)
    const difference = await cutDifference(runtime, numbers, wanted.head)
    show({ wanted, numbers, difference }, signal)
  } catch (reason) {
    if (signal.aborted) return
    if (!isLost(reason)) failure = messageOf(reason)
    // The reading brings the Worker back, and with it comes a new request.
    else if (wanted.kind === 'model') recover()
    else if (again) {
      await replaceLost(lost, name).catch(() => undefined)
      await load(wanted, false)
    }
  }
}

function show(next: Loaded, signal: AbortSignal): void {
  if (!signal.aborted) loaded = next
}

async function compute(
  runtime: Runtime,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<LayerNumbers> {
  const { causal } = wanted
  if (wanted.kind === 'tiny') {
    return ownLayer(runtime, tinyWeights(wanted.edits), tinyMatrix('x', wanted.edits), causal)
  }
  const model = await openModel(modelNames[0])
  return modelLayer({ model, runtime }, wanted.reading, wanted.layer, causal, signal)
}
