// The multi-head attention layer in double precision: projections, rotary turns, the op, and what
// each head adds to the output. Written from the definitions, like the op's reference.
import type { FusedWeights, RotaryOptions, SeparateWeights } from 'headwise'

import { referenceAttention, type ReferenceOptions, type Wide } from './reference.js'
import type { Floats } from './tensors.js'

export interface LayerSizes {
  heads: number
  kvHeads: number
  headDim: number
  valueDim: number
}

/** x [B, S, I] W^T + b, as heads [B, H, S, D]. */
function project(x: Floats, weight: Wide, bias: Wide | undefined, heads: number): Wide {
  const [batch = 0, length = 0, inputs = 0] = x.dims
  const width = (weight.dims[0] ?? 0) / heads
  const data = new Float64Array(batch * heads * length * width)
  for (let place = 0; place < data.length; place++) {
    const c = place % width
    const i = Math.floor(place / width) % length
    const h = Math.floor(place / width / length) % heads
    const b = Math.floor(place / width / length / heads)
    const row = h * width + c
    let sum = bias?.data[row] ?? 0
    for (let d = 0; d < inputs; d++) {
      sum += (x.data[(b * length + i) * inputs + d] ?? 0) * (weight.data[row * inputs + d] ?? 0)
    }
    data[place] = sum
  }
  return { data, dims: [batch, heads, length, width] }
}

/** Pairs of columns turned by their position. */
function rotate(x: Wide, positions: readonly number[], rotary: RotaryOptions): Wide {
  const [, , length = 0, width = 0] = x.dims
  const { dim = width, base = 10000, interleaved = false, scaling = 1 } = rotary
  const data = Float64Array.from(x.data)
  for (let row = 0; row * width < data.length; row++) {
    for (let pair = 0; pair < dim / 2; pair++) {
      const angle = (positions[row % length] ?? 0) / scaling / base ** ((2 * pair) / dim)
      const first = row * width + (interleaved ? 2 * pair : pair)
      const second = interleaved ? first + 1 : first + dim / 2
      const [a = 0, b = 0] = [data[first], data[second]]
      data[first] = a * Math.cos(angle) - b * Math.sin(angle)
      data[second] = a * Math.sin(angle) + b * Math.cos(angle)
    }
  }
  return { data, dims: x.dims }
}

export interface LayerProblem {
  sizes: LayerSizes
  weights: SeparateWeights | FusedWeights
  query: Floats
  key: Floats | undefined
  value: Floats | undefined
  rotary: RotaryOptions | undefined
  positions: readonly number[] | undefined
  slopes: readonly number[] | undefined
  options: ReferenceOptions
}

export interface LayerResult {
  output: Float64Array
  weights: Float64Array
  /** [B, H, Sq, dModel] */
  heads: Float64Array
}

const count = (length: number): number[] => Array.from({ length }, (_, i) => i)

export function referenceLayer(problem: LayerProblem, weights: SeparateWeights): LayerResult {
  const { sizes, query: x, rotary, slopes } = problem
  const { heads, kvHeads, valueDim } = sizes
  let query = project(x, weights.query, weights.queryBias, heads)
  let key = project(problem.key ?? x, weights.key, weights.keyBias, kvHeads)
  const value = project(problem.value ?? x, weights.value, weights.valueBias, kvHeads)
  if (rotary) {
    const positions = problem.positions ?? count(query.dims[2] ?? 0)
    query = rotate(query, positions, rotary)
    key = rotate(key, problem.key ? count(key.dims[2] ?? 0) : positions, rotary)
  }
  const attended = referenceAttention(query, key, value, {
    ...problem.options,
    ...(slopes && { positionBias: (h, distance) => -Math.abs(distance) * (slopes[h] ?? 0) }),
  })
  const [batch = 0, length = 0, model = 0] = x.dims
  const { output: matrix, outputBias } = weights
  const output = new Float64Array(batch * length * model)
  const shares = new Float64Array(batch * heads * length * model)
  for (let place = 0; place < output.length; place++) {
    const m = place % model
    const i = Math.floor(place / model) % length
    const b = Math.floor(place / model / length)
    let sum = outputBias?.data[m] ?? 0
    for (let h = 0; h < heads; h++) {
      const row = (b * heads + h) * length + i
      let share = 0
      for (let c = 0; c < valueDim; c++) {
        const column = h * valueDim + c
        share +=
          (attended.output[row * valueDim + c] ?? 0) *
          (matrix.data[m * heads * valueDim + column] ?? 0)
      }
      shares[row * model + m] = share
      sum += share
    }
    output[place] = sum
  }
  return { output, weights: attended.weights, heads: shares }
}
