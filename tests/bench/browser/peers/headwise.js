// Ours, through `headwise/core` (called in the benchmark's own Worker) or through `headwise`, whose
// calls go to the module's Worker and come back as promises.

import { dModel, headDim, numHeads } from '../../cases/attention.js'

const sequence = (data) => ({ data, dims: [1, data.length / dModel, dModel] })
const weight = (data) => ({ data, dims: [dModel, dModel] })
const options = { numHeads }

/** Reads `output.data` of a result or of a promise of one. */
const outputOf = (result) =>
  result instanceof Promise ? result.then(({ output }) => output.data) : result.output.data

function prepareAttention(runtime, { causal }, inputs) {
  const [query, key, value] = [inputs.query, inputs.key, inputs.value].map(sequence)
  return {
    run: () => outputOf(runtime.attention(query, key, value, { ...options, causal })),
    dispose: () => {},
  }
}

async function prepareBlock(runtime, { causal }, { x, weights }) {
  const layer = await runtime.createMultiHeadAttention({
    dModel,
    numHeads,
    weights: Object.fromEntries(
      Object.entries(weights).map(([name, data]) => [name, weight(data)]),
    ),
  })
  const input = sequence(x)
  return {
    run: () => outputOf(layer.forward(input, { causal })),
    dispose: () => layer.dispose(),
  }
}

/** All keys but the last are in the cache; each call appends that one, as generating text does. */
async function prepareDecode(runtime, { keys }, inputs) {
  const cache = await runtime.createKeyValueCache({
    batch: 1,
    kvHeads: numHeads,
    headDim,
    capacity: keys,
  })
  const query = sequence(inputs.query)
  const part = (data, from, to) => sequence(data.slice(from * dModel, to * dModel))
  const past = [inputs.key, inputs.value].map((data) => part(data, 0, keys - 1))
  const step = [inputs.key, inputs.value].map((data) => part(data, keys - 1, keys))
  await runtime.attention(query, ...past, { ...options, cache })
  return {
    run: async () => {
      const output = await outputOf(runtime.attention(query, ...step, { ...options, cache }))
      // Not waited for: generating text does not truncate, and calls are answered in their order.
      void cache.truncate(keys - 1)
      return output
    },
    dispose: () => cache.dispose(),
  }
}

const prepare = { attention: prepareAttention, block: prepareBlock, decode: prepareDecode }

/** { entrance: 'core' | 'async', build, threads, wasm: URL of another .wasm file of that build } */
export async function openRuntime({ entrance, build, threads, wasm }) {
  const { createRuntime } = await import(`/build/bench/headwise/${entrance}.js`)
  return createRuntime({
    build,
    ...(threads !== undefined && { threads }),
    ...(wasm !== undefined && { wasm: new URL(wasm, location.origin) }),
  })
}

export async function open(options) {
  const runtime = await openRuntime(options)
  return {
    version: `headwise ${runtime.info.version}`,
    memory: () => runtime.info.memory,
    prepare: (shape, inputs) => prepare[shape.kind](runtime, shape, inputs),
  }
}
