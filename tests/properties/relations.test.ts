// What two different calls of the op must have in common.

import { expectNear, expectSameBits, near, nearWithOwnScores } from './support/compare.js'
import {
  allOptions,
  attend,
  build,
  hasUnitScores,
  specs,
  type Problem,
  type Spec,
} from './support/problems.js'
import { describeProperties } from './support/runs.js'
import {
  join,
  pack,
  Random,
  range,
  spread,
  take,
  type Booleans,
  type Floats,
} from './support/tensors.js'

/** The mask with all its axes, so that they can be rearranged. */
function wholeMask({
  options: { mask },
  query,
  totalKeys,
}: Problem): Floats | Booleans | undefined {
  if (mask === undefined) return undefined
  return spread<Floats | Booleans>(mask, [...query.dims.slice(0, 3), totalKeys])
}

interface Results {
  output: Floats
  weights?: Floats
}

function expectNearTo(got: Results, expected: Results, problem: Problem): void {
  const tolerance = hasUnitScores(problem) ? near : nearWithOwnScores
  expectNear('output', got.output, expected.output.data, tolerance)
  if (expected.weights) expectNear('weights', got.weights, expected.weights.data, tolerance)
}

const rows = (result: Results, axis: number, order: readonly number[]): Results => ({
  output: take(result.output, axis, order),
  ...(result.weights && { weights: take(result.weights, axis, order) }),
})

/** Lengths that sum to `length`, none of them 0. */
function chunks(length: number, random: Random): [first: number, end: number][] {
  const parts: [number, number][] = []
  for (let first = 0; first < length;) {
    const end = random.integer(first + 1, Math.min(length, first + (random.chance(0.5) ? 1 : 20)))
    parts.push([first, end])
    first = end
  }
  return parts
}

/** Self-attention, as decoders use it: as many queries as keys. */
const decoding = specs(['window', 'softcap', 'scale', 'keyMask', 'headMask']).map((spec): Spec => ({
  ...spec,
  causal: true,
  keys: spec.queries,
}))

/** Tokens [first, end) of a self-attention problem. */
function tokens({ query, key, value }: Problem, first: number, end: number) {
  const order = range(first, end)
  return [take(query, 2, order), take(key, 2, order), take(value, 2, order)] as const
}

/** The options of a problem when only the first `length` keys are there yet. */
function optionsUpTo({ options }: Problem, length: number) {
  const { keyMask } = options
  return { ...options, ...(keyMask && { keyMask: take(keyMask, 1, range(0, length)) }) }
}

