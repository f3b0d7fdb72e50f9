// The shipped model through the module: what the page shows, and the golden activations.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { RunResult } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { SafetensorsReader } from '../../web/module/dist/model/safetensors.js'
import { configurations, core, type AnyRuntime } from './support/runtimes.js'

const folder = new URL('../../web/models/minilm-l6/', import.meta.url)
const text = 'The cat sat on the mat because it was tired'

/** One row of a head's map: what the query token looks at, by token. */
function row(run: RunResult, layer: number, head: number, query: number): number[] {
  const { data, dims } = run.cache.get(`blocks.${layer}.attn.hook_pattern`)
  const length = dims[3] ?? 0
  const start = (head * length + query) * length
  return [...data.subarray(start, start + length)]
}

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  let run: RunResult
  beforeAll(async () => {
    hw = await open()
    const model = await hw.loadModel(folder)
    expect(model.config.dtype).toBe('int8')
    run = await model.run(text, { names: ['blocks.*.attn.hook_pattern'] })
  })
  afterAll(() => hw.dispose())

  test('the default sentence and its tokens', () => {
    expect(run.tokens.join(' ')).toBe('[CLS] the cat sat on the mat because it was tired [SEP]')
  })

  test('it looks at cat: 0.68 in 5.11, 0.49 in 3.1', () => {
    const [it, cat] = [run.tokens.indexOf('it'), run.tokens.indexOf('cat')]
    const weight = (layer: number, head: number) => row(run, layer, head, it)[cat] ?? NaN
    expect(Math.abs(weight(5, 11) - 0.68)).toBeLessThanOrEqual(0.02)
    expect(Math.abs(weight(3, 1) - 0.49)).toBeLessThanOrEqual(0.03)
  })

  test('head 0.2 puts each row on the previous token', () => {
    for (let query = 1; query < run.tokens.length; query++) {
      expect(row(run, 0, 2, query)[query - 1]).toBeGreaterThanOrEqual(0.99)
    }
  })

  test('every row of every map sums to 1', () => {
    for (let layer = 0; layer < 6; layer++) {
      for (let head = 0; head < 12; head++) {
        for (let query = 0; query < run.tokens.length; query++) {
          const sum = row(run, layer, head, query).reduce((total, weight) => total + weight, 0)
          expect(Math.abs(sum - 1)).toBeLessThan(1e-5)
        }
      }
    }
  })
})

interface Golden {
  text: string
  tensors: Map<string, { dims: number[]; data: Float32Array | Int32Array }>
}

function readGolden(name: string): Golden {
  const path = fileURLToPath(new URL(`../golden/minilm-l6/${name}.safetensors`, import.meta.url))
  const bytes = readFileSync(path)
  const reader = new SafetensorsReader(path)
  const tensors: Golden['tensors'] = new Map()
  for (const { name: own, dtype, dims, bytes: stored } of reader.push(bytes)) {
    const data = dtype === 'I32' ? new Int32Array(stored.buffer) : new Float32Array(stored.buffer)
    tensors.set(own, { dims, data })
  }
  reader.end()
  return { text: name, tensors }
}

function largestDifference(got: Float32Array, expected: ArrayLike<number>): number {
  return got.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? NaN))), 0)
}

describe.each(['short', 'pair', 'long'])('golden activations in float32: %s', (name) => {
  const golden = readGolden(name)
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await core.open()
  })
  afterAll(() => hw.dispose())

  test('patterns within 2e-5, the last hidden state within 1e-4', async () => {
    const model = await hw.loadModel(folder, { dtype: 'float32' })
    const ids = [...(golden.tensors.get('ids')?.data ?? [])]
    const typeIds = [...(golden.tensors.get('type_ids')?.data ?? [])]
    const kept = [...golden.tensors.keys()].filter((key) => /^(blocks|embed|hook)/.test(key))
    const run = await model.run({ ids, typeIds }, { names: kept })
    let patterns = 0
    for (const key of kept) {
      const expected = golden.tensors.get(key)
      const got = run.cache.get(key)
      expect(got.dims, key).toEqual(expected?.dims)
      if (!key.endsWith('hook_pattern')) continue
      patterns++
      expect(largestDifference(got.data, expected?.data ?? []), key).toBeLessThanOrEqual(2e-5)
    }
    expect(patterns).toBe(6)
    const hidden = golden.tensors.get('last_hidden_state')
    expect(run.output?.dims).toEqual(hidden?.dims)
    const output = run.output?.data ?? new Float32Array()
    expect(largestDifference(output, hidden?.data ?? [])).toBeLessThanOrEqual(1e-4)
  })
})
