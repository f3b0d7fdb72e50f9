// Calls that must be refused, through every entrance: the words of the message, nothing left
// allocated, and the next good call right.
import { parameterCount, type AttentionOptions, type TensorLike } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { entrances, type AnyRuntime } from '../module/support/runtimes.js'
import { numberOf, readJson, sharedFolder } from './support/cases.js'
import { layerCall } from './support/layer.js'
import { expectRefused } from './support/refused.js'

interface BadTensor {
  dims: (number | string)[]
  fill?: number
  bool?: number[]
  length?: number
  as?: 'Float64Array' | 'Int32Array' | 'Array' | 'null'
  handle?: string
}

interface BadInput {
  name: string
  op: 'attention' | 'multi_head_attention' | 'parameter_count'
  inputs: Record<string, BadTensor>
  options: Record<string, unknown>
  mustMention: string[]
}

const folder = sharedFolder('cases')
const cases = folder === null ? [] : (readJson(`${folder}/bad-inputs.json`) as BadInput[])

/** A dimension as given: "nan" is NaN, other text stays text. */
function dimension(dim: number | string): number | string {
  return dim === 'nan' ? NaN : dim
}

function badTensor({ dims, fill = 0, bool, length, as }: BadTensor): unknown {
  const size = length ?? dims.reduce<number>((product, dim) => product * Number(dim), 1)
  const data =
    as === 'null'
      ? null
      : as === 'Array'
        ? Array<number>(size).fill(fill)
        : as === 'Float64Array'
          ? new Float64Array(size).fill(fill)
          : as === 'Int32Array'
            ? new Int32Array(size)
            : bool
              ? Uint8Array.from(bool)
              : new Float32Array(size).fill(fill)
  return { data, dims: dims.map(dimension) }
}

/** Options as given: the strings "nan" and "inf" are numbers. */
function badOptions(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      value === 'nan' || value === 'inf' ? numberOf(value) : value,
    ]),
  )
}

async function disposedCache(hw: AnyRuntime) {
  const cache = await hw.createKeyValueCache({ batch: 2, kvHeads: 3, headDim: 8, capacity: 16 })
  cache.dispose()
  return cache
}

async function callBadly(hw: AnyRuntime, { op, inputs, options }: BadInput): Promise<unknown> {
  const { cache, ...tensors } = inputs
  const given = Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => [name, badTensor(tensor)]),
  )
  const all = badOptions(options)
  if (op === 'parameter_count') return parameterCount(all as never)
  if (op === 'multi_head_attention') return layerCall(hw, given as Record<string, TensorLike>, all)
  const { query, key, value, ...others } = given as Record<string, TensorLike>
  return hw.attention(query as TensorLike, key as TensorLike, value as TensorLike, {
    ...(all as AttentionOptions),
    ...others,
    ...(cache && { cache: await disposedCache(hw) }),
  })
}

/** A call that works: one key, whose value is the output. */
async function expectGoodCall(hw: AnyRuntime): Promise<void> {
  const tensor = { data: Float32Array.of(3), dims: [1, 1, 1, 1] }
  const { output } = await hw.attention(tensor, tensor, tensor)
  expect([...output.data]).toEqual([3])
}

describe.skipIf(folder === null)('bad input', () => {
  const messages = new Map<string, string>()

  describe.each(entrances)('$name', ({ open }) => {
    let hw: AnyRuntime
    let passed = 0
    beforeAll(async () => {
      hw = await open()
    })
    afterAll(() => {
      hw.dispose()
      process.stdout.write(`bad inputs: ${passed} of ${cases.length}\n`)
    })

    test.each(cases)('$name', async (one) => {
      const error = await expectRefused(() => callBadly(hw, one), one.mustMention)
      // Both entrances say the same.
      const known = messages.get(one.name)
      if (known !== undefined) expect(error.message).toBe(known)
      messages.set(one.name, error.message)
      await expectGoodCall(hw)
      expect(hw.info.memory.used).toBe(0)
      passed++
    })
  })
})
