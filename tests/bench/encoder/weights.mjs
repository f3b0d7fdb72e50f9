// The weights of web/models/minilm-l6 as they lie in model.safetensors: int8 rows with one scale
// each, everything else float32.

import { readFileSync } from 'node:fs'
import path from 'node:path'

import { root } from '../../../scripts/lib/paths.mjs'

export const modelFolder = path.join(root, 'web/models/minilm-l6')
export const weightsFile = path.join(modelFolder, 'model.safetensors')

export const readJson = (name) => JSON.parse(readFileSync(path.join(modelFolder, name)))

function readSafetensors(file) {
  const bytes = readFileSync(file)
  const headerLength = Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + headerLength))
  delete header.__metadata__
  const tensors = Object.entries(header).map(([name, { dtype, shape, data_offsets }]) => {
    const [start, end] = data_offsets.map((offset) => offset + 8 + headerLength)
    const data = bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + end)
    return [
      name,
      { dims: shape, data: dtype === 'I8' ? new Int8Array(data) : new Float32Array(data) },
    ]
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

/** { name: { dims, float, int8?, scales? } }; names as in the file, without those of scales. */
export function readWeights() {
  const tensors = readSafetensors(weightsFile)
  const weights = {}
  for (const [name, tensor] of Object.entries(tensors)) {
    if (name.endsWith('_scale')) continue
    const scales = tensors[`${name}_scale`]?.data
    weights[name] = scales
      ? { dims: tensor.dims, float: widened(tensor, scales), int8: tensor.data, scales }
      : { dims: tensor.dims, float: tensor.data }
  }
  return weights
}
