// A decoder's prompt is read in pieces, so that a long one can be aborted between them: the same text.
import { afterAll, beforeAll, expect, test } from 'vitest'

import { Generation } from '../../../web/module/dist/core/generation.js'
import type { CoreModel } from '../../../web/module/dist/core/model.js'
import { filesOf, Golden } from '../support/architectures.js'
import { core, usedMemory, type AnyRuntime } from '../support/runtimes.js'

let hw: AnyRuntime
beforeAll(async () => {
  hw = await core.open({ build: 'simd' })
})
afterAll(() => hw.dispose())

/** The ids that follow, and how often the work paused before the first of them. */
function generate(model: CoreModel, prompt: readonly number[], sliceTokens?: number) {
  const options = { maxTokens: 4 }
  const { transformer, tokenizer } = model
  const generation = new Generation(transformer, tokenizer, prompt, options, sliceTokens)
  const ids: number[] = []
  let pauses = 0
  while (!generation.finished) {
    const steps = generation.next()
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) if (ids.length === 0) pauses++
    ids.push(step.value.id)
  }
  generation.end()
  return { ids, pauses }
}

test.each(['gpt2', 'gemma2', 'mistral'] as const)('%s: in pieces as at once', async (name) => {
  const before = await usedMemory(hw)
  const model = (await hw.loadModel(filesOf(name))) as unknown as CoreModel
  const prompt = new Golden(name).ids('prompt')
  const longer = [...prompt, ...prompt, ...prompt].slice(0, 13)
  const whole = generate(model, longer)
  for (const tokens of [1, 5, 6, 12, 13]) {
    const { ids, pauses } = generate(model, longer, tokens)
    expect(ids).toEqual(whole.ids)
    const pieces = Math.ceil(longer.length / tokens)
    if (pieces > 1) expect(pauses).toBeGreaterThan(whole.pauses)
    else expect(pauses).toBe(whole.pauses)
  }
  model.dispose()
  expect(await usedMemory(hw)).toBe(before)
})
