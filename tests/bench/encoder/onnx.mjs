// web/models/minilm-l6 as ONNX models in build/bench, node by node, with ONNX Runtime's own fused
// operators: once with the weights widened to float32, once with the int8 weights as they are and
// activations quantised on the way (what ONNX Runtime calls dynamic quantisation). The embedding
// tables are float32 in both, which costs it size but no time.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { constant, microsoft, node, onnxModel, value } from '../formats/onnx.js'
import { transposed } from '../formats/transposed.js'
import { whenChanged } from '../../../scripts/lib/content.mjs'
import { buildFolder, root } from '../../../scripts/lib/paths.mjs'
import { say } from '../../../scripts/lib/say.mjs'
import { modelFolder, readJson, readWeights, weightsFile } from './weights.mjs'

export const onnxFolder = path.join(buildFolder, 'bench/models/minilm-l6')

/** Collects nodes and constants; every method adds and gives the name of what it made. */
class Graph {
  nodes = []
  constants = []

  constructor(weights) {
    this.weights = weights
  }

  add(operator, inputs, output, attributes, domain) {
    this.nodes.push(node(operator, inputs, [output].flat(), attributes, domain))
    return [output].flat()[0]
  }

  fused(operator, inputs, output, attributes) {
    return this.add(operator, inputs, output, attributes, microsoft)
  }

  constant(name, dims, data) {
    this.constants.push(constant(name, dims, data))
    return name
  }

  /** A weight of the file as it is. */
  float(name) {
    const { dims, float } = this.weights[name]
    return this.constant(name, dims, float)
  }

  norm(name) {
    return [this.float(`${name}.weight`), this.float(`${name}.bias`)]
  }
}

/** [out, in] matrices beside each other as one [in, sum of outs]. */
function joined(parts, pick) {
  const [, inputs] = parts[0].dims
  const width = parts.reduce((sum, { dims }) => sum + dims[0], 0)
  const result = new (pick(parts[0]).constructor)(inputs * width)
  let column = 0
  for (const part of parts) {
    const [outputs] = part.dims
    const turned = transposed(pick(part), outputs, inputs)
    for (let row = 0; row < inputs; row++) {
      result.set(turned.subarray(row * outputs, (row + 1) * outputs), row * width + column)
    }
    column += outputs
  }
  return { dims: [inputs, width], data: result }
}

function concatenated(arrays) {
  return Float32Array.from(arrays.flatMap((array) => [...array]))
}

/** How the two models differ: the product of an activation with a weight, and attention. */
const arithmetic = {
  float32: {
    product(graph, x, name, output) {
      const { dims, data } = joined([graph.weights[name]], ({ float }) => float)
      return graph.add('MatMul', [x, graph.constant(`${name}:turned`, dims, data)], output)
    },
    attention(graph, x, mask, parts, bias, output, attributes) {
      const { dims, data } = joined(parts, ({ float }) => float)
      const weight = graph.constant(`${output}:weight`, dims, data)
      return graph.fused('Attention', [x, weight, bias, mask], output, attributes)
    },
  },
  int8: {
    product(graph, x, name, output) {
      const part = graph.weights[name]
      const { dims, data } = joined([part], ({ int8 }) => int8)
      const weight = graph.constant(`${name}:turned`, dims, data)
      const scale = graph.constant(`${name}:scale`, [dims[1]], part.scales)
      return graph.fused('DynamicQuantizeMatMul', [x, weight, scale], output)
    },
    attention(graph, x, mask, parts, bias, output, attributes) {
      const { dims, data } = joined(parts, ({ int8 }) => int8)
      const weight = graph.constant(`${output}:weight`, dims, data)
      const scales = concatenated(parts.map((part) => part.scales))
      const scale = graph.constant(`${output}:scale`, [dims[1]], scales)
      const quantised = ['values', 'scale', 'zero'].map((name) => `${output}:input-${name}`)
      graph.add('DynamicQuantizeLinear', [x], quantised)
      const [input, inputScale, inputZero] = quantised
      const inputs = [input, weight, bias, inputScale, scale, mask, inputZero]
      return graph.fused('QAttention', inputs, output, attributes)
    },
  },
}

