import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parameterParts } from 'headwise'
import { describe, expect, it } from 'vitest'
import { divisorsOf } from '../../state/divisors'
import { palettes } from '../../figures/colour'
import { plain, symbolsIn } from '../../i18n/inline'
import { defaultParameters, type ParametersView } from '../../state/parametersView'
import { barsScene } from './barsScene'
import {
  costOf,
  everyHeads,
  kindOf,
  latentWidths,
  problemOf,
  shapeOf,
  thinned,
  variantsOf,
  type Shape,
} from './counts'
import { parameters as english } from './en'
import { parameters as korean } from './ko'
import { matricesScene } from './matricesScene'
import { ablationOf, ablationSentence, methodsSentence } from './methods'
import { isShown, presets } from './presets'

interface Counted extends Shape {
  weights: number
  biases: number
  perToken: number
  perPair: number
  kept: number
  matrices: number[]
}

const repository = new URL('../../../../../', import.meta.url)
const golden = JSON.parse(
  readFileSync(fileURLToPath(new URL('tests/golden/parameters/counts.json', repository)), 'utf8'),
) as Counted[]

const view = (part: Partial<ParametersView> = {}): ParametersView => ({
  ...defaultParameters,
  ...part,
})

function built(part: Partial<ParametersView>): Shape {
  const shape = shapeOf(view(part))
  if (!shape) throw new Error('expected a shape that can be built')
  return shape
}

describe('what a shape costs, against layers that PyTorch built and ran', () => {
  it.each(golden)(
    'd_model $dModel, h $heads, kv $kvHeads, d_k $headDim, latent $latent',
    (counted) => {
      const cost = costOf(counted)
      expect(cost).toMatchObject({
        weights: counted.weights,
        biases: counted.biases,
        total: counted.weights + counted.biases,
        multiplications: counted.perToken,
        perKey: counted.perPair,
        cache: counted.kept,
      })
      expect(cost.matrices.map(({ weights }) => weights)).toEqual(counted.matrices)
      for (const { inputs, outputs, weights } of cost.matrices) {
        expect(inputs * outputs).toBe(weights)
      }
    },
  )

  it('takes the proportions that DeepSeek-V2 prints', () => {
    expect(latentWidths(128)).toEqual({ latent: 512, queryLatent: 1536, rotary: 64 })
  })
})

