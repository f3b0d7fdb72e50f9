// All heads of a layer in one product, or head by head: the same weights, the same output.
import type { MultiHeadAttention, Runtime, TensorLike } from 'headwise/core'
import { random, withRuntime } from './runtimes'
import type { LoopsResult, Report } from './results'
import { layer } from './shapes'
import { timeInTurns } from './timing'

const lengths = [16, 128, 512]

/** Rows [head * headDim, ...) of W [out, in]. */
function rowsOf({ data, dims }: TensorLike, head: number): TensorLike {
  const width = dims[1] ?? 0
  const size = layer.headDim * width
  return { data: data.subarray(head * size, (head + 1) * size), dims: [layer.headDim, width] }
}

/** Columns of W_O that belong to a head. */
function columnsOf({ data, dims }: TensorLike, head: number): TensorLike {
  const [rows = 0, width = 0] = dims
  const part = new Float32Array(rows * layer.headDim)
  for (let row = 0; row < rows; row++) {
    const start = row * width + head * layer.headDim
    part.set(data.subarray(start, start + layer.headDim), row * layer.headDim)
  }
  return { data: part, dims: [rows, layer.headDim] }
}

function makeLayers(runtime: Runtime): { whole: MultiHeadAttention; single: MultiHeadAttention[] } {
  const { dModel, heads, headDim } = layer
  const matrix = () => random(dModel, dModel)
  const [query, key, value, output] = [matrix(), matrix(), matrix(), matrix()]
  const whole = runtime.createMultiHeadAttention({
    dModel,
    numHeads: heads,
    weights: { query, key, value, output },
  })
  const single = Array.from({ length: heads }, (_, head) =>
    runtime.createMultiHeadAttention({
      dModel,
      numHeads: 1,
      headDim,
      weights: {
        query: rowsOf(query, head),
        key: rowsOf(key, head),
        value: rowsOf(value, head),
        output: columnsOf(output, head),
      },
    }),
  )
  return { whole, single }
}

/** The largest difference between the layer's output and the sum of the heads', relative to the
 * largest number of it. */
function difference(whole: MultiHeadAttention, single: MultiHeadAttention[], x: TensorLike) {
  const together = whole.forward(x).output.data
  const sum = new Float64Array(together.length)
  for (const head of single) {
    for (const [place, value] of head.forward(x).output.data.entries()) {
      sum[place] = (sum[place] ?? 0) + value
    }
  }
  let [largest, apart] = [0, 0]
  for (const [place, value] of together.entries()) {
    largest = Math.max(largest, Math.abs(value))
    apart = Math.max(apart, Math.abs(value - (sum[place] ?? NaN)))
  }
  return apart / largest
}

export function measureLoops(report: Report): Promise<LoopsResult> {
  return withRuntime({ threads: 1 }, (runtime) => {
    const { whole, single } = makeLayers(runtime)
    const inputs = lengths.map((length) => random(1, length, layer.dModel))
    const runs = inputs.flatMap((x) => [
      () => void whole.forward(x),
      () => {
        for (const head of single) head.forward(x)
      },
    ])
    const times = timeInTurns(runs, report)
    const lines = inputs.flatMap((x, place) => {
      const [together, looped] = times.slice(2 * place)
      if (!together || !looped) return []
      return [
        { length: lengths[place] ?? 0, together, looped, difference: difference(whole, single, x) },
      ]
    })
    return { build: runtime.info.build, lines }
  })
}
