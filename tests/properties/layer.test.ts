// The multi-head attention layer with every size and option at random: against its
// double-precision reference, and calls that must give the same.
import fc from 'fast-check'
import type { MultiHeadAttentionForwardOptions, SeparateWeights } from 'headwise'
import type { Runtime } from 'headwise/core'

import { expectNear, expectSameBits, nearWithOwnScores } from './support/compare.js'
import { referenceLayer, type LayerProblem } from './support/layer-reference.js'
import { length, seeds } from './support/problems.js'
import { describeProperties } from './support/runs.js'
import { join, Random, range, take, type Floats } from './support/tensors.js'

const small = (low: number, high: number) => fc.integer({ min: low, max: high })

const required = {
  batch: small(1, 2),
  kvHeads: small(1, 3),
  group: small(1, 2),
  queries: length(0),
  /** Half of it; rotary turns pairs. */
  pairs: small(1, 8),
  valueDim: small(1, 12),
  model: small(1, 24),
  seed: seeds,
}

const optional = {
  cross: fc.record({ keys: length(0), keyInput: small(1, 12), valueInput: small(1, 12) }),
  biases: fc.constant(true),
  rotary: fc.record({ interleaved: fc.boolean(), half: fc.boolean(), positions: fc.boolean() }),
  alibi: fc.constant(true),
  causal: fc.constant(true),
  causalOffset: small(-3, 14),
  window: fc.tuple(small(-1, 14), small(-1, 14)),
  softcap: fc.double({ min: 0.5, max: 20, noNaN: true }),
  keyMask: fc.constant(true),
  headMask: fc.constant(true),
  mask: fc.record({ boolean: fc.boolean() }),
}

function layerSpecs(names: readonly (keyof typeof optional)[]) {
  const chosen = Object.fromEntries(names.map((name) => [name, optional[name]]))
  const given = fc.record(chosen, { requiredKeys: [] }) as unknown as fc.Arbitrary<{
    [Name in keyof typeof optional]?: (typeof optional)[Name] extends fc.Arbitrary<infer T>
      ? T
      : never
  }>
  return fc.tuple(fc.record(required), given).map(([sizes, options]) => ({ ...sizes, ...options }))
}

type LayerSpec = ReturnType<typeof layerSpecs> extends fc.Arbitrary<infer T> ? T : never

function buildLayer(spec: LayerSpec): LayerProblem & { weights: SeparateWeights } {
  const random = new Random(spec.seed)
  const { batch, queries, kvHeads, valueDim, model, cross } = spec
  const heads = kvHeads * spec.group
  const headDim = 2 * spec.pairs
  const matrix = (out: number, inputs: number) =>
    random.normals([out, inputs], 1 / Math.sqrt(inputs))
  const keys = cross?.keys ?? queries
  const weights: SeparateWeights = {
    query: matrix(heads * headDim, model),
    key: matrix(kvHeads * headDim, cross?.keyInput ?? model),
    value: matrix(kvHeads * valueDim, cross?.valueInput ?? model),
    output: matrix(model, heads * valueDim),
    ...(spec.biases && {
      queryBias: random.normals([heads * headDim], 0.5),
      keyBias: random.normals([kvHeads * headDim], 0.5),
      valueBias: random.normals([kvHeads * valueDim], 0.5),
      outputBias: random.normals([model], 0.5),
    }),
  }
  const mask =
    spec.mask &&
    (spec.mask.boolean
      ? random.booleans([heads, queries, keys], 0.7)
      : random.normals([heads, queries, keys]))
  return {
    sizes: { heads, kvHeads, headDim, valueDim },
    weights,
    query: random.normals([batch, queries, model]),
    key: cross && random.normals([batch, keys, cross.keyInput]),
    value: cross && random.normals([batch, keys, cross.valueInput]),
    rotary: spec.rotary && {
      interleaved: spec.rotary.interleaved,
      ...(spec.rotary.half && { dim: 2 * Math.ceil(spec.pairs / 2) }),
    },
    positions: spec.rotary?.positions
      ? range(0, queries).map(() => random.integer(0, 50))
      : undefined,
    slopes: spec.alibi && range(0, heads).map(() => Math.fround(random.uniform() / 2)),
    options: {
      ...(spec.causal && { causal: true }),
      ...(spec.causalOffset !== undefined && { causalOffset: spec.causalOffset }),
      ...(spec.window && { window: spec.window }),
      ...(spec.softcap !== undefined && { softcap: Math.fround(spec.softcap) }),
      ...(spec.keyMask && { keyMask: random.booleans([batch, keys], 0.8) }),
      ...(spec.headMask && { headMask: range(0, heads).map(() => random.integer(-2, 2) / 2) }),
      ...(mask && { mask }),
    },
  }
}

