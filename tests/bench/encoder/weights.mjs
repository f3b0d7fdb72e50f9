// The weights of web/models/minilm-l6 as they lie in model.safetensors: int8 rows with one scale
// each and a few float outliers, everything else float32.

import { readFileSync } from 'node:fs'
import path from 'node:path'

import { root } from '../../../scripts/lib/paths.mjs'

export const modelFolder = path.join(root, 'web/models/minilm-l6')
export const weightsFile = path.join(modelFolder, 'model.safetensors')

export const readJson = (name) => JSON.parse(readFileSync(path.join(modelFolder, name)))

const arrays = { I8: Int8Array, I32: Int32Array, F32: Float32Array }

function readSafetensors(file) {
  const bytes = readFileSync(file)
  const headerLength = Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerLength))
  delete header.__metadata__
  const tensors = Object.entries(header).map(([name, { dtype, shape, data_offsets }]) => {
    const [start, end] = data_offsets.map((offset) => offset + 8 + headerLength)
    const data = bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + end)
    return [name, { dims: shape, data: new arrays[dtype](data) }]
  })
  return Object.fromEntries(tensors)
}

/** int8 rows times their scales, as float32: what the int8 weights stand for. */
function widened({ dims, data }, scales) {
  const [rows, columns] = dims
  const result = new Float32Array(data.length)
  for (let i = 0; i < rows * columns; i++) result[i] = data[i] * scales[Math.floor(i / columns)]
  return result
}

/** Adds the outliers, and rounds their rows again: the peers have one scale a row and nothing else. */
function addOutliers({ float, int8, scales, dims: [, columns] }, positions, values) {
  values.forEach((value, i) => {
    float[positions[2 * i] * columns + positions[2 * i + 1]] += value
  })
  for (const row of new Set(positions.filter((_, i) => i % 2 === 0))) {
    const own = float.subarray(row * columns, (row + 1) * columns)
    scales[row] = own.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127
    int8.set(
      own.map((weight) => Math.round(weight / scales[row])),
      row * columns,
    )
  }
}

/** { name: { dims, float, int8?, scales? } }; names as in the file, without what belongs to others. */
export function readWeights() {
  const tensors = readSafetensors(weightsFile)
  const weights = {}
  for (const [name, tensor] of Object.entries(tensors)) {
    if (/_(scale|outliers|outlier_positions)$/.test(name)) continue
    const scales = tensors[`${name}_scale`]?.data
    weights[name] = scales
      ? { dims: tensor.dims, float: widened(tensor, scales), int8: tensor.data, scales }
      : { dims: tensor.dims, float: tensor.data }
    const outliers = tensors[`${name}_outliers`]?.data
    if (outliers) addOutliers(weights[name], tensors[`${name}_outlier_positions`].data, outliers)
  }
  return weights
}
