// Patterns of a tokenizer.json that never come to an end: the abort ends the wait at once, the Worker
// soon after, and the next call is as good as ever.
import type { ModelFiles } from 'headwise'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { usedMemory, worker, type AnyRuntime } from './support/runtimes.js'
import { smallBert, tokenizer } from './support/small-bert.js'

/** Tries every way to cut the letters into pieces, of which there are 2^n, before it gives up. */
const endless = { type: 'Replace', pattern: { Regex: '(x+x+)+y' }, content: '' }
const poison = 'x'.repeat(60)

const normalizes = { ...smallBert(), tokenizer: { ...tokenizer, normalizer: endless } }
const split = { ...endless, type: 'Split', behavior: 'Isolated', invert: false }
const splits = { ...smallBert(), tokenizer: { ...tokenizer, pre_tokenizer: split } }

let hw: AnyRuntime
beforeEach(async () => {
  hw = await worker.open({ build: 'simd' })
})
afterEach(() => hw.dispose())

const soon = () => AbortSignal.timeout(700)

type Model = Awaited<ReturnType<AnyRuntime['loadModel']>>

test.each<[string, ModelFiles, (model: Model) => unknown]>([
  [
    'encode, in a normalizer',
    normalizes,
    (model) => model.tokenizer.encode(poison, undefined, { signal: soon() }),
  ],
  ['run, in a normalizer', normalizes, (model) => model.run(poison, { signal: soon() })],
  ['embed, in a pre-tokenizer', splits, (model) => model.embed([poison], { signal: soon() })],
])('%s: an abort ends it', async (_call, files, begin) => {
  const model = await hw.loadModel(files)
  await expect(begin(model)).rejects.toMatchObject({ name: 'TimeoutError' })
  // The Worker is at it still; what waits behind hears that it was ended.
  await expect(model.run('the cat')).rejects.toMatchObject({
    code: 'WORKER_LOST',
    received: expect.stringContaining('tokenizer.json') as string,
  })
  expect(await usedMemory(hw)).toBe(0)
  const again = await hw.loadModel(smallBert())
  expect((await again.run('the cat')).tokens).toHaveLength(4)
})

test('in an added token, which the load itself runs', async () => {
  const added = [...tokenizer.added_tokens, { id: 5, content: poison, normalized: true }]
  const files = { ...normalizes, tokenizer: { ...normalizes.tokenizer, added_tokens: added } }
  await expect(hw.loadModel(files, { signal: soon() })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  const again = await hw.loadModel(smallBert())
  expect((await again.run('the cat')).tokens).toHaveLength(4)
})

test('a tokenizer that comes to its end costs no Worker', async () => {
  const model = await hw.loadModel(smallBert())
  const abort = new AbortController()
  const long = model.tokenizer.encode('the cat sat '.repeat(500), undefined, abort)
  abort.abort(new Error('enough'))
  await expect(long).rejects.toThrow('enough')
  expect((await model.run('the cat')).tokens).toHaveLength(4)
})
