// The encoder in float64 on the shipped weights, written for plainness: the truth that the hidden
// states of all runtimes are compared with. Minutes of arithmetic are kept in build/bench.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { buildFolder } from '../../../scripts/lib/paths.mjs'
import { erf } from './erf.mjs'
import { weightsFile } from './weights.mjs'

/** x [rows, in] times the transpose of weight [out, in], plus bias [out]. */
function linear(x, rows, { dims: [outputs, inputs], float: weight }, { float: bias }) {
  const result = new Float64Array(rows * outputs)
  for (let out = 0; out < outputs; out++) {
    const row = Float64Array.from(weight.subarray(out * inputs, (out + 1) * inputs))
    for (let position = 0; position < rows; position++) {
      const start = position * inputs
      let sum = bias[out]
      for (let i = 0; i < inputs; i++) sum += x[start + i] * row[i]
      result[position * outputs + out] = sum
    }
  }
  return result
}

function layerNorm(x, { float: weight }, { float: bias }, epsilon) {
  const width = weight.length
  const result = new Float64Array(x.length)
  for (let start = 0; start < x.length; start += width) {
    const row = x.subarray(start, start + width)
    const mean = row.reduce((sum, value) => sum + value, 0) / width
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width
    const scale = 1 / Math.sqrt(variance + epsilon)
    for (let i = 0; i < width; i++)
      result[start + i] = (row[i] - mean) * scale * weight[i] + bias[i]
  }
  return result
}

function attention(query, key, value, rows, heads) {
  const width = query.length / rows
  const headDim = width / heads
  const result = new Float64Array(query.length)
  const weights = new Float64Array(rows)
  for (let head = 0; head < heads; head++) {
    for (let i = 0; i < rows; i++) {
      const from = i * width + head * headDim
      let sum = 0
      for (let j = 0; j < rows; j++) {
        let dot = 0
        const to = j * width + head * headDim
        for (let d = 0; d < headDim; d++) dot += query[from + d] * key[to + d]
        weights[j] = Math.exp(dot / Math.sqrt(headDim)) // scores of this model stay far below 700
        sum += weights[j]
      }
      for (let j = 0; j < rows; j++) {
        const weight = weights[j] / sum
        const to = j * width + head * headDim
        for (let d = 0; d < headDim; d++) result[from + d] += weight * value[to + d]
      }
    }
  }
  return result
}

const add = (a, b) => a.map((value, i) => value + b[i])
const gelu = (x) => x.map((value) => (value / 2) * (1 + erf(value / Math.SQRT2)))

function embed(weights, ids, norm) {
  const part = (name) => weights[`embeddings.${name}_embeddings.weight`]
  const [words, positions, types] = ['word', 'position', 'token_type'].map(part)
  const width = words.dims[1]
  const sum = new Float64Array(ids.length * width)
  ids.forEach((id, position) => {
    for (let i = 0; i < width; i++) {
      sum[position * width + i] =
        words.float[id * width + i] + positions.float[position * width + i] + types.float[i]
    }
  })
  return norm(sum, 'embeddings.LayerNorm')
}

/** The last hidden state [tokens, width] of one sequence of ids. */
export function lastHiddenState(weights, config, ids) {
  const rows = ids.length
  const norm = (x, name) =>
    layerNorm(x, weights[`${name}.weight`], weights[`${name}.bias`], config.layer_norm_eps)
  let x = embed(weights, ids, norm)
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const name = (part) => `encoder.layer.${layer}.${part}`
    const project = (input, part) =>
      linear(input, rows, weights[name(`${part}.weight`)], weights[name(`${part}.bias`)])
    const [query, key, value] = ['query', 'key', 'value'].map((part) =>
      project(x, `attention.self.${part}`),
    )
    const mixed = attention(query, key, value, rows, config.num_attention_heads)
    x = norm(add(project(mixed, 'attention.output.dense'), x), name('attention.output.LayerNorm'))
    const inner = gelu(project(x, 'intermediate.dense'))
    x = norm(add(project(inner, 'output.dense'), x), name('output.LayerNorm'))
  }
  return x
}

/** The same, computed once for each state of the weights and of this file. */
export function keptHiddenState(weights, config, ids) {
  const hash = createHash('sha256').update(readFileSync(weightsFile)).update(ids.join())
  hash.update(readFileSync(new URL(import.meta.url)))
  const folder = path.join(buildFolder, 'bench/reference')
  const file = path.join(folder, `${hash.digest('hex').slice(0, 16)}.f64`)
  if (existsSync(file)) {
    const bytes = readFileSync(file)
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  }
  const hidden = lastHiddenState(weights, config, ids)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, new Uint8Array(hidden.buffer))
  return hidden
}
