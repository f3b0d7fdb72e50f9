// The loops whose speed is the machine's limit for WebAssembly on one thread: multiply-add with
// nothing else to do, and reading memory with nothing to do but add.

import * as wasm from './wasm.js'

/** Twelve chains hide the latency of the multiply-add (4 cycles, 2 a cycle) on every current CPU. */
const chains = 12
const unrolled = 4
const lanes = 4

export const flopsPerStep = chains * unrolled * lanes * 2
export const bytesPerStep = 128

const indices = (count) => Array.from({ length: count }, (_, index) => index)

/** (steps) -> sum of the chains a = a * factor + addend */
function multiplyAdd(name, instructions) {
  const [steps, first] = [0, 1]
  const [factor, addend] = [first + chains, first + chains + 1]
  const chain = (i) => [
    ...wasm.get(first + i),
    ...wasm.get(factor),
    ...instructions(wasm.get(addend)),
    ...wasm.set(first + i),
  ]
  const body = [
    ...indices(chains).flatMap((i) => [...wasm.splat(1 + i / 16), ...wasm.set(first + i)]),
    ...[...wasm.splat(0.999), ...wasm.set(factor), ...wasm.splat(0.001), ...wasm.set(addend)],
    ...wasm.loop([
      ...indices(unrolled * chains).flatMap((i) => chain(i % chains)),
      ...[...wasm.get(steps), ...wasm.i32Const(1), ...wasm.i32Subtract, ...wasm.tee(steps)],
    ]),
    ...wasm.get(first),
    ...indices(chains - 1).flatMap((i) => [...wasm.get(first + i + 1), ...wasm.f32x4Add]),
    ...wasm.f32x4First,
  ]
  return { name, parameters: 1, vectors: chains + 2, result: wasm.types.f32, body }
}

/** (from, to) -> sum of the integers between; both are multiples of 128 bytes */
function readMemory() {
  const [position, end, first] = [0, 1, 2]
  const sums = bytesPerStep / 16
  const body = [
    ...wasm.loop([
      ...indices(sums).flatMap((i) => [
        ...wasm.get(first + i),
        ...wasm.get(position),
        ...wasm.load(16 * i),
        ...wasm.i32x4Add,
        ...wasm.set(first + i),
      ]),
      ...[...wasm.get(position), ...wasm.i32Const(bytesPerStep), ...wasm.i32Add],
      ...[...wasm.tee(position), ...wasm.get(end), ...wasm.i32LessUnsigned],
    ]),
    ...wasm.get(first),
    ...indices(sums - 1).flatMap((i) => [...wasm.get(first + i + 1), ...wasm.i32x4Add]),
    ...wasm.i32x4First,
  ]
  return { name: 'read', parameters: 2, vectors: sums, result: wasm.types.i32, body }
}

/** The module's bytes; it reads up to `megabytes` of memory. Relaxed SIMD is left out on request. */
export function loopModule({ megabytes, relaxed = true }) {
  const functions = [
    multiplyAdd('multiplyThenAdd', (addend) => [
      ...wasm.f32x4Multiply,
      ...addend,
      ...wasm.f32x4Add,
    ]),
    readMemory(),
  ]
  if (relaxed) {
    const fused = (addend) => [...addend, ...wasm.f32x4RelaxedMadd]
    functions.push(multiplyAdd('relaxedMultiplyAdd', fused))
  }
  return wasm.wasmModule(functions, megabytes * 16)
}
