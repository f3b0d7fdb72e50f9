// The fuzz command for a model's files (`npm run fuzz -- files`): that it finds what there is to find,
// and nothing in its first cases.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { caseOf } from '../fuzz/files/case.mjs'
import { findingOf } from '../fuzz/files/finding.mjs'
import { core, type AnyRuntime } from './support/runtimes.js'

let hw: AnyRuntime
beforeAll(async () => {
  vi.spyOn(console, 'warn').mockReturnValue() // the library's
  hw = await core.open({ build: 'simd' })
})
afterAll(() => {
  hw.dispose()
  vi.restoreAllMocks()
})

test('the first cases: nothing but success and typed errors, no memory kept', async () => {
  for (let seed = 1; seed <= 300; seed++) {
    expect(await findingOf(hw, caseOf(seed).files), `seed ${seed}`).toBeUndefined()
  }
})

test('the same seed is the same case', () => {
  expect(caseOf(7)).toEqual(caseOf(7))
  expect(caseOf(7)).not.toEqual(caseOf(8))
})

test('an error without a type, and memory that is kept, are findings', async () => {
  const { files } = caseOf(1)
  const info = { memory: { used: 0 } }
  const failing = { info, loadModel: () => Promise.reject(new RangeError('too deep')) }
  expect(await findingOf(failing, files)).toContain('RangeError: too deep')
  const kept = { memory: { used: 64 } }
  const model = { config: {}, tokenizer: { encode: vi.fn() }, run: vi.fn(), dispose: vi.fn() }
  const leaking = { info: kept, loadModel: () => Promise.resolve(model) }
  expect(await findingOf(leaking, files)).toContain('64 bytes')
})
