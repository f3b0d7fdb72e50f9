// Chapter 10: weights pooled and cut, prices by hand, and the errors of the real layer against NumPy's.
import { readFileSync } from 'node:fs'
import { createRuntime, parameterCount } from 'headwise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Inline } from '../../i18n/inline'
import { Converter, factorsOf, layerInput, trainedLayer } from './compute'
import {
  firstColumns,
  fromLatent,
  headsAsColumns,
  headsAsRows,
  keptShare,
  keysAndValues,
  pooled,
  relativeError,
  transposed,
  type Factors,
  type TrainedLayer,
} from './convert'
import { variants as english } from './en'
import { variants as korean } from './ko'
import { cacheBytes, groupings, labelOf, latentWidths, priceOf, type Variant } from './prices'
import { published, publishedIds } from './published'

const tensor = (dims: number[], ...data: number[]) => ({ data: Float32Array.from(data), dims })
const grouped = (kvHeads: number): Variant => ({ kind: 'grouped', kvHeads })
const latent = (rank: number): Variant => ({ kind: 'latent', rank })

describe('weights', () => {
  it('from the layout of heads to that of layers', () => {
    const heads = tensor([2, 3, 1], 1, 2, 3, 4, 5, 6)
    expect(headsAsRows(heads)).toEqual(tensor([2, 3], 1, 2, 3, 4, 5, 6))
    expect(headsAsRows(tensor([1, 2, 2], 1, 2, 3, 4))).toEqual(tensor([2, 2], 1, 3, 2, 4))
    expect(headsAsColumns(heads)).toEqual(tensor([1, 6], 1, 2, 3, 4, 5, 6))
    expect(transposed(tensor([2, 3], 1, 2, 3, 4, 5, 6))).toEqual(tensor([3, 2], 1, 4, 2, 5, 3, 6))
    expect(firstColumns(tensor([1, 2, 3], 1, 2, 3, 4, 5, 6), 2)).toEqual(
      tensor([1, 2, 2], 1, 2, 4, 5),
    )
  })

  const layer: TrainedLayer = {
    dModel: 2,
    heads: 2,
    headDim: 1,
    weights: {
      query: tensor([2, 2], 9, 9, 9, 9),
      key: tensor([2, 2], 1, 2, 3, 4),
      value: tensor([2, 2], 5, 6, 7, 8),
      output: tensor([2, 2], 9, 9, 9, 9),
      queryBias: tensor([2], 0, 0),
      keyBias: tensor([2], 1, 3),
      valueBias: tensor([2], -1, 1),
    },
  }

  it('pooled: the mean of neighbours, biases too; with all heads as they were', () => {
    const one = pooled(layer, 1)
    expect(one.key).toEqual(tensor([1, 2], 2, 3))
    expect(one.value).toEqual(tensor([1, 2], 6, 7))
    expect(one.keyBias).toEqual(tensor([1], 2))
    expect(pooled(layer, 2).key).toEqual(layer.weights.key)
    expect(one.query).toBe(layer.weights.query)
  })

  it('side by side, and out of a latent again', () => {
    const both = keysAndValues(layer)
    expect(both).toEqual(tensor([2, 4], 1, 3, 5, 7, 2, 4, 6, 8))
    // A decomposition that is easy to see: the identity, twice its rows.
    const factors: Factors = {
      u: tensor([2, 2], 1, 0, 0, 1),
      s: tensor([2], 2, 1),
      vh: tensor([2, 4], 0.5, 1.5, 2.5, 3.5, 2, 4, 6, 8),
    }
    expect(fromLatent(layer, factors, 2).key).toEqual(tensor([2, 2], 1, 2, 3, 4))
    expect(fromLatent(layer, factors, 1).value).toEqual(tensor([2, 1], 5, 7))
    expect(keptShare(factors.s.data, 1)).toBeCloseTo(0.8, 12)
    expect(keptShare(new Float32Array(2), 1)).toBe(0)
  })

  it('the error is the length of the difference in lengths of the whole', () => {
    expect(relativeError(Float32Array.of(3, 0), Float32Array.of(3, 4))).toBeCloseTo(0.8, 6)
    expect(relativeError(Float32Array.of(0), Float32Array.of(0))).toBe(0)
  })
})

