// The public conformance cases of the ONNX operator Attention, on every build and entrance.
import type { AttentionOptions } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  conformanceTensor,
  readCases,
  sharedFolder,
  type ConformanceTensor,
  type FloatTensor,
} from './support/cases.js'
import { absoluteAndRelative, expectClose } from './support/compare.js'
import { configurations, type CaseRuntime } from './support/configurations.js'

interface Case {
  name: string
  precision: string
  options: AttentionOptions
  inputs: Record<string, ConformanceTensor>
  expect: Record<string, ConformanceTensor>
  tolerance: { absolute: number; relative: number }
}

const folder = sharedFolder('conformance/attention')
const cases = folder === null ? [] : readCases<Case>(folder)

describe.skipIf(folder === null)('ONNX Attention', () => {
  describe.each(configurations)('$name', ({ name, open }) => {
    let hw: CaseRuntime
    let passed = 0
    beforeAll(async () => {
      hw = await open()
    })
    afterAll(() => {
      hw.dispose()
      process.stdout.write(`ONNX cases, ${name}: ${passed} of ${cases.length}\n`)
    })

    test.each(cases)('$name', async ({ inputs, options, precision, tolerance, ...one }) => {
      const { query, key, value, kvLengths, ...others } = Object.fromEntries(
        Object.entries(inputs).map(([name, tensor]) => [name, conformanceTensor(tensor)]),
      )
      const result = await hw.attention(
        query as FloatTensor,
        key as FloatTensor,
        value as FloatTensor,
        { ...options, ...others, ...(kvLengths && { kvLengths: kvLengths.data as Int32Array }) },
      )
      // float32 cases must agree far better than their own tolerance asks.
      const allowed =
        precision === 'float32'
          ? absoluteAndRelative(5e-6, 5e-6)
          : absoluteAndRelative(tolerance.absolute, tolerance.relative)
      for (const [name, tensor] of Object.entries(one.expect)) {
        const came = result[name as keyof typeof result]
        expectClose(name, came, conformanceTensor(tensor) as FloatTensor, allowed)
      }
      expect(hw.info.memory.used).toBe(0)
      passed++
    })
  })
})
