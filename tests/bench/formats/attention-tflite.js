// The benchmark's attention cases as TensorFlow Lite models for LiteRT.js: TensorFlow Lite has no
// attention operator, so this is the graph that converters write for it.

import { dModel, headDim, numHeads } from '../cases/attention.js'
import { TfliteModel } from './tflite.js'

function causalMask(length) {
  const mask = new Float32Array(length * length)
  for (let row = 0; row < length; row++) mask.fill(-1e9, row * length + row + 1, (row + 1) * length)
  return mask
}

/** Adds attention on packed tensors [1, length, dModel] and gives the packed output's index. */
function addAttention(model, { queries, keys, causal }, query, key, value) {
  const swap = model.tensor([4], Int32Array.of(0, 2, 1, 3))
  const reshape = (x, dims) =>
    model.operator('RESHAPE', [x, model.tensor([dims.length], Int32Array.from(dims))], dims)
  const heads = (x, length) => {
    const apart = reshape(x, [1, length, numHeads, headDim])
    return model.operator('TRANSPOSE', [apart, swap], [1, numHeads, length, headDim])
  }
  const batchMatmul = (a, b, dims, transposeB) =>
    model.operator('BATCH_MATMUL', [a, b], dims, (builder) =>
      builder.addFieldInt8(1, transposeB ? 1 : 0, 0),
    )

  const scale = model.tensor([1], Float32Array.of(1 / Math.sqrt(headDim)))
  const perHead = [1, numHeads, queries, headDim]
  const scaled = model.operator('MUL', [heads(query, queries), scale], perHead)
  const square = [1, numHeads, queries, keys]
  let scores = batchMatmul(scaled, heads(key, keys), square, true)
  if (causal) {
    const mask = model.tensor([1, 1, queries, queries], causalMask(queries))
    scores = model.operator('ADD', [scores, mask], square)
  }
  const weights = model.operator('SOFTMAX', [scores], square, (builder) =>
    builder.addFieldFloat32(0, 1, 0),
  )
  const output = batchMatmul(weights, heads(value, keys), perHead, false)
  const together = model.operator('TRANSPOSE', [output, swap], [1, queries, numHeads, headDim])
  return reshape(together, [1, queries, dModel])
}

/** The model's bytes. */
export function attentionTflite(flatbuffers, shape, inputs) {
  const model = new TfliteModel(flatbuffers)
  const sequence = (length) => model.tensor([1, length, dModel])
  if (shape.kind !== 'block') {
    const given = [sequence(shape.queries), sequence(shape.keys), sequence(shape.keys)]
    return model.bytes(given, [addAttention(model, shape, ...given)])
  }
  const x = sequence(shape.queries)
  const project = (input, name) => {
    const weight = model.tensor([dModel, dModel], inputs.weights[name])
    const dims = [1, shape.queries, dModel]
    const keepDims = (builder) => builder.addFieldInt8(2, 1, 0)
    return model.operator('FULLY_CONNECTED', [input, weight, -1], dims, keepDims)
  }
  const projected = ['query', 'key', 'value'].map((name) => project(x, name))
  const heads = addAttention(model, shape, ...projected)
  return model.bytes([x], [project(heads, 'output')])
}
