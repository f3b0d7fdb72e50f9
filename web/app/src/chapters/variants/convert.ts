// One attention layer, changed into its variants: keys and values pooled by groups of heads (as GQA's
// paper converts), or made from one latent by the truncated decomposition of [W_K W_V]. Pure; weights
// are [out, in] as the layer takes them.
import type { SeparateWeights, TensorLike } from 'headwise'

export interface LayerShape {
  dModel: number
  heads: number
  headDim: number
}

/** A layer as it was trained, without the bias of its output. */
export interface TrainedLayer extends LayerShape {
  weights: SeparateWeights & Required<Pick<SeparateWeights, 'queryBias' | 'keyBias' | 'valueBias'>>
}

const tensor = (data: Float32Array, ...dims: number[]): TensorLike => ({ data, dims })

/** [heads, rows, columns] to [heads * columns, rows]: from TransformerLens' layout to PyTorch's. */
export function headsAsRows({ data, dims }: TensorLike): TensorLike {
  const [heads = 0, rows = 0, columns = 0] = dims
  const turned = new Float32Array(data.length)
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        turned[(head * columns + column) * rows + row] =
          data[(head * rows + row) * columns + column] ?? 0
      }
    }
  }
  return tensor(turned, heads * columns, rows)
}

/** [heads, rows, columns] to [columns, heads * rows]. */
export function headsAsColumns({ data, dims }: TensorLike): TensorLike {
  const [heads = 0, rows = 0, columns = 0] = dims
  const turned = new Float32Array(data.length)
  for (let line = 0; line < heads * rows; line++) {
    for (let column = 0; column < columns; column++) {
      turned[column * heads * rows + line] = data[line * columns + column] ?? 0
    }
  }
  return tensor(turned, columns, heads * rows)
}

/** The mean of each group of neighbouring heads. */
function pool({ data, dims }: TensorLike, kvHeads: number, headDim: number): TensorLike {
  const [rows = 0, ...rest] = dims
  const width = data.length / rows
  const share = rows / headDim / kvHeads
  const pooled = new Float32Array(kvHeads * headDim * width)
  for (let row = 0; row < rows; row++) {
    const head = Math.floor(row / headDim)
    const to = (Math.floor(head / share) * headDim + (row % headDim)) * width
    for (let column = 0; column < width; column++) {
      pooled[to + column] = (pooled[to + column] ?? 0) + (data[row * width + column] ?? 0) / share
    }
  }
  return tensor(pooled, kvHeads * headDim, ...rest)
}

/** Grouped-query attention out of a multi-head layer: 1 is multi-query attention. */
export function pooled({ weights, headDim }: TrainedLayer, kvHeads: number): SeparateWeights {
  const { key, value, keyBias, valueBias } = weights
  const each = (part: TensorLike): TensorLike => pool(part, kvHeads, headDim)
  return {
    ...weights,
    key: each(key),
    value: each(value),
    keyBias: each(keyBias),
    valueBias: each(valueBias),
  }
}

/** [W_K W_V] as one matrix [dModel, 2 * heads * headDim]. */
export function keysAndValues({ weights, dModel }: TrainedLayer): TensorLike {
  const rows = weights.key.dims[0] ?? 0
  const both = new Float32Array(dModel * 2 * rows)
  ;[weights.key, weights.value].forEach(({ data }, part) => {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < dModel; column++) {
        both[column * 2 * rows + part * rows + row] = data[row * dModel + column] ?? 0
      }
    }
  })
  return tensor(both, dModel, 2 * rows)
}

/** A decomposition of [W_K W_V]: u [dModel, K], s [K], vh [K, 2 * heads * headDim]. */
export interface Factors {
  u: TensorLike
  s: TensorLike
  vh: TensorLike
}

/** Keys and values out of a latent of `rank` numbers: what a layer reads with the latent as its input. */
export function fromLatent(
  { weights }: TrainedLayer,
  { s, vh }: Factors,
  rank: number,
): SeparateWeights {
  const [, both = 0] = vh.dims
  const rows = both / 2
  const up = (first: number): TensorLike => {
    const data = new Float32Array(rows * rank)
    for (let k = 0; k < rank; k++) {
      const scale = s.data[k] ?? 0
      for (let row = 0; row < rows; row++) {
        data[row * rank + k] = scale * (vh.data[k * both + first + row] ?? 0)
      }
    }
    return tensor(data, rows, rank)
  }
  return { ...weights, key: up(0), value: up(rows) }
}

/** The first `rank` columns of [S, K]. */
export function firstColumns({ data, dims }: TensorLike, rank: number): TensorLike {
  const [size = 0, columns = 0] = dims.slice(-2)
  const cut = new Float32Array(size * rank)
  for (let row = 0; row < size; row++) {
    cut.set(data.subarray(row * columns, row * columns + rank), row * rank)
  }
  return tensor(cut, 1, size, rank)
}

/** [rows, columns] to [columns, rows]. */
export function transposed({ data, dims }: TensorLike): TensorLike {
  return headsAsColumns({ data, dims: [1, ...dims] })
}

/** ‖output − whole‖ / ‖whole‖ over all numbers. */
export function relativeError(output: Float32Array, whole: Float32Array): number {
  let [difference, length] = [0, 0]
  for (const [place, value] of whole.entries()) {
    difference += ((output[place] ?? 0) - value) ** 2
    length += value ** 2
  }
  return length === 0 ? 0 : Math.sqrt(difference / length)
}

/** Share of the squares of all singular values that the first `rank` of them hold. */
export function keptShare(s: Float32Array, rank: number): number {
  let [kept, all] = [0, 0]
  for (const [place, value] of s.entries()) {
    all += value ** 2
    if (place < rank) kept += value ** 2
  }
  return all === 0 ? 0 : kept / all
}