function addEmbedding(graph, epsilon) {
  const [ids, mask, types] = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
    graph.add('Cast', [name], `${name}:int32`, { to: 6 }),
  )
  const tables = ['word', 'position', 'token_type'].map((name) =>
    graph.float(`embeddings.${name}_embeddings.weight`),
  )
  const inputs = [ids, types, ...tables, ...graph.norm('embeddings.LayerNorm'), mask]
  const outputs = ['embedded', 'mask_index']
  const x = graph.fused('EmbedLayerNormalization', inputs, outputs, { epsilon })
  return { x, mask: 'mask_index' }
}

function addLayer(graph, layer, { x, mask }, { product, attention }, { heads, epsilon, output }) {
  const name = (part) => `encoder.layer.${layer}.${part}`
  const self = ['query', 'key', 'value'].map((part) => name(`attention.self.${part}`))
  const parts = self.map((part) => graph.weights[`${part}.weight`])
  const biases = concatenated(self.map((part) => graph.weights[`${part}.bias`].float))
  const bias = graph.constant(name('attention.bias'), [biases.length], biases)
  const mixed = name('mixed')
  attention(graph, x, mask, parts, bias, mixed, { num_heads: heads })

  const addAndNorm = (input, dense, normName, result) => {
    const projected = product(graph, input, `${name(dense)}.weight`, name(`${dense}:product`))
    const inputs = [projected, x, ...graph.norm(name(normName)), graph.float(`${name(dense)}.bias`)]
    return graph.fused('SkipLayerNormalization', inputs, result, { epsilon })
  }
  x = addAndNorm(mixed, 'attention.output.dense', 'attention.output.LayerNorm', name('middle'))
  const wide = product(graph, x, name('intermediate.dense.weight'), name('wide'))
  const inner = graph.fused(
    'BiasGelu',
    [wide, graph.float(name('intermediate.dense.bias'))],
    name('inner'),
  )
  return addAndNorm(inner, 'output.dense', 'output.LayerNorm', output ?? name('output'))
}

function encoderModel(weights, config, kind) {
  const graph = new Graph(weights)
  const epsilon = { float: config.layer_norm_eps }
  const heads = config.num_attention_heads
  const { x, mask } = addEmbedding(graph, epsilon)
  const last = config.num_hidden_layers - 1
  const result = 'last_hidden_state'
  Array.from({ length: last + 1 }).reduce((input, _, layer) => {
    const options = { heads, epsilon, ...(layer === last && { output: result }) }
    return addLayer(graph, layer, { x: input, mask }, arithmetic[kind], options)
  }, x)
  const dims = ['batch', 'tokens']
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
    value(name, dims, 'int64'),
  )
  const outputs = [value(result, [...dims, config.hidden_size])]
  return onnxModel({ nodes: graph.nodes, constants: graph.constants, inputs, outputs })
}

/** Writes the models, and beside them what Transformers.js wants to find, unless they are there. */
export async function writeEncoderModels() {
  const product = path.join(onnxFolder, 'onnx/model_quantized.onnx')
  const inputs = ['encoder', 'formats'].map((name) => path.join(root, 'tests/bench', name))
  await whenChanged('bench-encoder', { inputs: [...inputs, weightsFile], product }, () => {
    say('writing the encoder as ONNX models')
    mkdirSync(path.join(onnxFolder, 'onnx'), { recursive: true })
    const [weights, config] = [readWeights(), readJson('config.json')]
    const write = (name, content) => writeFileSync(path.join(onnxFolder, name), content)
    write('onnx/model.onnx', encoderModel(weights, config, 'float32'))
    write('onnx/model_quantized.onnx', encoderModel(weights, config, 'int8'))
    for (const name of ['config.json', 'tokenizer.json']) {
      copyFileSync(path.join(modelFolder, name), path.join(onnxFolder, name))
    }
    const limits = { tokenizer_class: 'BertTokenizer', model_max_length: 512 }
    write('tokenizer_config.json', JSON.stringify(limits))
  })
}
