// The benchmark's attention cases as ONNX models, once for each of ONNX Runtime's operators.

import { dModel, numHeads } from '../cases/attention.js'
import { constant, microsoft, node, onnxModel, value } from './onnx.js'
import { transposed } from './transposed.js'

const operators = {
  /** com.microsoft.MultiHeadAttention */
  'multi-head-attention': ({ causal }) =>
    node(
      'MultiHeadAttention',
      ['query', 'key', 'value'],
      ['heads'],
      { num_heads: numHeads, unidirectional: causal ? 1 : 0 },
      microsoft,
    ),
  /** Attention of the standard's operator set 23 */
  'attention-23': ({ causal }) =>
    node('Attention', ['query', 'key', 'value'], ['heads'], {
      q_num_heads: numHeads,
      kv_num_heads: numHeads,
      is_causal: causal ? 1 : 0,
    }),
}

const square = [dModel, dModel]
const sequence = (name, length) => value(name, [1, length, dModel])

function attentionModel(operator, shape, inputs) {
  const given = [sequence('query', shape.queries)]
  const constants = []
  for (const name of ['key', 'value']) {
    // What stays resident is part of the model, as ONNX Runtime has it nearest by.
    if (shape.kind === 'decode')
      constants.push(constant(name, [1, shape.keys, dModel], inputs[name]))
    else given.push(sequence(name, shape.keys))
  }
  return {
    nodes: [operators[operator](shape)],
    constants,
    inputs: given,
    outputs: [sequence('heads', shape.queries)],
  }
}

function blockModel(operator, shape, { weights }) {
  const projections = ['query', 'key', 'value'].map((name) =>
    node('MatMul', ['x', `${name}_weight`], [name]),
  )
  return {
    nodes: [
      ...projections,
      operators[operator](shape),
      node('MatMul', ['heads', 'output_weight'], ['output']),
    ],
    constants: Object.entries(weights).map(([name, weight]) =>
      constant(`${name}_weight`, square, transposed(weight, dModel, dModel)),
    ),
    inputs: [sequence('x', shape.queries)],
    outputs: [sequence('output', shape.queries)],
  }
}

/** com.microsoft.Attention, which does the three projections itself: only for the block. */
function fusedBlockModel(shape, { weights }) {
  const width = 3 * dModel
  const joined = new Float32Array(dModel * width)
  ;['query', 'key', 'value'].forEach((name, part) => {
    const weight = transposed(weights[name], dModel, dModel)
    for (let row = 0; row < dModel; row++) {
      const from = weight.subarray(row * dModel, (row + 1) * dModel)
      joined.set(from, row * width + part * dModel)
    }
  })
  const attributes = { num_heads: numHeads, unidirectional: shape.causal ? 1 : 0 }
  return {
    nodes: [
      node('Attention', ['x', 'qkv_weight', 'qkv_bias'], ['heads'], attributes, microsoft),
      node('MatMul', ['heads', 'output_weight'], ['output']),
    ],
    constants: [
      constant('qkv_weight', [dModel, width], joined),
      constant('qkv_bias', [width], new Float32Array(width)),
      constant('output_weight', square, transposed(weights.output, dModel, dModel)),
    ],
    inputs: [sequence('x', shape.queries)],
    outputs: [sequence('output', shape.queries)],
  }
}

/** The model's bytes; `operator` is one of the names above, or 'fused' for a block. */
export function attentionOnnx(operator, shape, inputs) {
  const opset = operator === 'attention-23' ? 23 : 17
  if (operator === 'fused') return onnxModel({ ...fusedBlockModel(shape, inputs), opset })
  const model = shape.kind === 'block' ? blockModel : attentionModel
  return onnxModel({ ...model(operator, shape, inputs), opset })
}
