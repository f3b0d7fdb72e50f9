// One attention layer taken apart: every matrix between its input and its output, computed by the
// kernels. For a layer of the model, and for weights that are at hand. Knows no page.
import type { Model, MultiHeadAttention, Runtime, Tensor, TensorLike } from 'headwise'
import { weightOf } from '../../runtime/weights'
import { norms } from './matrix'

/** Weights as `model.weight` gives them; biases are null where there are none. */
export interface LayerWeights {
  dModel: number
  heads: number
  headDim: number
  /** [heads, dModel, headDim] */
  query: Float32Array
  key: Float32Array
  value: Float32Array
  /** [heads, headDim] */
  biases: { query: Float32Array; key: Float32Array; value: Float32Array } | null
  /** [heads, headDim, dModel] */
  output: Float32Array
  /** [dModel] */
  outputBias: Float32Array | null
}

/** What comes behind the attention of a layer, [S, dModel] each. */
export interface Beyond {
  /** x + attention(x) */
  sum: Float32Array
  /** What the feed-forward layer adds. */
  forward: Float32Array
  /** What the next layer reads, after the second norm. */
  next: Float32Array
}

export interface LayerNumbers {
  tokens: number
  weights: LayerWeights
  causal: boolean
  /** [S, dModel] */
  x: Float32Array
  /** [S, heads * headDim] */
  query: Float32Array
  key: Float32Array
  value: Float32Array
  /** [heads, S, S]; hidden cells are -Infinity. */
  scores: Float32Array
  /** [heads, S, S] */
  pattern: Float32Array
  /** [S, heads * headDim] */
  z: Float32Array
  /** [S, heads, dModel]: what each head adds to the output. */
  parts: Float32Array
  /** [S, dModel] */
  output: Float32Array
  /** [heads, S]: the length of v_j W_O, after Kobayashi et al. 2020. */
  valueNorms: Float32Array
  /** Null for a layer that stands alone. */
  beyond: Beyond | null
}

interface Input {
  ids: readonly number[]
  typeIds: readonly number[]
}

/** Reads the weights of a layer; waits for them while the model streams. */
export async function readWeights(model: Model, layer: number): Promise<LayerWeights> {
  const { dModel, numHeads: heads, headDim } = model.config
  const names = ['W_Q', 'W_K', 'W_V', 'b_Q', 'b_K', 'b_V', 'W_O', 'b_O']
  const tensors = await Promise.all(
    names.map((name) => weightOf(model, `blocks.${String(layer)}.attn.${name}`)),
  )
  const [query, key, value, queryBias, keyBias, valueBias, output, outputBias] = tensors.map(
    ({ data }) => data,
  ) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const biases = { query: queryBias, key: keyBias, value: valueBias }
  return { dModel, heads, headDim, query, key, value, biases, output, outputBias }
}

/**
 * A layer of the model on a text. With `causal` the real queries, keys and values meet again under
 * the mask, and what comes of it goes on through the layer in the place of z.
 */
