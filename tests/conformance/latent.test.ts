// The cases of latent attention, on every build and entrance.
import type { TensorLike } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { usedMemory } from '../module/support/runtimes.js'
import { floatTensor, readCases, sharedFolder, type CaseTensor } from './support/cases.js'
import {
  expectClose,
  expectRowsSumToOne,
  expectZerosExact,
  relativeToRow,
} from './support/compare.js'
import { configurations, type CaseRuntime } from './support/configurations.js'

type InputName = 'queryNope' | 'queryRope' | 'latent' | 'keyRope' | 'W_UK' | 'W_UV'
const resultNames = ['output', 'weights'] as const

interface Case {
  name: string
  inputs: Record<InputName, CaseTensor>
  options: { form: 'expanded' | 'absorbed'; causal: boolean }
  expect: Partial<Record<(typeof resultNames)[number], CaseTensor>> & { properties?: string[] }
  tolerance: number
}

const folder = sharedFolder('cases/latent_attention')
const cases = folder === null ? [] : readCases<Case>(folder)

describe.skipIf(folder === null)('latent attention', () => {
  describe.each(configurations)('$name', ({ name: configuration, open }) => {
    let hw: CaseRuntime
    let passed = 0
    beforeAll(async () => {
      hw = await open()
    })
    afterAll(() => {
      hw.dispose()
      process.stdout.write(`latent cases, ${configuration}: ${passed} of ${cases.length}\n`)
    })

    test.each(cases)('$name', async ({ inputs, options, tolerance, ...one }) => {
      const tensor = (name: InputName): TensorLike => floatTensor(inputs[name])
      const result = await hw.latentAttention(
        {
          queryNope: tensor('queryNope'),
          queryRope: tensor('queryRope'),
          latent: tensor('latent'),
          keyRope: tensor('keyRope'),
          weights: { uk: tensor('W_UK'), uv: tensor('W_UV') },
        },
        { ...options, returnWeights: true },
      )
      for (const name of resultNames) {
        const [got, expected] = [result[name], one.expect[name]]
        if (got === undefined || expected === undefined) continue
        expectClose(name, got, floatTensor(expected), relativeToRow(tolerance))
        if (one.expect.properties?.includes('zeros are exact') === true) {
          expectZerosExact(name, got, floatTensor(expected))
        }
      }
      expect(result.weights).toBeDefined()
      if (result.weights) expectRowsSumToOne('weights', result.weights, tolerance)
      expect(await usedMemory(hw)).toBe(0)
      passed++
    })
  })
})
