// Writes TensorFlow Lite models of one subgraph, with npm's `flatbuffers` as the only help. Field
// numbers and operator codes are those of TensorFlow's schema.fbs.

const elementTypes = { Float32Array: 0, Int32Array: 2 }

/** code: BuiltinOperator; options: its member of BuiltinOptions; fields: how many that table has. */
const operators = {
  ADD: { code: 0, options: 11, fields: 2 },
  FULLY_CONNECTED: { code: 9, options: 8, fields: 4 },
  MUL: { code: 18, options: 21, fields: 1 },
  RESHAPE: { code: 22, options: 17, fields: 1 },
  SOFTMAX: { code: 25, options: 9, fields: 1 },
  TRANSPOSE: { code: 39, options: 26, fields: 0 },
  BATCH_MATMUL: { code: 126, options: 101, fields: 3 },
}

export class TfliteModel {
  #flatbuffers
  #tensors = []
  #data = [undefined] // Buffer 0 is the empty one, for tensors without data.
  #operators = []

  constructor(flatbuffers) {
    this.#flatbuffers = flatbuffers
  }

  /** Adds a tensor and gives its index; with data it is a constant. */
  tensor(dims, data) {
    const buffer = data ? this.#data.push(data) - 1 : 0
    const type = elementTypes[(data ?? new Float32Array()).constructor.name]
    return this.#tensors.push({ dims, type, buffer }) - 1
  }

  /** Adds an operator with one output of `dims` and gives the output's index. */
  operator(name, inputs, dims, options = () => {}) {
    const output = this.tensor(dims)
    this.#operators.push({ name, inputs, output, options })
    return output
  }

  bytes(inputs, outputs) {
    const { Builder } = this.#flatbuffers
    const builder = new Builder(1 << 20)
    const buffers = vectorOf(
      builder,
      this.#data.map((data) => writeBuffer(builder, data)),
    )
    const subgraph = this.#writeSubgraph(builder, inputs, outputs)
    const codes = vectorOf(
      builder,
      this.#names().map((name) => writeCode(builder, name)),
    )
    const subgraphs = vectorOf(builder, [subgraph])
    builder.startObject(5)
    builder.addFieldInt32(0, 3, 0) // the schema's version
    builder.addFieldOffset(1, codes, 0)
    builder.addFieldOffset(2, subgraphs, 0)
    builder.addFieldOffset(4, buffers, 0)
    builder.finish(builder.endObject(), 'TFL3')
    return builder.asUint8Array().slice()
  }

  #names() {
    return [...new Set(this.#operators.map(({ name }) => name))]
  }

  #writeSubgraph(builder, inputs, outputs) {
    const names = this.#names()
    const tensors = vectorOf(
      builder,
      this.#tensors.map((tensor) => writeTensor(builder, tensor)),
    )
    const steps = this.#operators.map((step) => writeOperator(builder, step, names))
    const [ins, outs] = [integersOf(builder, inputs), integersOf(builder, outputs)]
    const list = vectorOf(builder, steps)
    builder.startObject(5)
    builder.addFieldOffset(0, tensors, 0)
    builder.addFieldOffset(1, ins, 0)
    builder.addFieldOffset(2, outs, 0)
    builder.addFieldOffset(3, list, 0)
    return builder.endObject()
  }
}

function integersOf(builder, values) {
  builder.startVector(4, values.length, 4)
  for (const value of [...values].reverse()) builder.addInt32(value)
  return builder.endVector()
}

function vectorOf(builder, offsets) {
  builder.startVector(4, offsets.length, 4)
  for (const offset of [...offsets].reverse()) builder.addOffset(offset)
  return builder.endVector()
}

function writeBuffer(builder, data) {
  let bytes = 0
  if (data) {
    // The schema wants the data of a buffer on a multiple of 16 bytes.
    builder.prep(16, data.byteLength)
    bytes = builder.createByteVector(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
  }
  builder.startObject(1)
  if (data) builder.addFieldOffset(0, bytes, 0)
  return builder.endObject()
}

function writeTensor(builder, { dims, type, buffer }) {
  const shape = integersOf(builder, dims)
  builder.startObject(4)
  builder.addFieldOffset(0, shape, 0)
  builder.addFieldInt8(1, type, 0)
  builder.addFieldInt32(2, buffer, 0)
  return builder.endObject()
}

function writeCode(builder, name) {
  const { code } = operators[name]
  builder.startObject(4)
  builder.addFieldInt8(0, Math.min(code, 127), 0) // where old readers look
  builder.addFieldInt32(2, 1, 0)
  builder.addFieldInt32(3, code, 0)
  return builder.endObject()
}

function writeOperator(builder, { name, inputs, output, options }, names) {
  const ins = integersOf(builder, inputs)
  const outs = integersOf(builder, [output])
  builder.startObject(operators[name].fields)
  options(builder)
  const optionTable = builder.endObject()
  builder.startObject(5)
  builder.addFieldInt32(0, names.indexOf(name), 0)
  builder.addFieldOffset(1, ins, 0)
  builder.addFieldOffset(2, outs, 0)
  builder.addFieldInt8(3, operators[name].options, 0)
  builder.addFieldOffset(4, optionTable, 0)
  return builder.endObject()
}