export async function modelLayer(
  { model, runtime }: { model: Model; runtime: Runtime },
  { ids, typeIds }: Input,
  layer: number,
  causal: boolean,
  signal?: AbortSignal,
): Promise<LayerNumbers> {
  const input = { ids, typeIds }
  const block = `blocks.${String(layer)}.`
  const options = { ...(signal && { signal }), stopAtLayer: layer + 1 }
  const behind = ['attn.hook_result', 'hook_attn_out', 'hook_resid_mid', 'hook_mlp_out']
  const last = 'hook_normalized_resid_post'
  const inside = ['q', 'k', 'v', 'attn_scores', 'pattern', 'z'].map((name) => `attn.hook_${name}`)
  const wanted = ['hook_resid_pre', ...inside, ...(causal ? [] : [...behind, last])]
  const [weights, run] = await Promise.all([
    readWeights(model, layer),
    model.run(input, { ...options, names: wanted.map((name) => block + name) }),
  ])
  const { cache } = run
  const got = (name: string): Float32Array => cache.get(block + name).data
  const [query, key, value] = [got('attn.hook_q'), got('attn.hook_k'), got('attn.hook_v')]
  const tokens = input.ids.length
  const { dModel, heads, headDim } = weights
  const setZ = (z: Float32Array) => [
    { name: `${block}attn.hook_z`, set: { data: z, dims: [tokens, heads, headDim] } },
  ]

  let [scores, pattern, z] = [
    got('attn.hook_attn_scores'),
    got('attn.hook_pattern'),
    got('attn.hook_z'),
  ]
  let rest = cache
  if (causal) {
    const packed = (data: Float32Array): TensorLike => ({
      data,
      dims: [1, tokens, heads * headDim],
    })
    const masked = await runtime.attention(packed(query), packed(key), packed(value), {
      numHeads: heads,
      causal: true,
      returnScores: 'biased',
      returnWeights: true,
      ...(signal && { signal }),
    })
    z = masked.output.data
    scores = dataOf(masked.scores)
    pattern = dataOf(masked.weights)
    const names = [...behind, last].map((name) => block + name)
    rest = (await model.run(input, { ...options, names, interventions: setZ(z) })).cache
  }
  // As if every query looked only at its own token: what each head then adds is v W_O itself.
  const own = await model.run(input, {
    ...options,
    names: [`${block}attn.hook_result`],
    interventions: setZ(value),
    output: false,
  })
  const ownParts = own.cache.get(`${block}attn.hook_result`).data
  const behindOf = (name: string): Float32Array => rest.get(block + name).data
  return {
    tokens,
    weights,
    causal,
    x: got('hook_resid_pre'),
    query,
    key,
    value,
    scores,
    pattern,
    z,
    parts: behindOf('attn.hook_result'),
    output: behindOf('hook_attn_out'),
    valueNorms: headsFirst(norms(ownParts, dModel), tokens, heads),
    beyond: {
      sum: behindOf('hook_resid_mid'),
      forward: behindOf('hook_mlp_out'),
      next: behindOf(last),
    },
  }
}

/** A layer of its own, on an input [S, dModel]. */
export async function ownLayer(
  runtime: Runtime,
  weights: LayerWeights,
  x: Float32Array,
  causal: boolean,
): Promise<LayerNumbers> {
  const { dModel, heads, headDim } = weights
  const tokens = x.length / dModel
  const input = { data: x, dims: [1, tokens, dModel] }
  const onlyItself = { data: identity(tokens, Uint8Array), dims: [tokens, tokens] }
  const unchanged = { data: identity(dModel, Float32Array), dims: [dModel, dModel] }
  const all = torchWeights(weights)
  const asking = { causal, returnScores: 'biased', returnWeights: true, returnHeads: true } as const

  /** X W for one of the projections: every token hands over its own row, unchanged behind it. */
  const project = async (weight: TensorLike, bias: TensorLike | undefined) => {
    const layer = { query: weight, key: weight, value: weight, output: unchanged }
    const made = { ...layer, ...(bias && { valueBias: bias }) }
    const options = { dModel, numHeads: heads, headDim, weights: made }
    return withLayer(runtime, options, async (one) => {
      return (await one.forward(input, { mask: onlyItself })).output.data
    })
  }
  const options = { dModel, numHeads: heads, headDim, weights: all }
  const [run, own] = await withLayer(runtime, options, async (layer) => {
    const asked = await layer.forward(input, asking)
    return [asked, await layer.forward(input, { mask: onlyItself, returnHeads: true })] as const
  })
  const withoutOutput = { ...all, output: unchanged }
  delete withoutOutput.outputBias
  const z = await withLayer(runtime, { ...options, weights: withoutOutput }, async (layer) => {
    return (await layer.forward(input, { causal })).output.data
  })
  return {
    tokens,
    weights,
    causal,
    x,
    query: await project(all.query, all.queryBias),
    key: await project(all.key, all.keyBias),
    value: await project(all.value, all.valueBias),
    scores: dataOf(run.scores),
    pattern: dataOf(run.weights),
    z,
    parts: tokensFirst(dataOf(run.heads), tokens, heads, dModel),
    output: dataOf(run.output),
    valueNorms: norms(dataOf(own.heads), dModel),
    beyond: null,
  }
}

/**
 * The largest difference between a head cut out of the whole layer and the same head as a small
 * layer of its own, over everything it adds to the output.
 */
