// Random queries and keys at every head dimension, with and without the scale, and the model's own
// with its scale changed: computed by the kernels, summed up here.
import type { Runtime, TensorLike } from 'headwise'
import { mean, median, variance } from 'd3-array'
import { entropy, jacobianNorm } from '../../figures/measures'
import { Random } from '../../figures/random'
import { headTensors, type Projections } from '../../figures/projections'
import { headDims, leastPower, mostPower } from '../../state/scaleView'

export const queryCount = 64
export const keyCount = 32
const widest = 512

/** Random numbers of mean 0 and variance 1; a smaller head takes the first columns. */
export interface Sample {
  /** [queryCount, 512] */
  query: Float32Array
  /** [keyCount, 512] */
  key: Float32Array
}

export function sampleOf(seed: number): Sample {
  const random = new Random(seed)
  const draw = (rows: number): Float32Array =>
    Float32Array.from({ length: rows * widest }, () => random.normal())
  return { query: draw(queryCount), key: draw(keyCount) }
}

/** The first columns of [rows, 512], as a tensor of one head. */
function columns(values: Float32Array, headDim: number): TensorLike {
  const rows = values.length / widest
  const data = new Float32Array(rows * headDim)
  for (let row = 0; row < rows; row++) {
    data.set(values.subarray(row * widest, row * widest + headDim), row * headDim)
  }
  return { data, dims: [1, 1, rows, headDim] }
}

/** What softmax makes of a set of scores, in means over the rows. */
export interface RowMeans {
  /** Nats. */
  entropy: number
  /** Norm of softmax's Jacobian. */
  gradient: number
  /** The same in the row in the middle: a few undecided rows hold the mean up. */
  medianGradient: number
  /** Largest weight of a row. */
  largest: number
}

/** Weights are [rows, keys]. */
export function rowMeans(weights: Float32Array, keys: number): RowMeans {
  const rows = weights.length / keys
  const total = { entropy: 0, largest: 0 }
  const gradients: number[] = []
  for (let row = 0; row < rows; row++) {
    const one = weights.subarray(row * keys, (row + 1) * keys)
    total.entropy += entropy(one)
    gradients.push(jacobianNorm(one))
    total.largest += one.reduce((most, weight) => Math.max(most, weight), 0)
  }
  return {
    entropy: total.entropy / rows,
    gradient: mean(gradients) ?? 0,
    medianGradient: median(gradients) ?? 0,
    largest: total.largest / rows,
  }
}

export interface Measured extends RowMeans {
  /** [queryCount, keyCount] */
  scores: Float32Array
  weights: Float32Array
  mean: number
  variance: number
}

/** One head dimension, as it is and divided by its root. */
export interface Pairing {
  headDim: number
  without: Measured
  with: Measured
}

async function measure(
  hw: Runtime,
  sample: Sample,
  headDim: number,
  scale: number,
): Promise<Measured> {
  const query = columns(sample.query, headDim)
  const key = columns(sample.key, headDim)
  const value = { data: new Float32Array(keyCount), dims: [1, 1, keyCount, 1] }
  const asked = { scale, returnScores: 'scaled', returnWeights: true } as const
  const { scores, weights } = await hw.attention(query, key, value, asked)
  if (!scores || !weights) throw new Error('attention: expected scores and weights')
  return {
    ...rowMeans(weights.data, keyCount),
    scores: scores.data,
    weights: weights.data,
    mean: mean(scores.data) ?? 0,
    variance: variance(scores.data) ?? 0,
  }
}

/** All asked for at once: while a model is loading, every answer that is waited for is a wait of its own. */
export function sweepHeadDims(hw: Runtime, seed: number): Promise<Pairing[]> {
  const sample = sampleOf(seed)
  return Promise.all(
    headDims.map(async (headDim): Promise<Pairing> => {
      const [without, scaled] = await Promise.all([
        measure(hw, sample, headDim, 1),
        measure(hw, sample, headDim, 1 / Math.sqrt(headDim)),
      ])
      return { headDim, without, with: scaled }
    }),
  )
}

/** One head of the model, for a reading. */
export interface HeadInput {
  projections: Projections
  head: number
}

/** A head with its scale multiplied by 2^power. */
export interface Powered extends RowMeans {
  power: number
}

export interface HeadSweep {
  powers: Powered[]
  /** Of the head's scores, as it was trained. */
  variance: number
}

/** Every half power; the chosen one in between is `headAt`'s. */
const powerSteps = Array.from({ length: (mostPower - leastPower) * 2 + 1 }, (_, step) => {
  return leastPower + step / 2
})

export async function sweepPowers(
  hw: Runtime,
  { projections, head }: HeadInput,
): Promise<HeadSweep> {
  const tensors = headTensors(projections, head)
  const trained = 1 / Math.sqrt(projections.headDim)
  let spread = 0
  const powers = await Promise.all(
    powerSteps.map(async (power): Promise<Powered> => {
      const { weights, scores } = await hw.attention(...tensors, {
        scale: trained * 2 ** power,
        returnWeights: true,
        ...(power === 0 ? { returnScores: 'scaled' as const } : {}),
      })
      if (!weights) throw new Error('attention: expected weights')
      if (scores) spread = variance(scores.data) ?? 0
      return { power, ...rowMeans(weights.data, projections.size) }
    }),
  )
  return { powers, variance: spread }
}

export interface RowInput extends HeadInput {
  query: number
  power: number
}

/** The row of one query as trained and with the changed scale, and the means over all rows there. */
export interface HeadAt {
  trained: Float32Array
  changed: Float32Array
  means: RowMeans
}

export async function headAt(hw: Runtime, input: RowInput): Promise<HeadAt> {
  const { projections, head, query, power } = input
  const { size, headDim } = projections
  const tensors = headTensors(projections, head)
  const weightsAt = async (scale: number): Promise<Float32Array> => {
    const { weights } = await hw.attention(...tensors, { scale, returnWeights: true })
    if (!weights) throw new Error('attention: expected weights')
    return weights.data
  }
  const row = (weights: Float32Array): Float32Array =>
    weights.slice(query * size, (query + 1) * size)
  const trained = 1 / Math.sqrt(headDim)
  const [changed, before] = await Promise.all([weightsAt(trained * 2 ** power), weightsAt(trained)])
  return {
    trained: row(before),
    changed: row(changed),
    means: rowMeans(changed, size),
  }
}
