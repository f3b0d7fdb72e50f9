// Bug reports of other attention libraries as cases for the op, on every build and entrance.
import type { AttentionOptions, AttentionResult, Tensor, TensorLike } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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
  expectExact,
  expectRowsSumToOne,
  expectSameBits,
  expectZerosExact,
  relativeToRow,
} from './support/compare.js'
import { configurations, type CaseRuntime } from './support/configurations.js'
import { expectRefused } from './support/refused.js'

interface Case {
  name: string
  inputs: Record<string, CaseTensor>
  options: AttentionOptions & { inputAsSubarrayOffset?: number }
  expect: Record<ResultName, CaseTensor> & {
    error?: { mustMention: string[] }
    properties?: string[]
  }
  tolerance: number
}

const resultNames = ['output', 'scores', 'weights', 'presentKey', 'presentValue'] as const
type ResultName = (typeof resultNames)[number]

const folder = sharedFolder('cases/attention')
const cases = folder === null ? [] : readCases<Case>(folder)

type Call = (extra?: AttentionOptions, on?: CaseRuntime) => Promise<AttentionResult>

/**
 * What a case says beyond its numbers. That it agrees with another case is in those numbers, and
 * that inputs are unchanged is tested of every case.
 */
async function checkProperty(
  property: string,
  one: Case,
  result: AttentionResult,
  call: Call,
  others: () => Promise<CaseRuntime[]>,
) {
  const each = (check: (name: string, got: Tensor, expected: FloatTensor) => void) => {
    for (const name of resultNames) {
      const got = result[name]
      const expected = one.expect[name] as CaseTensor | undefined
      if (got && expected) check(name, got, floatTensor(expected))
    }
  }
  switch (property) {
    case 'rows sum to 1':
      if (result.weights) expectRowsSumToOne('weights', result.weights, one.tolerance)
      break
    case 'zeros are exact':
      each(expectZerosExact)
      break
    case 'values are exact':
      each(expectExact)
      break
    case 'output has the same bits with and without returned weights':
      for (const returnWeights of [false, true]) {
        expectSameBits('output', (await call({ returnWeights })).output, result.output)
      }
      break
    case 'same bits for any number of threads':
      for (const other of await others()) {
        expectSameBits('output', (await call({}, other)).output, result.output)
      }
      break
    case 'same bits when repeated 20 times':
      for (let i = 0; i < 20; i++) expectSameBits('output', (await call()).output, result.output)
      break
    default:
      expect(property).toMatch(/^(agrees with case |inputs are unchanged afterwards)/)
  }
}

describe.skipIf(folder === null)('attention', () => {
  describe.each(configurations)('$name', ({ name, open, openOn }) => {
    let hw: CaseRuntime
    let passed = 0
    let others: Promise<CaseRuntime[]> | undefined
    /** The same build on other numbers of threads, where it has them. */
    const openOthers = () => {
      others ??= Promise.all(openOn === undefined ? [] : [1, 2, 5].map(openOn))
      return others
    }
    beforeAll(async () => {
      hw = await open()
    })
    afterAll(async () => {
      for (const runtime of [hw, ...((await others) ?? [])]) runtime.dispose()
      process.stdout.write(`attention cases, ${name}: ${passed} of ${cases.length}\n`)
    })

    test.each(cases)('$name', async (one) => {
      const { inputAsSubarrayOffset = 0, ...options } = one.options
      const inputs = () =>
        Object.fromEntries(
          Object.entries(one.inputs).map(([name, tensor]) => [
            name,
            caseTensor(tensor, inputAsSubarrayOffset),
          ]),
        )
      const given = inputs()
      const { query, key, value, ...others } = given
      const call: Call = async (extra, on = hw) =>
        on.attention(query as TensorLike, key as TensorLike, value as TensorLike, {
          ...options,
          ...others,
          ...extra,
        })
      if (one.expect.error) {
        await expectRefused(call, one.expect.error.mustMention)
      } else {
        const result = await call()
        for (const name of resultNames) {
          const expected = one.expect[name] as CaseTensor | undefined
          if (expected) {
            expectClose(name, result[name], floatTensor(expected), relativeToRow(one.tolerance))
          }
        }
        for (const property of one.expect.properties ?? []) {
          await checkProperty(property, one, result, call, openOthers)
        }
      }
      expect(given, 'inputs are unchanged afterwards').toEqual(inputs())
      expect(hw.info.memory.used).toBe(0)
      passed++
    })
  })
})