export async function cutDifference(
  runtime: Runtime,
  { weights, x, tokens, causal }: LayerNumbers,
  head: number,
): Promise<number> {
  const { dModel, heads, headDim } = weights
  const input = { data: x, dims: [1, tokens, dModel] }
  const whole = { dModel, numHeads: heads, headDim, weights: torchWeights(weights) }
  const cut = await withLayer(runtime, whole, async (layer) => {
    return dataOf((await layer.forward(input, { causal, returnHeads: true })).heads)
  })
  const small = { dModel, numHeads: 1, headDim, weights: torchWeights(oneHead(weights, head)) }
  const alone = await withLayer(runtime, small, async (layer) => {
    return dataOf((await layer.forward(input, { causal, returnHeads: true })).heads)
  })
  const size = tokens * dModel
  const part = cut.subarray(head * size, (head + 1) * size)
  return part.reduce((most, value, i) => Math.max(most, Math.abs(value - (alone[i] ?? NaN))), 0)
}

async function withLayer<T>(
  runtime: Runtime,
  options: Parameters<Runtime['createMultiHeadAttention']>[0],
  use: (layer: MultiHeadAttention) => Promise<T>,
): Promise<T> {
  const layer = await runtime.createMultiHeadAttention(options)
  try {
    return await use(layer)
  } finally {
    layer.dispose()
  }
}

function dataOf(tensor: Tensor | undefined): Float32Array {
  if (!tensor) throw new Error('layer: expected a tensor that was asked for; received none')
  return tensor.data
}

/** The weights of one head, as a layer of one head. */
function oneHead(weights: LayerWeights, head: number): LayerWeights {
  const { dModel, headDim, biases } = weights
  const slice = (data: Float32Array, size: number) => data.slice(head * size, (head + 1) * size)
  const size = dModel * headDim
  return {
    ...weights,
    heads: 1,
    query: slice(weights.query, size),
    key: slice(weights.key, size),
    value: slice(weights.value, size),
    output: slice(weights.output, size),
    biases: biases && {
      query: slice(biases.query, headDim),
      key: slice(biases.key, headDim),
      value: slice(biases.value, headDim),
    },
  }
}

/** [out, in], as the layers of the module take them. */
function torchWeights({ dModel, heads, headDim, biases, outputBias, ...w }: LayerWeights) {
  const width = heads * headDim
  const inner = (data: Float32Array): TensorLike => {
    const turned = new Float32Array(data.length)
    for (let i = 0; i < data.length; i++) {
      const [head, row, column] = [
        Math.floor(i / (dModel * headDim)),
        Math.floor(i / headDim) % dModel,
        i % headDim,
      ]
      turned[(head * headDim + column) * dModel + row] = data[i] ?? NaN
    }
    return { data: turned, dims: [width, dModel] }
  }
  const output = new Float32Array(w.output.length)
  for (let i = 0; i < output.length; i++) {
    output[(i % dModel) * width + Math.floor(i / dModel)] = w.output[i] ?? NaN
  }
  const list = (data: Float32Array): TensorLike => ({ data, dims: [data.length] })
  return {
    query: inner(w.query),
    key: inner(w.key),
    value: inner(w.value),
    output: { data: output, dims: [dModel, width] } satisfies TensorLike as TensorLike,
    ...(biases && {
      queryBias: list(biases.query),
      keyBias: list(biases.key),
      valueBias: list(biases.value),
    }),
    ...(outputBias && { outputBias: list(outputBias) }),
  }
}

function identity<T extends Uint8Array | Float32Array>(
  size: number,
  type: new (n: number) => T,
): T {
  const data = new type(size * size)
  for (let i = 0; i < size; i++) data[i * size + i] = 1
  return data
}

/** [S, heads] -> [heads, S] */
function headsFirst(values: Float32Array, tokens: number, heads: number): Float32Array {
  return Float32Array.from(values, (_, i) => {
    return values[(i % tokens) * heads + Math.floor(i / tokens)] ?? NaN
  })
}

/** [heads, S, width] -> [S, heads, width] */
function tokensFirst(
  values: Float32Array,
  tokens: number,
  heads: number,
  width: number,
): Float32Array {
  const turned = new Float32Array(values.length)
  for (let head = 0; head < heads; head++) {
    for (let token = 0; token < tokens; token++) {
      const from = (head * tokens + token) * width
      turned.set(values.subarray(from, from + width), (token * heads + head) * width)
    }
  }
  return turned
}
