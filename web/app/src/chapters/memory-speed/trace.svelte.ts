// One head of the reader's text, computed twice by the kernels: by tiles, written down, and as the
// attention op does it. Queries, keys and values are the model's own.
import type { Model, Tensor, TensorLike, TileTrace } from 'headwise'
import { recover, type Reading } from '../../runtime/reading.svelte'
import {
  isLost,
  messageOf,
  openModel,
  openRuntime,
  type ModelName,
} from '../../runtime/session.svelte'
import type { Tiling } from './tiles'

export interface HeadTrace {
  tiling: Tiling
  layer: number
  head: number
  ids: readonly number[]
  trace: TileTrace
  /** [Sq, Dv] of `attention`, which keeps none of this. */
  output: Float32Array
}

/** Queries, keys and values of a layer, [S, heads, headDim]. */
interface LayerInputs {
  ids: readonly number[]
  layer: number
  tensors: readonly [query: Tensor, key: Tensor, value: Tensor]
}

let known = $state.raw<HeadTrace | null>(null)
let failure = $state<string | null>(null)
let inputs: LayerInputs | null = null
let running = new AbortController()

export const traced = {
  /** The newest trace; while another one is computed the old one stays. */
  get current(): HeadTrace | null {
    return known
  },
  get failure(): string | null {
    return failure
  },
}

/** Traces a head; a newer call cancels the older one. */
export async function traceHead(
  reading: Reading,
  layer: number,
  head: number,
  tiling: Tiling,
  name: ModelName,
): Promise<void> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  failure = null
  try {
    const model = await openModel(name)
    const { tensors } = await inputsOf(model, reading, layer, signal)
    const { heads, headDim } = reading
    const rows = tensors.map((tensor) => headOf(tensor.data, head, heads, headDim))
    const found = await traceRows(rows, tiling, name, signal)
    if (!signal.aborted) known = { tiling, layer, head, ids: reading.ids, ...found }
  } catch (reason) {
    if (signal.aborted) return
    // The reading brings the Worker back, and with it comes a new call.
    if (isLost(reason)) recover()
    else failure = messageOf(reason)
  }
}

async function inputsOf(
  model: Model,
  { ids, typeIds }: Reading,
  layer: number,
  signal: AbortSignal,
): Promise<LayerInputs> {
  if (inputs?.ids === ids && inputs.layer === layer) return inputs
  const names = ['q', 'k', 'v'].map((each) => `blocks.${String(layer)}.attn.hook_${each}`)
  const run = await model.run({ ids, typeIds }, { names, output: false, signal })
  const [query, key, value] = names.map((name) => run.cache.get(name)) as [Tensor, Tensor, Tensor]
  inputs = { ids, layer, tensors: [query, key, value] }
  return inputs
}

/** One head of [S, heads, headDim] as [S, headDim]. */
function headOf(values: Float32Array, head: number, heads: number, headDim: number): TensorLike {
  const size = values.length / (heads * headDim)
  const data = new Float32Array(size * headDim)
  for (let place = 0; place < size; place++) {
    const start = (place * heads + head) * headDim
    data.set(values.subarray(start, start + headDim), place * headDim)
  }
  return { data, dims: [size, headDim] }
}

async function traceRows(
  rows: readonly TensorLike[],
  { queryTile, keyTile, causal }: Tiling,
  name: ModelName,
  signal: AbortSignal,
): Promise<{ trace: TileTrace; output: Float32Array }> {
  const runtime = await openRuntime(name)
  const [query, key, value] = rows as [TensorLike, TensorLike, TensorLike]
  const whole = (tensor: TensorLike): TensorLike => ({ ...tensor, dims: [1, 1, ...tensor.dims] })
  const [trace, { output }] = await Promise.all([
    runtime.traceTiles(query, key, value, { queryTile, keyTile, causal, signal }),
    runtime.attention(whole(query), whole(key), whole(value), { causal, signal }),
  ])
  return { trace, output: output.data }
}
