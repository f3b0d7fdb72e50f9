// The op against the double-precision reference, with every shape and option at random, and what
// it promises of a single call: one arithmetic, inputs left alone, nothing hidden in the result.
import type { AttentionResult } from 'headwise'

import {
  expectNear,
  expectSameBits,
  expectSameZeros,
  near,
  nearWithOwnScores,
} from './support/compare.js'
import {
  allOptions,
  attend,
  build,
  callOptions,
  hasUnitScores,
  reference,
  specs,
} from './support/problems.js'
import { describeProperties } from './support/runs.js'
import { join, Random, type Floats } from './support/tensors.js'

const points = ['scaled', 'softcapped', 'biased'] as const
const resultNames = ['output', 'scores', 'weights', 'presentKey', 'presentValue'] as const

function expectAllSameBits(got: AttentionResult, expected: AttentionResult): void {
  for (const name of resultNames) {
    const tensor = got[name]
    if (tensor !== undefined) expectSameBits(name, tensor, expected[name] ?? tensor)
  }
}

describeProperties('the op', (property) => {
  property('agrees with the reference', specs(allOptions), (hw, spec) => {
    const problem = build(spec)
    const { past, key, value } = problem
    const point = points[spec.seed % 3] ?? 'scaled'
    const got = attend(hw, problem, { returnScores: point, returnWeights: true })
    const expected = reference(problem)
    const tolerance = hasUnitScores(problem) ? near : nearWithOwnScores
    expectNear('output', got.output, expected.output, tolerance)
    expectNear('weights', got.weights, expected.weights, tolerance)
    expectNear('scores', got.scores, expected[point], tolerance)
    expectSameZeros('weights', got.weights, expected.weights)
    if (past) {
      expectSameBits('presentKey', got.presentKey, join(past.key, key, 2))
      expectSameBits('presentValue', got.presentValue, join(past.value, value, 2))
    }
  })

  property('the same bits with and without weights, and again', specs(allOptions), (hw, spec) => {
    const problem = build(spec)
    const full = attend(hw, problem, { returnScores: 'biased', returnWeights: true })
    expectAllSameBits(attend(hw, problem), full)
    expectAllSameBits(attend(hw, problem, { returnWeights: true }), full)
    expectAllSameBits(attend(hw, problem, { returnScores: 'biased' }), full)
  })

  property('inputs are unchanged', specs(allOptions), (hw, spec) => {
    const problem = build(spec)
    const again = build(spec)
    attend(hw, problem, { returnScores: 'biased', returnWeights: true })
    const tensors = (of: typeof problem) =>
      Object.values({ ...callOptions(of), query: of.query, key: of.key, value: of.value })
    tensors(problem).forEach((tensor, i) => {
      if (typeof tensor === 'object' && 'dims' in tensor) {
        expectSameBits('an input', tensor, tensors(again)[i] as Floats)
      }
    })
  })

  // NaN and infinity in some keys and values: rows that see none of them are as if all were clean.
  property('nothing hidden reaches the result', specs(allOptions), (hw, spec) => {
    const clean = build(spec)
    const poisoned = build(spec)
    const random = new Random(spec.seed + 1)
    const { batch, kvHeads, group, queries, keys } = spec
    const bad: boolean[] = []
    const poison = ({ data, dims }: Floats, row: number) => {
      const width = dims[3] ?? 0
      data[row * width + random.integer(0, width - 1)] = random.chance(0.5) ? NaN : Infinity
    }
    for (let row = 0; row < batch * kvHeads * keys; row++) {
      bad[row] = random.chance(0.3)
      if (!bad[row]) continue
      if (random.chance(0.7)) poison(poisoned.key, row)
      if (random.chance(0.7)) poison(poisoned.value, row)
    }
    const { biased } = reference(clean)
    const expected = attend(hw, clean, { returnWeights: true })
    const got = attend(hw, poisoned, { returnWeights: true })
    const total = clean.totalKeys
    for (let row = 0; row < batch * kvHeads * group * queries; row++) {
      const kvHead = Math.floor(row / queries / group)
      const seesBad = bad
        .slice(kvHead * keys, (kvHead + 1) * keys)
        .some((is, j) => is && biased[row * total + total - keys + j] !== -Infinity)
      if (seesBad) continue
      const part = ({ data, dims }: { data: Float32Array; dims: readonly number[] }) => {
        const width = dims[3] ?? 0
        return { data: data.subarray(row * width, (row + 1) * width), dims: [1, width] }
      }
      if (!got.weights || !expected.weights) throw new Error('no weights')
      expectNear('weights', part(got.weights), part(expected.weights).data, near)
      expectNear('output', part(got.output), part(expected.output).data, near)
    }
  })
})
