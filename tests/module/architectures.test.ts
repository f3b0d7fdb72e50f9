// Every architecture: a checkpoint as Hugging Face writes it, through loadModel, against activations
// that come neither from here nor from C++ (tests/golden/architectures).
import type { RunInput, RunOptions, Tensor } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { checkpoints, filesOf, Golden, type Checkpoint } from './support/architectures.js'
import { core, type AnyRuntime } from './support/runtimes.js'
import { safetensors, type StoredArray } from './support/safetensors.js'
import { sizeOf } from './support/tensors.js'

const tolerance = 2e-5

let hw: AnyRuntime
beforeAll(async () => {
  hw = await core.open({ build: 'simd' })
})
afterAll(() => hw.dispose())

/** How far the values are from the golden ones; hidden scores (-inf) must be the same. */
function largestDifference(got: Float32Array, expected: ArrayLike<number>): number {
  return got.reduce((most, value, i) => {
    const wanted = expected[i] ?? NaN
    return value === wanted ? most : Math.max(most, Math.abs(value - wanted))
  }, 0)
}

function zeros(dims: number[]): StoredArray {
  return { dtype: 'F32', dims, array: new Float32Array(sizeOf(dims)) }
}

function inputOf(golden: Golden): RunInput {
  if (golden.has('pixels')) return { image: golden.floats('pixels') }
  const typeIds = golden.ids('type_ids')
  return { ids: golden.ids('ids'), ...(typeIds.length > 0 && { typeIds }) }
}

/** Runs a checkpoint and compares all that it can keep. */
async function compare(name: Checkpoint, outputName: string): Promise<void> {
  const golden = new Golden(name)
  const model = await hw.loadModel(filesOf(name))
  const decoderIds = golden.ids('decoder_ids')
  const options: RunOptions = { names: ['*'], ...(decoderIds.length > 0 && { decoderIds }) }
  const { cache, output } = await model.run(inputOf(golden), options)
  expect([...cache.names].sort()).toEqual(golden.activationNames.sort())
  for (const hook of cache.names) {
    const [got, expected] = [cache.get(hook), golden.floats(hook)]
    expect(got.dims, hook).toEqual(expected.dims)
    expect(largestDifference(got.data, expected.data), hook).toBeLessThanOrEqual(tolerance)
  }
  const expected = golden.floats(outputName)
  expect(output?.dims).toEqual(expected.dims)
  const difference = largestDifference(output?.data ?? new Float32Array(), expected.data)
  expect(difference).toBeLessThanOrEqual(tolerance)
  model.dispose()
}

describe('activations and logits agree at every name', () => {
  test.each(checkpoints.encoders)('%s', (name) => compare(name, 'unembed.hook_out'))
  test.each(checkpoints.decoders)('%s', (name) => compare(name, 'unembed.hook_out'))
  test.each(checkpoints.vision)('%s', (name) => compare(name, 'head.hook_out'))
  test.each(checkpoints.encoderDecoders)('%s', (name) => compare(name, 'unembed.hook_out'))
})

/** Where the largest of the last row's logits stands, those of some ids left aside. */
function likeliest({ data, dims }: Tensor, suppressed: readonly number[]): number {
  const row = data.slice(data.length - (dims.at(-1) ?? 0))
  for (const id of suppressed) row[id] = -Infinity
  return row.indexOf(Math.max(...row))
}

describe('greedy generation is that of the transformers package, token for token', () => {
  const names = [...checkpoints.decoders, ...checkpoints.encoderDecoders]

  test.each(names)('%s, with a cache', async (name) => {
    const golden = new Golden(name)
    const expected = golden.ids('generated')
    const model = await hw.loadModel(filesOf(name))
    const parts = model.generate(golden.ids('prompt'), { maxTokens: expected.length })
    const ids: number[] = []
    for await (const { id } of parts) ids.push(id)
    expect(ids).toEqual(expected)
    model.dispose()
  })

  test.each(names)('%s, everything anew for each token', async (name) => {
    const golden = new Golden(name)
    const expected = golden.ids('generated')
    const model = await hw.loadModel(filesOf(name))
    const { startIds = [], suppressedIds = [] } = model.config.generation ?? {}
    const prompt = golden.ids('prompt')
    const ids: number[] = []
    while (ids.length < expected.length) {
      const isPair = startIds.length > 0
      const input = isPair ? prompt : [...prompt, ...ids]
      const options = isPair ? { decoderIds: [...startIds, ...ids] } : {}
      const { output } = await model.run({ ids: input }, options)
      ids.push(output === undefined ? NaN : likeliest(output, suppressedIds))
    }
    expect(ids).toEqual(expected)
    model.dispose()
  })
})

test('a model of images needs no tokenizer, and has none', async () => {
  const { config, weights } = filesOf('vit')
  const model = await hw.loadModel({ config, weights })
  expect(model.config.kind).toBe('vision')
  const encode = async () => model.tokenizer.encode('a cat')
  await expect(encode()).rejects.toMatchObject({ code: 'UNSUPPORTED', argument: 'model' })
  model.dispose()
})

test.each<[string, Record<string, StoredArray>, string]>([
  ['an unknown tensor', { 'h.0.attn.extra.weight': zeros([20]) }, 'h.0.attn.extra.weight'],
  ['a tensor of a block too many', { 'h.2.ln_1.weight': zeros([20]) }, 'h.2.ln_1.weight'],
  ['a joined matrix that cannot be cut', { 'h.0.attn.c_attn.weight': zeros([20, 61]) }, 'c_attn'],
  ['one turned over', { 'h.0.mlp.c_fc.weight': zeros([80, 20]) }, 'h.0.mlp.c_fc.weight'],
])('%s is an error that names it', async (_what, more, word) => {
  const files = filesOf('gpt2')
  const source = { ...files, weights: safetensors(more) }
  const error: unknown = await hw.loadModel(source).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'CORRUPT_FILE' })
  expect((error as Error).message).toContain(word)
})
