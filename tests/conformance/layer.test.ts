// The cases of the multi-head attention layer, on every build and entrance; and what torch's own
// layer gave (tests/golden), which needs no other folder.
import { fileURLToPath } from 'node:url'

import type {
  MultiHeadAttentionForwardOptions,
  MultiHeadAttentionResult,
  TensorLike,
} from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { usedMemory } from '../module/support/runtimes.js'
import {
  caseTensor,
  floatTensor,
  readCases,
  sharedFolder,
  type CaseTensor,
  type FloatTensor,
} from './support/cases.js'
import {
  expectClose,
  expectRowsSumToOne,
  expectZerosExact,
  relativeToRow,
} from './support/compare.js'
import { configurations, type CaseRuntime } from './support/configurations.js'
import { layerCall } from './support/layer.js'

const resultNames = ['output', 'weights', 'heads'] as const

interface Case {
  name: string
  inputs: Record<string, CaseTensor>
  options: Record<string, unknown>
  expect: Partial<Record<(typeof resultNames)[number], CaseTensor>> & { properties?: string[] }
  tolerance: number
}

const sources = [
  { title: 'multi-head attention layer', folder: sharedFolder('cases/multi_head_attention') },
  {
    title: 'torch.nn.MultiheadAttention',
    folder: fileURLToPath(new URL('../golden/torch-mha', import.meta.url)),
  },
]

/** The sum of what the heads add, plus the output's bias, is the output. */
function expectHeadsSumToOutput(
  { output, heads }: MultiHeadAttentionResult,
  bias: FloatTensor | undefined,
  tolerance: number,
): void {
  const [batch = 0, count = 0, length = 0, width = 0] = heads?.dims ?? []
  const sum = new Float32Array(output.data.length)
  for (let b = 0; b < batch; b++) {
    for (let place = 0; place < length * width; place++) {
      let total = bias?.data[place % width] ?? 0
      for (let head = 0; head < count; head++) {
        total += heads?.data[(b * count + head) * length * width + place] ?? NaN
      }
      sum[b * length * width + place] = total
    }
  }
  const expected = { data: sum, dims: [...output.dims] }
  expectClose('sum of heads', output, expected, relativeToRow(tolerance))
}

describe.each(sources)('$title', ({ title, folder }) => {
  const cases = folder === null ? [] : readCases<Case>(folder)
  test.skipIf(folder === null)('has cases', () => expect(cases.length).toBeGreaterThan(0))

  describe.each(configurations)('$name', ({ name, open }) => {
    let hw: CaseRuntime
    let passed = 0
    beforeAll(async () => {
      hw = await open()
    })
    afterAll(() => {
      hw.dispose()
      process.stdout.write(`${title}, ${name}: ${passed} of ${cases.length}\n`)
    })

    test.each(cases)('$name', async (one) => {
      const inputs = Object.fromEntries(
        Object.entries(one.inputs).map(([name, tensor]) => [name, caseTensor(tensor)]),
      )
      const wanted: MultiHeadAttentionForwardOptions = {
        returnWeights: one.expect.weights !== undefined,
        returnHeads: one.expect.heads !== undefined,
      }
      const result = await layerCall(hw, inputs as Record<string, TensorLike>, one.options, wanted)
      for (const name of resultNames) {
        const expected = one.expect[name]
        if (expected === undefined) continue
        expectClose(name, result[name], floatTensor(expected), relativeToRow(one.tolerance))
      }
      for (const property of one.expect.properties ?? []) {
        if (property === 'rows sum to 1' && result.weights) {
          expectRowsSumToOne('weights', result.weights, one.tolerance)
        } else if (property === 'zeros are exact') {
          for (const name of resultNames) {
            const [got, expected] = [result[name], one.expect[name]]
            if (got && expected) expectZerosExact(name, got, floatTensor(expected))
          }
        } else if (property === 'heads summed over heads plus b_O equals output') {
          const bias = inputs['b_O'] as FloatTensor | undefined
          expectHeadsSumToOutput(result, bias, one.tolerance)
        } else {
          expect(property).toMatch(/^(agrees with case |rows sum to 1)/)
        }
      }
      expect(await usedMemory(hw)).toBe(0)
      passed++
    })
  })
})
