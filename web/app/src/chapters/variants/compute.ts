// What chapter 10 asks of the kernels: the layer as it was trained, its variants, and what they put out
// for the layer's real input.
import type {
  Model,
  MultiHeadAttentionOptions,
  Runtime,
  SeparateWeights,
  TensorLike,
} from 'headwise'
import { blockOf } from '../../runtime/blocks'
import type { Reading } from '../../runtime/reading.svelte'
import { weightOf } from '../../runtime/weights'
import {
  firstColumns,
  fromLatent,
  headsAsColumns,
  headsAsRows,
  keysAndValues,
  pooled,
  relativeError,
  transposed,
  type Factors,
  type TrainedLayer,
} from './convert'
import { idOf, type Variant } from './prices'

export async function trainedLayer(model: Model, layer: number): Promise<TrainedLayer> {
  const { dModel, numHeads: heads, headDim } = model.config
  const weight = (name: string): Promise<TensorLike> =>
    weightOf(model, `${blockOf(model.config, layer)}.attn.${name}`)
  const flat = ({ data }: TensorLike): TensorLike => ({ data, dims: [data.length] })
  const [query, key, value] = [await weight('W_Q'), await weight('W_K'), await weight('W_V')]
  return {
    dModel,
    heads,
    headDim,
    weights: {
      query: headsAsRows(query),
      key: headsAsRows(key),
      value: headsAsRows(value),
      output: headsAsColumns(await weight('W_O')),
      queryBias: flat(await weight('b_Q')),
      keyBias: flat(await weight('b_K')),
      valueBias: flat(await weight('b_V')),
    },
  }
}

/** The input of a layer, [1, S, dModel], and what the model's own run of it puts out. */
export interface LayerInput {
  x: TensorLike
  /** hook_attn_out less the output's bias. */
  own: Float32Array
}

export async function layerInput(
  model: Model,
  { ids, typeIds }: Pick<Reading, 'ids' | 'typeIds'>,
  layer: number,
  signal?: AbortSignal,
): Promise<LayerInput> {
  const block = `${blockOf(model.config, layer)}.`
  const names = [`${block}hook_resid_pre`, `${block}hook_attn_out`]
  const asked = signal ? { signal } : {}
  const run = await model.run({ ids, typeIds }, { names, output: false, ...asked })
  const bias = (await weightOf(model, `${block}attn.b_O`)).data
  const own = run.cache.get(`${block}hook_attn_out`).data
  return {
    x: run.cache.get(`${block}hook_resid_pre`),
    own: own.map((value, place) => value - (bias[place % bias.length] ?? 0)),
  }
}

/** A variant, run. */
export interface Outcome {
  variant: Variant
  /** Relative to the output of the layer as it was trained. */
  error: number
  /** [heads, S, S] */
  weights: Float32Array
}

/** Runs variants of one layer on one input; what can be used again is kept. */
export class Converter {
  #whole: Float32Array | undefined
  #latents: TensorLike | undefined
  readonly #known = new Map<string, Outcome>()

  constructor(
    readonly hw: Runtime,
    readonly layer: TrainedLayer,
    readonly factors: Factors,
    readonly x: TensorLike,
  ) {}

  /** What the layer puts out as it was trained. */
  async whole(signal?: AbortSignal): Promise<Float32Array> {
    const { heads: kvHeads } = this.layer
    this.#whole ??= (await this.#output({ kind: 'grouped', kvHeads }, signal)).output
    return this.#whole
  }

  async run(variant: Variant, signal?: AbortSignal): Promise<Outcome> {
    const known = this.#known.get(idOf(variant))
    if (known) return known
    const whole = await this.whole(signal)
    const { output, weights } = await this.#output(variant, signal)
    const outcome = { variant, error: relativeError(output, whole), weights }
    this.#known.set(idOf(variant), outcome)
    return outcome
  }

  async #output(
    variant: Variant,
    signal?: AbortSignal,
  ): Promise<{ output: Float32Array; weights: Float32Array }> {
    if (variant.kind === 'grouped') {
      const { kvHeads } = variant
      return this.#forward(pooled(this.layer, kvHeads), { kvHeads }, {}, signal)
    }
    const { rank } = variant
    const latent = firstColumns(await this.#latent(signal), rank)
    return this.#forward(
      fromLatent(this.layer, this.factors, rank),
      { keyInputDim: rank, valueInputDim: rank },
      { key: latent, value: latent },
      signal,
    )
  }

  async #forward(
    weights: SeparateWeights,
    shape: Partial<MultiHeadAttentionOptions>,
    inputs: { key?: TensorLike; value?: TensorLike },
    signal?: AbortSignal,
  ): Promise<{ output: Float32Array; weights: Float32Array }> {
    const { dModel, heads: numHeads } = this.layer
    const asked = signal ? { signal } : {}
    const made = await this.hw.createMultiHeadAttention({
      dModel,
      numHeads,
      weights,
      ...shape,
      ...asked,
    })
    try {
      const result = await made.forward(this.x, { ...inputs, returnWeights: true, ...asked })
      return { output: result.output.data, weights: result.weights?.data ?? new Float32Array() }
    } finally {
      made.dispose()
    }
  }

  /** All latents of the input, x U: a product of matrices is what scores without a scale are. */
  async #latent(signal?: AbortSignal): Promise<TensorLike> {
    if (this.#latents) return this.#latents
    const { x, factors, hw } = this
    const rows = transposed(factors.u)
    const asFour = ({ data, dims }: TensorLike): TensorLike => ({
      data,
      dims: [1, 1, ...dims.slice(-2)],
    })
    const key = asFour(rows)
    const { scores } = await hw.attention(asFour(x), key, key, {
      scale: 1,
      returnScores: 'scaled',
      ...(signal ? { signal } : {}),
    })
    if (!scores) throw new Error('attention: expected scores; received none')
    this.#latents = scores
    return scores
  }
}

export async function factorsOf(
  hw: Runtime,
  layer: TrainedLayer,
  signal?: AbortSignal,
): Promise<Factors> {
  return hw.svd(keysAndValues(layer), signal ? { signal } : {})
}
