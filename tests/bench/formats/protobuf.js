// Writes protobuf messages: only the three wire types that ONNX files need.

const text = new TextEncoder()

function varint(value) {
  const bytes = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(rest & 127n)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 128 : low)
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}

/** A message that is not joined yet, so that large weights are copied once. */
class Message {
  parts = []
  length = 0

  add(...parts) {
    for (const part of parts) {
      this.parts.push(part)
      this.length += part.length
    }
  }

  *leaves() {
    for (const part of this.parts) {
      if (part instanceof Message) yield* part.leaves()
      else yield part
    }
  }
}

class Float {
  constructor(value) {
    this.value = value
  }
}

/** Marks a number to be written as a 32-bit float; other numbers are integers. */
export const float = (value) => new Float(value)

function addField(message, number, value) {
  if (Array.isArray(value)) {
    for (const item of value) addField(message, number, item)
  } else if (value instanceof Float) {
    message.add(varint((number << 3) | 5), new Uint8Array(Float32Array.of(value.value).buffer))
  } else if (typeof value === 'number') {
    message.add(varint(number << 3), varint(value))
  } else if (value !== undefined) {
    const content = typeof value === 'string' ? text.encode(value) : value
    message.add(varint((number << 3) | 2), varint(content.length), content)
  }
}

/** A message of fields { number: value }: integers, floats, strings, bytes, messages, arrays of them. */
export function message(fields) {
  const result = new Message()
  for (const [number, value] of Object.entries(fields)) addField(result, Number(number), value)
  return result
}

/** The bytes of a message. */
export function bytesOf(whole) {
  const bytes = new Uint8Array(whole.length)
  let offset = 0
  for (const leaf of whole.leaves()) {
    bytes.set(leaf, offset)
    offset += leaf.length
  }
  return bytes
}