describeProperties('pairs of calls', (property) => {
  property('permuting heads permutes results', specs(allOptions), (hw, spec) => {
    const problem = build(spec)
    const random = new Random(spec.seed + 1)
    const kvOrder = random.permutation(spec.kvHeads)
    const order = kvOrder.flatMap((kvHead) =>
      random.permutation(spec.group).map((member) => kvHead * spec.group + member),
    )
    const { query, key, value, past, options } = problem
    const mask = wholeMask(problem)
    const permuted: Problem = {
      ...problem,
      query: take(query, 1, order),
      key: take(key, 1, kvOrder),
      value: take(value, 1, kvOrder),
      past: past && { key: take(past.key, 1, kvOrder), value: take(past.value, 1, kvOrder) },
      options: {
        ...options,
        ...(mask && { mask: take<Floats | Booleans>(mask, 1, order) }),
        ...(options.headMask && { headMask: order.map((head) => options.headMask?.[head] ?? 0) }),
      },
    }
    const returned = { returnWeights: true }
    expectNearTo(
      attend(hw, permuted, returned),
      rows(attend(hw, problem, returned), 1, order),
      problem,
    )
  })

  property(
    'permuting keys with their mask changes nothing',
    specs(['softcap', 'scale', 'mask', 'keyMask', 'headMask']).map((spec) => ({
      ...spec,
      // Whatever is cut off would have to move along.
      ...(spec.mask && { mask: { ...spec.mask, short: 0 } }),
    })),
    (hw, spec) => {
      const problem = build(spec)
      const order = new Random(spec.seed + 1).permutation(spec.keys)
      const { key, value, options } = problem
      const mask = wholeMask(problem)
      const permuted: Problem = {
        ...problem,
        key: take(key, 2, order),
        value: take(value, 2, order),
        options: {
          ...options,
          ...(mask && { mask: take<Floats | Booleans>(mask, 3, order) }),
          ...(options.keyMask && { keyMask: take(options.keyMask, 1, order) }),
        },
      }
      const tolerance = hasUnitScores(problem) ? near : nearWithOwnScores
      const expected = attend(hw, problem).output.data
      expectNear('output', attend(hw, permuted).output, expected, tolerance)
    },
  )

  property('a causal prefix equals the shorter run', decoding, (hw, spec) => {
    const problem = build(spec)
    const length = new Random(spec.seed + 1).integer(0, spec.queries)
    const [query, key, value] = tokens(problem, 0, length)
    const shorter = hw.attention(query, key, value, optionsUpTo(problem, length))
    const whole = rows(attend(hw, problem), 2, range(0, length))
    expectNearTo(shorter, whole, problem)
  })

  property('a cache in any chunking equals one pass', decoding, (hw, spec) => {
    const problem = build(spec)
    const random = new Random(spec.seed + 1)
    const whole = attend(hw, problem)
    const cache = hw.createKeyValueCache({
      batch: spec.batch,
      kvHeads: spec.kvHeads,
      headDim: spec.headDim,
      valueHeadDim: spec.valueDim,
      capacity: spec.queries + random.integer(1, 5),
    })
    try {
      for (const [first, end] of chunks(spec.queries, random)) {
        const [query, key, value] = tokens(problem, first, end)
        const options = { ...optionsUpTo(problem, end), cache }
        if (random.chance(0.2)) {
          // What was appended can be taken back and appended again.
          hw.attention(query, key, value, options)
          cache.truncate(first)
        }
        const got = hw.attention(query, key, value, options)
        const expected = rows(whole, 2, range(first, end))
        expectNearTo(got, expected, problem)
      }
      expectSameBits('cached keys', cache.keys(), problem.key)
      expectSameBits('cached values', cache.values(), problem.value)
    } finally {
      cache.dispose()
    }
  })

  property('a past in any chunking equals one pass', decoding, (hw, spec) => {
    const problem = build(spec)
    const whole = attend(hw, problem)
    let past: { key: Floats; value: Floats } | undefined
    for (const [first, end] of chunks(spec.queries, new Random(spec.seed + 1))) {
      const [query, key, value] = tokens(problem, first, end)
      const got = hw.attention(query, key, value, {
        ...optionsUpTo(problem, end),
        ...(past && { pastKey: past.key, pastValue: past.value }),
      })
      expectNearTo(got, rows(whole, 2, range(first, end)), problem)
      past = past
        ? { key: join(past.key, key, 2), value: join(past.value, value, 2) }
        : { key, value }
      if (first > 0) {
        expectSameBits('presentKey', got.presentKey, past.key)
        expectSameBits('presentValue', got.presentValue, past.value)
      }
    }
  })

  property('packed equals unpacked', specs(allOptions), (hw, spec) => {
    const problem = build(spec)
    const returned = { returnScores: 'softcapped', returnWeights: true } as const
    const unpacked = attend(hw, problem, returned)
    const packed = attend(
      hw,
      {
        ...problem,
        query: pack(problem.query),
        key: pack(problem.key),
        value: pack(problem.value),
      },
      { ...returned, numHeads: spec.kvHeads * spec.group, kvHeads: spec.kvHeads },
    )
    expectSameBits('output', packed.output, pack(unpacked.output))
    for (const name of ['scores', 'weights', 'presentKey', 'presentValue'] as const) {
      const expected = unpacked[name]
      if (expected) expectSameBits(name, packed[name], expected)
    }
  })

  property('grouped heads equal repeated heads', specs(allOptions), (hw, spec) => {
    const problem = build(spec)
    const { key, value, past } = problem
    const order = range(0, spec.kvHeads).flatMap((head) => Array<number>(spec.group).fill(head))
    const repeated: Problem = {
      ...problem,
      key: take(key, 1, order),
      value: take(value, 1, order),
      past: past && { key: take(past.key, 1, order), value: take(past.value, 1, order) },
    }
    const returned = { returnWeights: true }
    expectNearTo(attend(hw, problem, returned), attend(hw, repeated, returned), problem)
  })
})
