// Bits per byte: what a text's first token stands for is given, all other bytes are foretold.
import { describe, expect, test } from 'vitest'

import { readFileSync } from 'node:fs'
import path from 'node:path'

import { core } from './support/runtimes.js'

const folder = path.resolve(import.meta.dirname, '../../web/models/novels-lm')
const read = (name: string) => readFileSync(path.join(folder, name))
const tokenizer = JSON.parse(read('tokenizer.json').toString()) as object

/** The language model, whose tokens are bytes and their sequences; with no token that begins a text. */
const files = {
  config: JSON.parse(read('config.json').toString()) as object,
  weights: read('model.safetensors'),
  tokenizer: { ...tokenizer, post_processor: null },
}

describe('without a token that begins a text', () => {
  test.each([
    ['a letter', 'The door', 3],
    ['a character in parts', '\u{1F600} door', 1],
    ['nothing but such a character', '\u{1F600}', 1],
  ])('%s', async (_what, text, first) => {
    const hw = await core.open({ build: 'simd' })
    const model = await hw.loadModel(files)
    const { loss, tokens, bitsPerByte } = model.loss([text]) as Awaited<
      ReturnType<typeof model.loss>
    >
    const bytes = Buffer.byteLength(text) - first
    expect(bitsPerByte).toBeCloseTo((loss * (tokens[0] ?? NaN)) / Math.LN2 / bytes, 4)
    hw.dispose()
  })
})
