// The cases of `attention`, `block` and `decode`: their names, inputs and counts of operations.
// All have batch 1, dModel 512 and 8 heads of 64. Runs in Node and in the browser.

import { randomFloats } from './random.js'

export const dModel = 512
export const numHeads = 8
export const headDim = dModel / numHeads

const lengths = [64, 128, 512, 1024, 2048]

function attentionCase(length, causal) {
  const name = `${length}${causal ? '-causal' : ''}`
  return { kind: 'attention', name, queries: length, keys: length, causal }
}

/** query, key, value [length, dModel], projected already -> output [length, dModel] */
export const attentionCases = [false, true].flatMap((causal) =>
  lengths.map((length) => attentionCase(length, causal)),
)

/** x [length, dModel] and four weights [dModel, dModel], no bias -> output [length, dModel] */
export const blockCases = lengths.map((length) => ({
  kind: 'block',
  name: `${length}`,
  queries: length,
  keys: length,
  causal: false,
}))

/** One query on keys and values that stay with the runtime between calls. */
export const decodeCases = [512, 2048, 8192].map((length) => ({
  kind: 'decode',
  name: `${length}`,
  queries: 1,
  keys: length,
  causal: false,
}))

/** The case that every runtime runs until its code is compiled for speed. */
export const warmUpCases = {
  attention: attentionCase(128, false),
  block: { ...attentionCase(128, false), kind: 'block' },
  decode: decodeCases[0],
}

/** Lengths at which what grows with the square of the length would show. */
export const memoryCases = [
  attentionCase(2048, false),
  attentionCase(8192, false),
  attentionCase(16384, true),
]

/** The inputs of a case; weights are [out, in], as PyTorch stores them. */
export function inputsOf({ kind, queries, keys }) {
  if (kind === 'block') {
    const weight = (seed) => randomFloats(dModel * dModel, seed, 1 / Math.sqrt(dModel))
    return {
      x: randomFloats(queries * dModel, 1),
      weights: { query: weight(2), key: weight(3), value: weight(4), output: weight(5) },
    }
  }
  return {
    query: randomFloats(queries * dModel, 1),
    key: randomFloats(keys * dModel, 2),
    value: randomFloats(keys * dModel, 3),
  }
}

/** Useful floating-point operations: what a causal mask hides is not counted. */
export function flops({ kind, queries, keys, causal }) {
  const attention = causal ? 2 * queries * (queries + 1) * dModel : 4 * queries * keys * dModel
  return attention + (kind === 'block' ? 8 * queries * dModel * dModel : 0)
}

/** The output rows that are verified: all of a short case, 16 spread over a long one. */
export function checkedRows({ queries }) {
  const count = queries <= 128 ? queries : 16
  if (count === 1) return [0]
  return Array.from({ length: count }, (_, i) => Math.round((i * (queries - 1)) / (count - 1)))
}

/** The checked rows of an output [queries, dModel], one after another. */
export function rowsOf(shape, output) {
  return checkedRows(shape).flatMap((row) => [...output.subarray(row * dModel, (row + 1) * dModel)])
}