function makeLayer(hw: Runtime, problem: LayerProblem) {
  const { sizes, weights, rotary, slopes } = problem
  return hw.createMultiHeadAttention({
    dModel: problem.query.dims[2] ?? 0,
    numHeads: sizes.heads,
    kvHeads: sizes.kvHeads,
    headDim: sizes.headDim,
    valueHeadDim: sizes.valueDim,
    keyInputDim: (problem.key ?? problem.query).dims[2] ?? 0,
    valueInputDim: (problem.value ?? problem.query).dims[2] ?? 0,
    weights,
    ...(rotary && { rotary }),
    ...(slopes && { alibi: Float32Array.from(slopes) }),
  })
}

function forwardOptions({ options, key, value, positions }: LayerProblem) {
  return {
    ...options,
    ...(key && { key }),
    ...(value && { value }),
    ...(positions && { positions }),
  } as MultiHeadAttentionForwardOptions
}

/** Makes the layer, runs it once and disposes of it. */
function run(hw: Runtime, problem: LayerProblem, extra: MultiHeadAttentionForwardOptions = {}) {
  const layer = makeLayer(hw, problem)
  try {
    return layer.forward(problem.query, { ...forwardOptions(problem), ...extra })
  } finally {
    layer.dispose()
  }
}

const everything = { returnWeights: true, returnHeads: true }
const allOptions = Object.keys(optional) as (keyof typeof optional)[]

describeProperties('the layer', (property) => {
  property('the layer agrees with its reference', layerSpecs(allOptions), (hw, spec) => {
    const problem = buildLayer(spec)
    const got = run(hw, problem, everything)
    const expected = referenceLayer(problem, problem.weights)
    expectNear('output', got.output, expected.output, nearWithOwnScores)
    expectNear('weights', got.weights, expected.weights, nearWithOwnScores)
    expectNear('heads', got.heads, expected.heads, nearWithOwnScores)
    expectSameBits('output', run(hw, problem).output, got.output)
  })

  property(
    'one fused matrix gives the bits of three',
    layerSpecs(['biases', 'causal', 'rotary']),
    (hw, spec) => {
      const separate = buildLayer(spec)
      const { query, key, value, output, outputBias, ...biases } = separate.weights
      const { queryBias, keyBias, valueBias } = biases as Record<string, Floats | undefined>
      const qkvBias = queryBias && keyBias && valueBias && [queryBias, keyBias, valueBias]
      const joined = (parts: Floats[]) => parts.reduce((all, part) => join(all, part, 0))
      const fused: LayerProblem = {
        ...separate,
        weights: {
          qkv: joined([query, key, value] as Floats[]),
          output,
          ...(qkvBias && { qkvBias: joined(qkvBias) }),
          ...(outputBias && { outputBias }),
        },
      }
      expectSameBits('output', run(hw, fused).output, run(hw, separate).output)
    },
  )

  property(
    'a layer with a cache equals one pass',
    layerSpecs(['biases', 'rotary', 'alibi', 'window', 'softcap', 'headMask']).map((spec) => ({
      ...spec,
      causal: true as const,
      ...(spec.rotary && { rotary: { ...spec.rotary, positions: false } }),
    })),
    (hw, spec) => {
      const problem = buildLayer(spec)
      const { sizes, query } = problem
      const whole = run(hw, problem).output
      const layer = makeLayer(hw, problem)
      const cache = hw.createKeyValueCache({
        batch: spec.batch,
        kvHeads: sizes.kvHeads,
        headDim: sizes.headDim,
        valueHeadDim: sizes.valueDim,
        capacity: spec.queries + 1,
      })
      try {
        const random = new Random(spec.seed + 1)
        for (let first = 0; first < spec.queries;) {
          const end = random.integer(first + 1, spec.queries)
          const order = range(first, end)
          const options = { ...forwardOptions(problem), cache }
          const got = layer.forward(take(query, 1, order), options)
          expectNear('output', got.output, take(whole, 1, order).data, nearWithOwnScores)
          first = end
        }
      } finally {
        cache.dispose()
        layer.dispose()
      }
    },
  )
})
