// Writes ONNX models: nodes, weights, inputs, outputs. Field numbers are those of onnx.proto.
// Runs in Node and in the browser, so that no exporter is needed.

import { bytesOf, float, message } from './protobuf.js'

const elementTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 }
const attributeTypes = { float: 1, integer: 2, text: 3, integers: 7 }

export const microsoft = 'com.microsoft'

function attribute([name, value]) {
  if (Array.isArray(value)) return message({ 1: name, 8: value, 20: attributeTypes.integers })
  if (typeof value === 'string') return message({ 1: name, 4: value, 20: attributeTypes.text })
  if (typeof value === 'object') {
    return message({ 1: name, 2: float(value.float), 20: attributeTypes.float })
  }
  return message({ 1: name, 3: value, 20: attributeTypes.integer })
}

/** Attributes are integers, texts, arrays of integers, or { float: number }. */
export function node(operator, inputs, outputs, attributes = {}, domain = undefined) {
  return message({
    1: inputs,
    2: outputs,
    3: `${operator}:${outputs[0]}`,
    4: operator,
    5: Object.entries(attributes).map(attribute),
    7: domain,
  })
}

/** A constant tensor; its type is that of the typed array. */
export function constant(name, dims, data) {
  const type = data.constructor.name.replace('Big', '').replace('Array', '').toLowerCase()
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return message({ 1: dims, 2: elementTypes[type], 8: name, 9: raw })
}

/** An input or output; a dim is a number, or the name of one that varies. */
export function value(name, dims, type = 'float32') {
  const shape = message({
    1: dims.map((dim) => message(typeof dim === 'number' ? { 1: dim } : { 2: dim })),
  })
  const tensor = message({ 1: elementTypes[type], 2: shape })
  return message({ 1: name, 2: message({ 1: tensor }) })
}

/** The bytes of a model file. */
export function onnxModel({ nodes, constants, inputs, outputs, opset = 17 }) {
  const graph = message({ 1: nodes, 2: 'graph', 5: constants, 11: inputs, 12: outputs })
  const operatorSets = [message({ 1: '', 2: opset }), message({ 1: microsoft, 2: 1 })]
  return bytesOf(
    message({ 1: opset >= 23 ? 10 : 8, 2: 'headwise-bench', 7: graph, 8: operatorSets }),
  )
}