describe('prices', () => {
  const shape = { dModel: 384, heads: 12, headDim: 32 }

  it('parameters are those that the module counts', () => {
    for (const kvHeads of groupings(12)) {
      const counted = parameterCount({ dModel: 384, numHeads: 12, kvHeads })
      expect(priceOf(grouped(kvHeads), shape, 0).parameters).toBe(counted)
    }
    // Query and output 384 x 384, down 384 x 128, up 128 x 768.
    expect(priceOf(latent(128), shape, 0).parameters).toBe(2 * 147_456 + 49_152 + 98_304)
  })

  it('every divisor of h, and latents that keep as much', () => {
    expect(groupings(12)).toEqual([12, 6, 4, 3, 2, 1])
    expect(latentWidths(shape, 100)).toEqual([384, 256, 192, 128, 100, 64])
    expect(priceOf(grouped(4), shape, 0).cached).toBe(256)
    expect(priceOf(latent(256), shape, 0).cached).toBe(256)
  })

  it('operations grow with the context: by scores and values of all heads, or of all latents', () => {
    const step = (variant: Variant): number =>
      priceOf(variant, shape, 1001).flops - priceOf(variant, shape, 1000).flops
    expect(step(grouped(12))).toBe(2 * 2 * 384)
    expect(step(grouped(1))).toBe(2 * 2 * 384)
    expect(step(latent(64))).toBe(2 * 2 * 12 * 64)
  })

  it('bytes of the cache; DeepSeek-V2 as published', () => {
    expect(cacheBytes(768, 6, 131_072)).toBe(2 * 768 * 6 * 131_072)
    // 2 n_h d_h against d_c + d_h^R, for a token in a layer.
    const whole = priceOf(grouped(128), { dModel: 5120, heads: 128, headDim: 128 }, 0).cached
    expect(published.deepseek.map(({ cells }) => cells[0])).toEqual([
      whole.toLocaleString('en-US'),
      String(512 + 64),
    ])
    expect(published.deepseek[1]?.cells[1]).toBe(`1/${String(Math.round(whole / 576))}`)
  })

  it('names', () => {
    expect([12, 4, 1].map((kvHeads) => labelOf(grouped(kvHeads), 12))).toEqual([
      'MHA',
      'GQA 4',
      'MQA',
    ])
    expect(labelOf(latent(64), 12)).toBe('MLA 64')
  })
})

describe('the real layer', () => {
  const golden = JSON.parse(
    readFileSync(
      new URL('../../../../../tests/golden/analysis/minilm-l6.json', import.meta.url),
      'utf8',
    ),
  ) as {
    text: string
    layer: number
    variants: {
      output: number[]
      grouped: Record<string, number>
      latent: Record<string, number>
      singularValues: number[]
    }
  }
  let hw: Awaited<ReturnType<typeof createRuntime>>
  let converter: Converter
  let own: Float32Array

  beforeAll(async () => {
    hw = await createRuntime({ build: 'simd', worker: false })
    const folder = new URL('../../../../models/minilm-l6/', import.meta.url)
    const model = await hw.loadModel(folder, { dtype: 'float32' })
    const layer = await trainedLayer(model, golden.layer)
    const input = await layerInput(model, await model.tokenizer.encode(golden.text), golden.layer)
    converter = new Converter(hw, layer, await factorsOf(hw, layer), input.x)
    own = input.own
  }, 120_000)
  afterAll(() => {
    hw.dispose()
  })

  it('put together from its weights it puts out what the model does', async () => {
    const whole = await converter.whole()
    expect(relativeError(own, whole)).toBeLessThan(1e-5)
    const width = converter.layer.dModel
    golden.variants.output.forEach((value, place) => {
      expect(whole[Math.floor(place / 8) * width + (place % 8)]).toBeCloseTo(value, 4)
    })
  })

  it('singular values of keys and values side by side', () => {
    const { data } = converter.factors.s
    golden.variants.singularValues.forEach((value, place) => {
      expect(data[place]).toBeCloseTo(value, 5)
    })
  })

  it.each([1, 2, 3, 4, 6, 12])('error with %i pooled heads', async (kvHeads) => {
    const { error, weights } = await converter.run(grouped(kvHeads))
    expect(error).toBeCloseTo(golden.variants.grouped[String(kvHeads)] ?? NaN, 4)
    expect(weights).toHaveLength(12 * 12 * 12)
  })

  it.each([16, 64, 128, 192, 256, 384])('error with a latent of %i', async (rank) => {
    const { error } = await converter.run(latent(rank))
    expect(error).toBeCloseTo(golden.variants.latent[String(rank)] ?? NaN, 4)
  })

  it('what has been run is not run again', async () => {
    expect(await converter.run(latent(64))).toBe(await converter.run(latent(64)))
  })
})

describe('the two catalogues', () => {
  it('refer to the same parts of the figures, and quote the same papers', () => {
    const facts = {
      variant: 'GQA 4',
      isOriginal: false,
      layer: '3',
      kept: '256',
      all: '768',
      error: '95%',
    }
    const partsOf = (words: typeof english): string[] =>
      [words.answer(facts), words.saving(), words.converting(), words.honesty('0.01')]
        .flat()
        .flatMap((each: Inline) =>
          typeof each !== 'string' && each.kind === 'part' ? [each.part] : [],
        )
    expect(partsOf(korean)).toEqual(partsOf(english))
    expect(Object.keys(korean.published.notes)).toEqual([...publishedIds])
  })
})
