// Just enough of the WebAssembly binary format to write the loops that measure the machine: functions
// of i32 parameters and v128 locals in a module with one exported memory.

const unsigned = (value) => {
  const bytes = []
  do {
    const low = value & 127
    value >>>= 7
    bytes.push(value > 0 ? low | 128 : low)
  } while (value > 0)
  return bytes
}

const signed = (value) => {
  const bytes = []
  for (;;) {
    const low = value & 127
    value >>= 7
    const done = (value === 0 && (low & 64) === 0) || (value === -1 && (low & 64) !== 0)
    bytes.push(done ? low : low | 128)
    if (done) return bytes
  }
}

const vectorOf = (items) => [...unsigned(items.length), ...items.flat()]
const section = (id, content) => [id, ...unsigned(content.length), ...content]
const text = (string) => vectorOf([...new TextEncoder().encode(string)].map((byte) => [byte]))
const simd = (code) => [0xfd, ...unsigned(code)]

export const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b }

export const get = (local) => [0x20, ...unsigned(local)]
export const set = (local) => [0x21, ...unsigned(local)]
export const tee = (local) => [0x22, ...unsigned(local)]
export const i32Const = (value) => [0x41, ...signed(value)]
export const i32Add = [0x6a]
export const i32Subtract = [0x6b]
export const i32LessUnsigned = [0x49]
/** Repeats the body while the i32 that it leaves is not 0. */
export const loop = (body) => [0x03, 0x40, ...body, 0x0d, 0x00, 0x0b]

export const load = (offset) => [...simd(0x00), 4, ...unsigned(offset)]
export const splat = (value) => [
  ...[0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  ...simd(0x13),
]
export const f32x4Add = simd(0xe4)
export const f32x4Multiply = simd(0xe6)
export const f32x4RelaxedMadd = simd(0x105)
export const f32x4First = [...simd(0x1f), 0]
export const i32x4Add = simd(0xae)
export const i32x4First = [...simd(0x1b), 0]

/** A function { name, parameters: count of i32, vectors: count of v128 locals, result, body }. */
function code({ vectors, body }) {
  const content = [1, ...unsigned(vectors), types.v128, ...body, 0x0b]
  return [...unsigned(content.length), ...content]
}

/** The bytes of a module that exports `functions` and `memory` of that many 64 KiB pages. */
export function wasmModule(functions, pages) {
  const signature = ({ parameters, result }) => [
    0x60,
    ...vectorOf(Array(parameters).fill([types.i32])),
    ...[1, result],
  ]
  const exported = functions.map(({ name }, index) => [...text(name), 0, ...unsigned(index)])
  exported.push([...text('memory'), 2, 0])
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vectorOf(functions.map(signature))),
    ...section(3, vectorOf(functions.map((_, index) => unsigned(index)))),
    ...section(5, vectorOf([[0, ...unsigned(pages)]])),
    ...section(7, vectorOf(exported)),
    ...section(10, vectorOf(functions.map(code))),
  ])
}
