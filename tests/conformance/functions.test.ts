// The cases of the functions that need no WebAssembly: tokens, parameter counts, head scores.
import * as headwise from 'headwise'
import * as core from 'headwise/core'
import { afterAll, describe, expect, test } from 'vitest'

import {
  floatTensor,
  readCases,
  sharedFolder,
  type CaseTensor,
  type FloatTensor,
} from './support/cases.js'
import { expectClose, relativeToRow } from './support/compare.js'
import { expectRefused } from './support/refused.js'

const folder = sharedFolder('cases')
const casesOf = <T>(op: string): T[] => (folder === null ? [] : readCases<T>(`${folder}/${op}`))

const entrances = [
  { name: 'headwise', module: headwise },
  { name: 'headwise/core', module: core },
]

interface TokensCase {
  name: string
  inputs: { tokens: string[] }
  expect: { groups: headwise.TokenGroup[] }
}

interface CountCase {
  name: string
  options: headwise.ParameterCountOptions
  expect: { count?: number; error?: { mustMention: string[] } }
}

interface ScoresCase {
  name: string
  inputs: Record<string, CaseTensor>
  options: headwise.ScoreHeadsOptions
  expect: { scores: CaseTensor }
  tolerance: number
}

const tokens = casesOf<TokensCase>('tokens')
const counts = casesOf<CountCase>('parameter_count')
const scores = casesOf<ScoresCase>('head_scores')

describe.skipIf(folder === null).each(entrances)('$name', ({ module }) => {
  let passed = 0
  afterAll(() => {
    const all = tokens.length + counts.length + scores.length
    process.stdout.write(`tokens, parameter counts and head scores: ${passed} of ${all}\n`)
  })

  test.each(tokens)('$name', (one) => {
    const bytes = one.inputs.tokens.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))
    expect(module.groupTokens(bytes)).toEqual(one.expect.groups)
    passed++
  })

  test.each(counts)('$name', async ({ options, ...one }) => {
    if (one.expect.error) {
      await expectRefused(() => module.parameterCount(options), one.expect.error.mustMention)
    } else {
      expect(module.parameterCount(options)).toBe(one.expect.count)
    }
    passed++
  })

  test.each(scores)('$name', ({ inputs, options, tolerance, ...one }) => {
    const maps: FloatTensor[] = Object.values(inputs).map((tensor) => floatTensor(tensor))
    const before = maps.map(({ data }) => data.slice())
    const result = module.scoreHeads(maps, 'previous_token_head', options)
    expectClose('scores', result, floatTensor(one.expect.scores), relativeToRow(tolerance))
    expect(maps.map(({ data }) => data)).toEqual(before)
    passed++
  })
})
