// What lies behind the weights of one layer: the scores before softmax, and how long the vector is
// that each key hands over, |v W_O| per head. Asked for when a head of the layer is opened.
//
// The norms come from the kernels, not from weights read out: with z set to v (as if every query
// looked only at its own token) the hook_result of the layer is v W_O itself.
import type { Model } from 'headwise'
import { headValues } from '../figures/projections'
import { recover, type Reading } from './reading.svelte'
import { isLost, messageOf, openModel, type ModelName } from './session.svelte'

export interface LayerDetail {
  layer: number
  /** [heads, S, S], before softmax. */
  scores: Float32Array
  /** [heads, S]: |v_j W_O| without the output's bias, after Kobayashi et al. 2020. */
  valueNorms: Float32Array
}

interface Known {
  ids: readonly number[]
  detail: LayerDetail
}

let known = $state.raw<Known | null>(null)
let failure = $state<string | null>(null)
let running = new AbortController()

/** The detail of a layer of this reading; null while it is computed. */
export function detailOf(reading: Reading, layer: number): LayerDetail | null {
  return known?.ids === reading.ids && known.detail.layer === layer ? known.detail : null
}

/** Why the detail last asked for could not be had; null when nothing is wrong. */
export function detailFailure(): string | null {
  return failure
}

/** Computes the detail of a layer; a newer call cancels the older one. */
export async function lookInto(reading: Reading, layer: number, name: ModelName): Promise<void> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  failure = null
  try {
    const detail = await compute(await openModel(name), reading, layer, signal)
    if (!signal.aborted) known = { ids: reading.ids, detail }
  } catch (reason) {
    if (signal.aborted) return
    // The reading brings the Worker back, and with it comes a new call.
    if (isLost(reason)) recover()
    else failure = messageOf(reason)
  }
}

async function compute(
  model: Model,
  { ids, typeIds, heads, headDim, dModel }: Reading,
  layer: number,
  signal: AbortSignal,
): Promise<LayerDetail> {
  const block = `blocks.${String(layer)}.attn.`
  const input = { ids, typeIds }
  const first = await model.run(input, {
    names: [`${block}hook_attn_scores`, `${block}hook_v`],
    output: false,
    signal,
  })
  const values = first.cache.get(`${block}hook_v`).data
  const interventions = Array.from({ length: heads }, (_, head) => ({
    name: `${block}hook_z`,
    head,
    set: { data: headValues(values, head, heads, headDim), dims: [ids.length, headDim] },
  }))
  const second = await model.run(input, {
    names: [`${block}hook_result`],
    interventions,
    output: false,
    signal,
  })
  const results = second.cache.get(`${block}hook_result`).data
  return {
    layer,
    scores: first.cache.get(`${block}hook_attn_scores`).data,
    valueNorms: normsOf(results, ids.length, heads, dModel),
  }
}

/** hook_result is [S, heads, dModel]; the length of each vector, as [heads, S]. */
function normsOf(results: Float32Array, size: number, heads: number, dModel: number): Float32Array {
  const norms = new Float32Array(heads * size)
  for (let place = 0; place < size; place++) {
    for (let head = 0; head < heads; head++) {
      const start = (place * heads + head) * dModel
      let squares = 0
      for (const part of results.subarray(start, start + dModel)) squares += part * part
      norms[head * size + place] = Math.sqrt(squares)
    }
  }
  return norms
}
