// The head lab on other architectures: encoders with a head of their own, and decoders.
import { readFileSync } from 'node:fs'

import { plainTreebank, type HeadMeasure, type ModelFiles } from 'headwise'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { core, type AnyRuntime } from './support/runtimes.js'

const folder = new URL('../golden/architectures/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder))
const json = (name: string) => JSON.parse(read(name).toString()) as object
const filesOf = (name: string): ModelFiles => ({
  config: json(`${name}/config.json`),
  weights: read(`${name}/model.safetensors`),
  tokenizer: json('tokenizer.json'),
})

const text = 'the cat sat on the mat'
let hw: AnyRuntime
beforeAll(async () => {
  hw = await core.open({ build: 'simd' })
})
afterAll(() => hw.dispose())

test.each(['gpt2', 'llama', 'roberta', 'electra', 'marian', 'bart'])(
  'what the heads of %s do',
  async (name) => {
    const model = await hw.loadModel(filesOf(name))
    const { sentences } = plainTreebank(text)
    const { measures } = await model.headRoles(sentences)
    const blocks = model.config.kind === 'encoder-decoder' ? 'encoder' : 'blocks'
    const names = [`${blocks}.*.attn.hook_pattern`]
    const { cache, encodings } = await model.run(text, { names, output: false })
    const spans = encodings[0]?.spans ?? []
    const rows = [...spans.keys()].filter((i) => spans[i] !== null)
    const { numLayers, numHeads } = model.config
    for (let head = 0; head < numLayers * numHeads; head++) {
      const [layer, place] = [Math.floor(head / numHeads), head % numHeads]
      const { data } = cache.get(`${blocks}.${layer}.attn.hook_pattern`)
      const weight = (i: number, j: number) =>
        data[(place * spans.length + i) * spans.length + j] ?? NaN
      const expectMean = (measure: HeadMeasure, values: number[]) => {
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(measures[measure].rows).toBe(values.length)
        expect(measures[measure].mean.data[head]).toBeCloseTo(mean, 5)
      }
      const behind = rows.filter((i) => rows.includes(i - 1))
      expectMean(
        'previous',
        behind.map((i) => weight(i, i - 1)),
      )
      expectMean(
        'self',
        rows.map((i) => weight(i, i)),
      )
      const row = (i: number) => [...spans.keys()].map((j) => weight(i, j))
      const entropy = (values: number[]) =>
        values.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0)
      expectMean(
        'entropy',
        rows.map((i) => entropy(row(i))),
      )
    }
    model.dispose()
  },
)

test('the loss over pairs uses what an encoder makes of texts, not its head', async () => {
  const model = await hw.loadModel(filesOf('roberta'))
  const pairs = [
    ['the cat', 'a cat sat'],
    ['the mat', 'on the mat'],
  ] as const
  const { losses } = await model.loss(pairs)
  const { data, dims } = await model.embed(pairs.flat())
  const width = dims[1] ?? 0
  const cosine = (i: number, j: number) => {
    const vector = (k: number) => data.subarray(k * width, (k + 1) * width)
    return vector(i).reduce((sum, value, k) => sum + value * (vector(j)[k] ?? NaN), 0)
  }
  const other = Math.exp(20 * (cosine(0, 3) - cosine(0, 1)))
  expect(losses[0]).toBeCloseTo(Math.log(1 + other), 3)
})