describe('the number of heads', () => {
  it('changes nothing while d_k = d_model / h', () => {
    const every = everyHeads(view())
    expect(every.map(({ shape }) => shape.heads)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    expect(new Set(every.map(({ cost }) => cost.total))).toEqual(new Set([1_048_576]))
    expect(new Set(every.map(({ cost }) => cost.multiplications))).toEqual(new Set([1_048_576]))
  })

  it('costs in proportion with a fixed d_k', () => {
    const every = everyHeads(view({ size: 64 }))
    for (const { shape, cost } of every) expect(cost.weights).toBe(shape.heads * 131_072)
  })

  it('that does not divide d_model says what is left over, and what would do', () => {
    expect(problemOf(view({ heads: 7 }))).toEqual({
      kind: 'indivisible',
      columns: 73,
      left: 1,
      below: 4,
      above: 8,
    })
    expect(shapeOf(view({ heads: 7 }))).toBeNull()
    expect(problemOf(view({ heads: 600 }))).toMatchObject({ below: 512, above: 512 })
    expect(() => parameterParts({ dModel: 512, numHeads: 7 })).toThrow(/divisor of dModel 512/)
    expect(problemOf(view({ heads: 7, size: 64 }))).toBeNull()
    expect(problemOf(view({ heads: 256, latent: true }))).toEqual({ kind: 'rotary', headDim: 2 })
  })

  it('has the divisors it has', () => {
    expect(divisorsOf(768)).toEqual(
      Array.from({ length: 768 }, (_, i) => i + 1).filter((i) => 768 % i === 0),
    )
    expect(divisorsOf(1)).toEqual([1])
    expect(divisorsOf(49)).toEqual([1, 7, 49])
  })
})

describe('variants', () => {
  it('are MHA, GQA at every divisor, MQA and MLA', () => {
    const all = variantsOf(view({ bias: true }))
    expect(all.map(({ shape }) => [kindOf(shape), shape.kvHeads])).toEqual([
      ['mha', 8],
      ['gqa', 4],
      ['gqa', 2],
      ['mqa', 1],
      ['mla', 8],
    ])
  })

  it('key and value heads that do not divide a new h fall to the divisor below', () => {
    expect(built({ heads: 16, kvHeads: 6 }).kvHeads).toBe(4)
  })
})

describe('known models', () => {
  it.each([
    ['vaswani-base', 1_048_576, 'mha'],
    ['vaswani-big', 4_194_304, 'mha'],
    ['bert-base', 2_362_368, 'mha'],
    ['gpt2', 2_362_368, 'mha'],
    ['llama-2-70b', 150_994_944, 'gqa'],
    ['deepseek-v2', 149_225_472, 'mla'],
  ])('%s: %i parameters, %s', (id, total, kind) => {
    const preset = presets.find((each) => each.id === id)
    const shape = built(preset?.shape ?? {})
    expect(costOf(shape).total).toBe(total)
    expect(kindOf(shape)).toBe(kind)
    expect(preset && isShown(preset, view(preset.shape))).toBe(true)
  })

  it('the shipped model has as many weights as its file', () => {
    const folder = new URL('web/models/minilm-l6/', repository)
    const file = readFileSync(fileURLToPath(new URL('model.safetensors', folder)))
    const header = JSON.parse(
      file.subarray(8, 8 + Number(file.readBigUInt64LE(0))).toString('utf8'),
    ) as Record<string, { shape?: number[] }>
    const inFile = Object.entries(header)
      .filter(([name]) => /layer\.0\.attention\..*(weight|bias)$/.test(name))
      .filter(([name]) => !name.includes('LayerNorm'))
      .map(([, { shape = [] }]) => shape.reduce((product, size) => product * size, 1))
    expect(inFile).toHaveLength(8)
    const cost = costOf(built({ width: 384, heads: 12, bias: true }))
    expect(inFile.reduce((sum, count) => sum + count, 0)).toBe(cost.total)
  })
})

describe('figures', () => {
  it('an area is a number of weights, in every matrix at one scale', () => {
    const { matrices } = costOf(built({ kvHeads: 2 }))
    const { marks } = matricesScene(matrices, 8, null, 600, '', 'light')
    const areas = matrices.map(({ id, slices, weights }, place) => {
      const before = matrices
        .slice(0, place)
        .reduce((sum, each) => sum + (each.slices > 1 ? each.slices + 1 : 1), 0)
      const rects = marks.filter((mark) => mark.kind === 'rect').slice(before, before + slices)
      return {
        id,
        scale: rects.reduce((sum, { width, height }) => sum + width * height, 0) / weights,
      }
    })
    for (const { scale } of areas) expect(scale).toBeCloseTo(areas[0]?.scale ?? 0, 8)
  })

  it('a bar is as long as its number, whatever it is cut into', () => {
    const bars = [null, 8].map((slices) => ({
      label: '',
      note: null,
      segments: [{ value: 100, slices, tint: 60 }],
      total: 100,
      chosen: false,
    }))
    const { marks } = barsScene(bars, 500, 100, '', 'dark')
    const ends = marks.flatMap((mark) => (mark.kind === 'rect' ? [mark.x + mark.width] : []))
    expect(Math.max(...ends)).toBeCloseTo(416, 6)
    expect(ends[0]).toBeCloseTo(415, 6)
  })

  it('the share of the first head stands out, also when it is the only one', () => {
    const { accent } = palettes.light
    const shares = [1, 8].map((heads) => {
      const { matrices } = costOf(built({ heads }))
      const all = matricesScene(matrices, heads, null, 600, '', 'light').marks
      const first = all.flatMap((mark) =>
        mark.kind === 'rect' && mark.fill === accent ? [mark.width * mark.height] : [],
      )
      const bar = barsScene(
        [
          {
            label: '',
            note: null,
            segments: [{ value: 1, slices: heads, tint: 62 }],
            total: 1,
            chosen: false,
          },
        ],
        500,
        100,
        '',
        'light',
      ).marks.find((mark) => mark.kind === 'rect' && mark.fill === accent)
      return { first, bar: bar?.kind === 'rect' ? bar.width : 0 }
    })
    const [one, eight] = shares
    expect(one?.first).toHaveLength(4)
    for (const [place, area] of (one?.first ?? []).entries()) {
      expect(area / (eight?.first[place] ?? 0)).toBeCloseTo(8, 6)
    }
    expect((one?.bar ?? 0) / (eight?.bar ?? 1)).toBeCloseTo(8, 6)
  })

  it('a long list is thinned with its ends and the chosen one', () => {
    const list = Array.from({ length: 60 }, (_, place) => place)
    const few = thinned(list, 12, (each) => each === 17)
    expect(few.length).toBeLessThanOrEqual(13)
    expect(few).toEqual(expect.arrayContaining([0, 17, 59]))
  })
})

describe('sentences for a paper', () => {
  it('name all five numbers, in both languages', () => {
    const shape = built({})
    for (const language of ['en', 'ko'] as const) {
      const text = methodsSentence(language, shape, { layers: 6, dropout: 0.1 })
      for (const value of ['6', '8', 'd_model = 512', 'd_k = d_v = 64', '0.1', '1,048,576']) {
        expect(text).toContain(value)
      }
    }
  })

  it('say what kind of attention it is', () => {
    const say = (part: Partial<ParametersView>): string =>
      methodsSentence('en', built(part), { layers: 1, dropout: 0 })
    expect(say({ kvHeads: 2 })).toContain('8 query heads and 2 key/value heads')
    expect(say({ kvHeads: 1 })).toContain('one key/value head')
    expect(say({ latent: true })).toContain("d_c = 256, d'_c = 768, d_h^R = 32")
    expect(say({})).toContain('No dropout is used.')
  })

  it('mark what is still to be said, and admit what is not matched', () => {
    expect(ablationOf(view()).checks).toEqual({
      width: true,
      matched: true,
      optimiser: false,
      rate: false,
      budget: false,
      seeds: false,
    })
    expect(ablationSentence('en', view())).toMatch(/\[optimiser\].*\[learning rate\].*\[steps/)
    const ablation = {
      compared: '1, 8, 16',
      optimiser: 'AdamW',
      rate: '3e-4',
      tuned: 'each',
      budget: '50 epochs',
      seeds: '5',
    } as const
    const full = view({ ablation, size: 64 })
    expect(ablationOf(full)).toMatchObject({ complete: true, least: 131_072, most: 2_097_152 })
    expect(ablationSentence('en', full)).toContain('parameters are not matched')
    expect(ablationSentence('ko', full)).toContain('매개변수 수는 같지 않다')
    expect(ablationSentence('en', full) + ablationSentence('ko', full)).not.toMatch(/\[|\]/)
    expect(ablationOf(view({ ablation: { ...ablation, compared: '7, 8' } })).impossible).toEqual([
      7,
    ])
  })

  it('no Korean particle hangs on a number that may be read with or without a final', () => {
    for (const size of [null, 16, 64]) {
      const sentence = ablationSentence('ko', view({ size }))
      expect(sentence).toContain('(d_model = 512)')
      expect(sentence).not.toMatch(/= \d+(을|를|은|는|이 |가 |로|으로)/)
    }
  })
})

describe('the two catalogues', () => {
  it('refer to the same parts of the figure', () => {
    const partsOf = (words: typeof english) =>
      [words.slices(), words.work()].map((inlines) =>
        inlines.flatMap((each) =>
          typeof each !== 'string' && each.kind === 'part' ? [each.part] : [],
        ),
      )
    expect(partsOf(korean)).toEqual(partsOf(english))
  })

  it('give the same numbers in the answer', () => {
    const facts = {
      dModel: '512',
      heads: '8',
      headDim: '64',
      weights: '1,048,576',
      kind: 'mha',
      kvHeads: '8',
      one: '1,048,576',
      most: '1,048,576',
      mostHeads: '512',
    } as const
    const numbers = (text: string): string[] => (text.match(/\d+(,\d{3})*/g) ?? []).sort()
    const [en, ko] = [plain(english.answer(facts)), plain(korean.answer(facts))]
    for (const text of [en, ko]) {
      expect(numbers(text)).toEqual(expect.arrayContaining(['1,048,576', '512', '64', '8']))
    }
  })
})

describe('symbols in text', () => {
  it('are found with their index, and nothing else is', () => {
    const symbol = (letter: string, index: string) => ({ letter, index })
    expect(symbolsIn("with d_k = d_model / h, W_Q; d'_c")).toEqual([
      'with ',
      symbol('d', 'k'),
      ' = ',
      symbol('d', 'model'),
      ' / h, ',
      symbol('W', 'Q'),
      '; ',
      symbol("d'", 'c'),
    ])
    expect(symbolsIn('num_heads d_head d_kv')).toEqual(['num_heads d_head ', symbol('d', 'kv')])
    expect(symbolsIn('d_k를 W_O에서')).toEqual([symbol('d', 'k'), '를 ', symbol('W', 'O'), '에서'])
  })
})
