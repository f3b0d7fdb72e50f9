// Which heads matter in decoders and encoder-decoders: losses of tokens, leave one out and pruning over
// every attention, against NumPy's values; exact match against decoding; what is refused; partial
// results of work that is cut off.
import { readFileSync } from 'node:fs'

import {
  attentionNames,
  HeadwiseError,
  type AnsweredText,
  type HeadChanges,
  type HeadImportance,
  type LossSample,
  type ModelFiles,
} from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { core, usedMemory, worker, type AnyRuntime } from './support/runtimes.js'

const folder = new URL('../golden/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder))
const json = (name: string) => JSON.parse(read(name).toString()) as object
const filesOf = (name: string): ModelFiles => ({
  config: json(`architectures/${name}/config.json`),
  weights: read(`architectures/${name}/model.safetensors`),
  tokenizer: json('architectures/tokenizer.json'),
})

interface Summary {
  loss: number
  accuracy: number
  losses: number[]
  tokens: number[]
  exactMatch: number
}
type Changes = Record<keyof HeadChanges, number[]>
interface LeaveOneOut extends Changes {
  selection: number[]
  exactMatch: Changes
}
interface Golden {
  samples: LossSample[]
  attentions: string[]
  half: number[]
  whole: Summary & { low: number; high: number }
  without: Summary & { heads: [number, number][] }
  means: number[][][]
  zero: LeaveOneOut
  mean: LeaveOneOut
  order: number[]
  halfGone: Summary
  layers: [gone: number, best: number, kept: number][]
  bitsPerByte?: number
}

const tolerance = 5e-5
function expectNear(got: ArrayLike<number> | undefined, values: readonly number[]): void {
  expect(got?.length).toBe(values.length)
  values.forEach((value, i) => {
    expect(Math.abs((got?.[i] ?? NaN) - value), `at ${i}`).toBeLessThanOrEqual(tolerance)
  })
}

type Model = Awaited<ReturnType<AnyRuntime['loadModel']>>

describe.each(['llama', 'marian', 't5'])('%s', (name) => {
  const golden = json(`losses/${name}.json`) as Golden
  const answers = name !== 'llama'
  const settings = { seed: 2, resamples: 200 }
  let hw: AnyRuntime
  let model: Model
  let before = 0
  beforeAll(async () => {
    hw = await core.open({ build: 'simd' })
    model = await hw.loadModel(filesOf(name), { dtype: 'float32' })
    before = await usedMemory(hw)
  })
  afterAll(async () => {
    expect(await usedMemory(hw)).toBe(before)
    hw.dispose()
  })

  const expectSummary = (got: Awaited<ReturnType<Model['loss']>>, expected: Summary) => {
    expect(got.kind).toBe(answers ? 'target-token' : 'next-token')
    expectNear([got.loss, got.accuracy], [expected.loss, expected.accuracy])
    expectNear(got.losses, expected.losses)
    expect([...got.tokens]).toEqual(expected.tokens)
    if (answers) expectNear([got.exactMatch ?? NaN], [expected.exactMatch])
    else expect(got.exactMatch).toBeUndefined()
  }

  test('attentions are counted in one order everywhere', () => {
    expect(attentionNames(model.config)).toEqual(golden.attentions)
  })

  test('the loss, and without two heads', async () => {
    const whole = await model.loss(golden.samples, settings)
    expectSummary(whole, golden.whole)
    expectNear([whole.low, whole.high], [golden.whole.low, golden.whole.high])
    if (answers) expect(whole.bitsPerByte).toBeUndefined()
    else expectNear([whole.bitsPerByte ?? NaN], [golden.bitsPerByte ?? NaN])
    const heads = golden.without.heads.map(([layer, head]) => ({ layer, head }))
    expectSummary(await model.loss(golden.samples, { ...settings, heads }), golden.without)
  })

  test('leave one out by zero and by the mean', async () => {
    for (const ablation of ['zero', 'mean'] as const) {
      const progress: number[] = []
      const found: HeadImportance = await model.headImportance(golden.samples, {
        ...settings,
        ablation,
        onProgress: ({ done, total }) => progress.push(done / total),
      })
      const expected = golden[ablation]
      expect([...found.half]).toEqual(golden.half)
      expect(found.attentions).toEqual(golden.attentions)
      expect(found.change.dims).toEqual([golden.attentions.length, model.config.numHeads])
      expectNear(found.selection.data, expected.selection)
      expect(progress.at(-1)).toBe(1)
      for (const field of ['change', 'low', 'high'] as const) {
        expectNear(found[field].data, expected[field])
        if (answers) expectNear(found.exactMatch?.[field].data, expected.exactMatch[field])
        else expect(found.exactMatch).toBeUndefined()
      }
      if (ablation === 'zero') expect([...found.order]).toEqual(golden.order)
    }
  })

  test('the mean of every head', async () => {
    const own = golden.samples.filter((_, i) => golden.half[i] === 1)
    const means = await model.meanHeadOutputs(own as string[] | AnsweredText[])
    expect(means.dims).toEqual([golden.means.length, model.config.numHeads, model.config.headDim])
    expectNear(means.data, golden.means.flat(2))
  })

  test('pruning: half gone, attentions gone, one head kept', async () => {
    let last = 0
    const curves = await model.pruning(golden.samples, {
      ...settings,
      points: 3,
      randomOrders: 1,
      greedyPairs: 2,
      onProgress: ({ done, total }) => (last = done / total),
    })
    expect(last).toBeCloseTo(1)
    expect([...curves.importance.order]).toEqual(golden.order)
    expectNear([curves.importance.loss[1] ?? NaN], [golden.halfGone.loss])
    expectNear([curves.importance.accuracy[1] ?? NaN], [golden.halfGone.accuracy])
    if (answers) {
      expectNear([curves.importance.exactMatch?.[1] ?? NaN], [golden.halfGone.exactMatch])
    }
    expectNear(
      curves.layers.loss,
      golden.layers.map(([gone]) => gone),
    )
    expectNear(
      curves.keepOne.loss,
      golden.layers.map(([, , kept]) => kept),
    )
    expect([...curves.keepOne.head]).toEqual(golden.layers.map(([, best]) => best))
    const few = golden.samples.filter((_, i) => golden.half[i] === 1).slice(0, 2)
    const [first = -1] = curves.greedy?.order ?? []
    const { numHeads } = model.config
    const losses = []
    for (let at = 0; at < golden.order.length; at++) {
      const heads = [{ layer: Math.floor(at / numHeads), head: at % numHeads }]
      losses.push((await model.loss(few, { heads, resamples: 1 })).loss)
    }
    expect(losses[first]).toBeCloseTo(Math.min(...losses), 5)
  })

  test('noise and shuffles change what they should, by the seed', async () => {
    const heads = golden.attentions.map((_, layer) => ({ layer, head: 1 }))
    const whole = await model.loss(golden.samples)
    for (const ablation of [{ noise: 1 }, 'shuffle'] as const) {
      const of = async (seed: number) =>
        (await model.loss(golden.samples, { heads, ablation, seed })).losses
      expect(await of(3)).toEqual(await of(3))
      expect(await of(3)).not.toEqual(await of(4))
      expect(await of(3)).not.toEqual(whole.losses)
    }
  })

  test('in a Worker, partial results until it is cut off', async () => {
    const remote = await worker.open({ build: 'simd' })
    const loaded = await remote.loadModel(filesOf(name), { dtype: 'float32' })
    const many = Array.from({ length: 40 }, () => golden.samples).flat()
    const ended = new AbortController()
    let partial: HeadImportance | undefined
    const call = loaded.headImportance(many, {
      signal: ended.signal,
      resamples: 20_000,
      onPartial: (some) => (partial = some),
      onProgress: ({ done, total }) => {
        if (partial !== undefined || done === total) ended.abort(new Error('enough'))
      },
    })
    await expect(call).rejects.toThrow('enough')
    if (partial !== undefined) {
      expect(partial.attentions).toEqual(golden.attentions)
      expect(partial.low.data.every(Number.isNaN)).toBe(true)
    }
    const { losses } = await loaded.loss(golden.samples)
    expectNear(losses, golden.whole.losses)
    remote.dispose()
  })
})

test('an exact match is what greedy decoding writes', async () => {
  const hw = await core.open({ build: 'simd' })
  const model = await hw.loadModel(filesOf('marian'))
  const { samples } = json('losses/marian.json') as Golden
  let matches = 0
  for (const [source, ...answers] of samples as AnsweredText[]) {
    const { exactMatch } = await model.loss([[source, ...answers] as unknown as AnsweredText])
    let decodes = false
    for (const answer of answers) {
      const { ids } = await model.tokenizer.encode(answer)
      const written = []
      for await (const { id } of model.generate(source, { maxTokens: ids.length })) written.push(id)
      decodes ||= String(written) === String(ids)
    }
    expect(exactMatch).toBe(decodes ? 1 : 0)
    matches += decodes ? 1 : 0
  }
  expect(matches).toBeGreaterThan(2)
  expect(matches).toBeLessThan(samples.length)
  hw.dispose()
})

describe('what is refused', () => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await core.open({ build: 'simd' })
  })
  afterAll(() => hw.dispose())

  test.each<[model: string, argument: string, samples: unknown]>([
    ['llama', 'texts[0]', [['the cat', 'a cat']]],
    ['llama', 'texts[1]', ['the cat', 'i']],
    ['llama', 'texts[0]', ['the cat '.repeat(400)]],
    ['llama', 'texts', []],
    ['marian', 'pairs[0]', ['the cat']],
    ['marian', 'pairs[0]', [['the cat']]],
    ['marian', 'pairs[0][2]', [['the cat', 'a cat', '']]],
    ['bert', 'pairs[0]', [['the cat', 'a cat', 'cats']]],
  ])('of %s: %s', async (name, argument, samples) => {
    const model = await hw.loadModel(filesOf(name))
    const failure = await new Promise((resolve) => resolve(model.loss(samples as []))).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(HeadwiseError)
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT', argument })
    model.dispose()
  })

  test.each<[place: number, head: number]>([
    [5, 0],
    [0, 4],
  ])('a head that an encoder-decoder lacks: %d.%d', async (layer, head) => {
    const model = await hw.loadModel(filesOf('marian'))
    const call = () => model.loss([['the cat', 'a cat']], { heads: [{ layer, head }] })
    expect(call).toThrow(expect.objectContaining({ argument: 'heads[0]' }) as Error)
    model.dispose()
  })
})
