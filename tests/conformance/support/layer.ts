// The layer as the cases call it: weights by the names of papers, options of both its calls mixed.
import type {
  MultiHeadAttentionForwardOptions,
  MultiHeadAttentionOptions,
  MultiHeadAttentionResult,
  TensorLike,
} from 'headwise'

import type { CaseRuntime } from './configurations.js'

const weightNames: Record<string, string> = {
  W_Q: 'query',
  W_K: 'key',
  W_V: 'value',
  W_O: 'output',
  W_QKV: 'qkv',
  b_Q: 'queryBias',
  b_K: 'keyBias',
  b_V: 'valueBias',
  b_O: 'outputBias',
  b_QKV: 'qkvBias',
}

const layerOptions = ['numHeads', 'kvHeads', 'headDim', 'dropout']

/** Widths that the weights tell; in self-attention keys and values are as wide as the input. */
function widths(inputs: Record<string, TensorLike>, dModel: number) {
  const { W_K: key, W_V: value } = inputs
  return {
    keyInputDim: key?.dims[1] ?? dModel,
    valueInputDim: value?.dims[1] ?? dModel,
  }
}

/** Makes the layer, runs it once and disposes of it. */
export async function layerCall(
  hw: CaseRuntime,
  inputs: Record<string, TensorLike>,
  options: Record<string, unknown>,
  extra: MultiHeadAttentionForwardOptions = {},
): Promise<MultiHeadAttentionResult> {
  const weights: Record<string, TensorLike> = {}
  const forward: Record<string, unknown> = { ...extra }
  const layer: Record<string, unknown> = {}
  const { query, ...others } = inputs
  if (query === undefined) throw new Error('a case of the layer has a query')
  for (const [name, tensor] of Object.entries(others)) {
    const weight = weightNames[name]
    if (weight === undefined) forward[name] = tensor
    else weights[weight] = tensor
  }
  for (const [name, value] of Object.entries(options)) {
    if (layerOptions.includes(name)) layer[name] = value
    else forward[name] = value
  }
  const dModel = query.dims[2] ?? 0
  const mha = await hw.createMultiHeadAttention({
    dModel,
    ...widths(inputs, dModel),
    ...layer,
    weights,
  } as unknown as MultiHeadAttentionOptions)
  try {
    return await mha.forward(query, forward)
  } finally {
    mha.dispose()
  }
}
