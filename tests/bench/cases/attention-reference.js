// Attention and the whole block in float64, written for plainness; only the checked rows.

import { checkedRows, dModel, headDim, inputsOf, numHeads } from './attention.js'

/** x [rows, dModel] times the transpose of weight [dModel, dModel]. */
function project(x, weight, rows) {
  const result = new Float64Array(rows * dModel)
  for (let row = 0; row < rows; row++) {
    for (let out = 0; out < dModel; out++) {
      let sum = 0
      for (let i = 0; i < dModel; i++) sum += x[row * dModel + i] * weight[out * dModel + i]
      result[row * dModel + out] = sum
    }
  }
  return result
}

function softmax(scores) {
  const most = scores.reduce((a, b) => Math.max(a, b), -Infinity)
  const powers = scores.map((score) => Math.exp(score - most))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}

/** One head's output of one query; `visible` keys from the first on can be seen. */
function headOutput(query, key, value, head, visible, result) {
  const start = head * headDim
  const scores = new Float64Array(visible)
  for (let j = 0; j < visible; j++) {
    let dot = 0
    for (let d = start; d < start + headDim; d++) dot += query[d] * key[j * dModel + d]
    scores[j] = dot / Math.sqrt(headDim)
  }
  softmax(scores).forEach((weight, j) => {
    for (let d = start; d < start + headDim; d++) result[d] += weight * value[j * dModel + d]
  })
}

/** The checked rows of a case's output, [checked, dModel] in float64. */
export function referenceRows(shape) {
  const inputs = inputsOf(shape)
  const rows = checkedRows(shape)
  const source = inputs.query ?? inputs.x
  const gathered = new Float64Array(rows.length * dModel)
  rows.forEach((row, i) => {
    gathered.set(source.subarray(row * dModel, (row + 1) * dModel), i * dModel)
  })

  const { weights } = inputs
  const query = weights ? project(gathered, weights.query, rows.length) : gathered
  const key = weights ? project(inputs.x, weights.key, shape.keys) : inputs.key
  const value = weights ? project(inputs.x, weights.value, shape.keys) : inputs.value

  const output = new Float64Array(rows.length * dModel)
  rows.forEach((row, i) => {
    const visible = shape.causal ? row + 1 : shape.keys
    const [from, to] = [i * dModel, (i + 1) * dModel]
    for (let head = 0; head < numHeads; head++) {
      headOutput(query.subarray(from, to), key, value, head, visible, output.subarray(from, to))
    }
  })
  return weights ? project(output, weights.output, rows.length) : output
}
