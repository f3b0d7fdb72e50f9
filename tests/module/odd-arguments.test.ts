// Arguments that only careless JavaScript makes: no options, lists with holes, mistyped names
// inside an option, numbers that are no bytes. Each is refused by name, in every entrance alike.
import {
  attentionNames,
  groupTokens,
  parameterCount,
  roleExamples,
  type AttentionOptions,
  type ModelSource,
  type RunInput,
  type RunOptions,
} from 'headwise'
import { describe, expect, test } from 'vitest'

import { filesOf } from './support/architectures.js'
import { entrances } from './support/runtimes.js'
import { config, smallBert } from './support/small-bert.js'
import { filled } from './support/tensors.js'

const one = filled([1, 1, 1, 1], 1)
// eslint-disable-next-line no-sparse-arrays -- the hole is what is tested
const hole = [,] as unknown as number[]

describe.each(entrances)('$name', ({ open }) => {
  test.each([
    ['null for the options', null, 'options'],
    ['a hole among the lengths', { kvLengths: hole }, 'kvLengths[0]'],
    ['a hole in the head mask', { headMask: hole }, 'headMask[0]'],
  ])('%s is refused', async (_what, options, argument) => {
    const hw = await open()
    const call = async () => hw.attention(one, one, one, options as AttentionOptions)
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument })
    hw.dispose()
  })

  test.each([
    ['a hole among the interventions', { interventions: hole }, 'interventions[0]'],
    [
      'a mistyped seed',
      { interventions: [{ name: 'blocks.0.attn.hook_z', set: { noise: 1, sed: 3 } }] },
      'interventions[0].set.sed',
    ],
    ['a hole among the names', { names: hole }, 'names[0]'],
    ['an empty name', { names: ['blocks.0.attn.hook_q', ''] }, 'names[1]'],
    ['two names in one', { names: ['hook_embed\nhook_embed'] }, 'names[0]'],
    [
      'an intervention without a name',
      { interventions: [{ name: '', set: 'zero' }] },
      'interventions[0].name',
    ],
    [
      'an intervention where it does not come',
      { stopAtLayer: 1, interventions: [{ name: 'blocks.1.attn.hook_z', set: 'zero' }] },
      'interventions[0]',
    ],
    ['null for the options', null, 'options'],
  ])('a run with %s is refused', async (_what, options, argument) => {
    const hw = await open()
    const model = await hw.loadModel(smallBert())
    const call = async () => model.run('the cat', options as unknown as RunOptions)
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument })
    hw.dispose()
  })

  test.each(['data', 'dims'])(
    'a tensor whose %s change from look to look is refused',
    async (name) => {
      const hw = await open()
      let looks = 0
      const changing = {
        get data() {
          return name === 'data' && looks++ > 0 ? new Float32Array(3) : one.data
        },
        get dims() {
          return name === 'dims' && looks++ > 0 ? [1, 1, 1, 4096] : one.dims
        },
      }
      const call = async () => hw.attention(one, one, changing)
      await expect(call()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'value' })
      expect(looks).toBe(2)
      hw.dispose()
    },
  )

  test('a configuration of a billion layers is refused, and the next call works', async () => {
    const hw = await open()
    const source = { ...smallBert(), config: { ...config, num_hidden_layers: 1e9 } }
    await expect(hw.loadModel(source)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      argument: 'config.json: num_hidden_layers',
    })
    expect([...(await hw.attention(one, one, one)).output.data]).toEqual([1])
    hw.dispose()
  })

  test('an intervention of which one place is before the end works there', async () => {
    const hw = await open()
    const model = await hw.loadModel(smallBert())
    const change = { name: 'blocks.*.attn.hook_z', set: 'zero' } as const
    const { output } = await model.run('the', { stopAtLayer: 1, interventions: [change] })
    expect(output?.data).not.toEqual((await model.run('the', { stopAtLayer: 1 })).output?.data)
    hw.dispose()
  })

  test.each([
    ['ids with a mistyped name', { ids: [2, 5, 3], typeids: [0, 0, 0] }, 'input.typeids'],
    ['texts with type ids', { texts: ['the'], typeIds: [0] }, 'input.typeIds'],
    ['texts and ids', { texts: ['the'], ids: [5] }, 'input.ids'],
    ['neither', { text: 'the' }, 'input.text'],
  ])('a run of %s is refused', async (_what, input, argument) => {
    const hw = await open()
    const model = await hw.loadModel(smallBert())
    const call = async () => model.run(input as unknown as RunInput)
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument })
    hw.dispose()
  })

  test.each([
    'data:text/plain,hi',
    '',
    ' ',
    'http://localhost/model?revision=1',
    new URL('http://localhost/model/#one'),
  ])("'%s', which cannot be a folder, is refused", async (source) => {
    const hw = await open()
    await expect(hw.loadModel(source)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'source',
    })
    hw.dispose()
  })

  test.each([
    ['nothing', null, 'source'],
    ['a mistyped name', { ...smallBert(), tokeniser: {} }, 'source.tokeniser'],
    ['no weights', { config: {}, tokenizer: {} }, 'source.weights'],
    ['a text for the configuration', { ...smallBert(), config: '{}' }, 'source.config'],
    ['numbers for the weights', { ...smallBert(), weights: [1, 2] }, 'source.weights'],
  ])('files in memory with %s are refused', async (_what, source, argument) => {
    const hw = await open()
    await expect(hw.loadModel(source as ModelSource)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    })
    hw.dispose()
  })

  test('an empty address of the WebAssembly is refused', async () => {
    await expect(open({ wasm: '' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'wasm',
    })
  })
})

test.each([
  ['nothing', undefined, 'tokens'],
  ['a text', 'abc', 'tokens'],
  ['numbers that are no bytes', [[300, -1, 1.5]], 'tokens[0]'],
  ['a hole', [[97], ...hole], 'tokens[1]'],
])('tokens: %s is refused', (_what, tokens, argument) => {
  const call = () => groupTokens(tokens as unknown as number[][])
  expect(call).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', argument }) as Error)
})

test('functions of models and of analyses want theirs', () => {
  const refusedBy = (argument: string) => expect.objectContaining({ argument }) as Error
  expect(() => attentionNames(5 as never)).toThrow(refusedBy('config'))
  expect(() => roleExamples(undefined as never, [], {} as never)).toThrow(refusedBy('roles'))
})

test('a count that a number cannot hold is refused', () => {
  const call = () => parameterCount({ dModel: 2 ** 30, numHeads: 1 })
  expect(call).toThrow('2^53')
})

describe.each(entrances)('$name: analyses of heads', ({ open }) => {
  const text = 'the cat sat on the mat'
  const texts = [text, 'a cat', 'the mat sat', 'on the mat']
  const word = (head: number, from: number, to: number) => ({
    form: '',
    head,
    relation: 'x',
    tag: '',
    misc: '',
    span: [from, to] as const,
  })
  const sentence = (...words: unknown[]) => ({ text, words, comments: [], line: 1 })
  const mention = { text, mention: [4, 7], antecedent: [0, 3], other: [8, 11] }
  const order = [...Array(4).keys()]

  test.each([
    ['loss of nothing in between', 'loss', [[text, ...hole, 'a cat']], 'texts[1]'],
    ['a hole among the heads', 'loss', [texts, { heads: hole }], 'heads[0]'],
    ['noise beyond float32', 'loss', [texts, { ablation: { noise: 1e300 } }], 'ablation.noise'],
    ['noise of nothing', 'loss', [texts, { ablation: { noise: undefined } }], 'ablation.noise'],
    ['no order', 'pruning', [texts, { order: null }], 'order'],
    ['an order that is a set', 'pruning', [texts, { order: new Set(order) }], 'order'],
    ['an order of other numbers', 'pruning', [texts, { order: [1n, 0n] }], 'order[0]'],
    ['ten billion points', 'pruning', [texts, { points: 1e10 }], 'points'],
    ['billions of orders', 'pruning', [texts, { randomOrders: 5e9 }], 'randomOrders'],
    ['a hole among sentences', 'headRoles', [hole], 'sentences[0].text'],
    ['a hole among words', 'headRoles', [[sentence(...hole)]], 'sentences[0].words[0]'],
    ['a word beyond the text', 'headRoles', [[sentence(word(-1, 0, 99))]], 'sentences[0].words[0]'],
    ['a word before it', 'headRoles', [[sentence(word(-1, -1, 3))]], 'sentences[0].words[0]'],
    ['a word backwards', 'headRoles', [[sentence(word(-1, 3, 0))]], 'sentences[0].words[0]'],
    [
      'words that fall',
      'headRoles',
      [[sentence(word(-1, 4, 7), word(0, 0, 3))]],
      'sentences[0].words[1]',
    ],
    ['a hole among examples', 'coreference', [[mention, ...hole]], 'examples[1].text'],
    [
      'a mention beyond the text',
      'coreference',
      [[{ ...mention, mention: [20, 23] }]],
      'examples[0].mention',
    ],
    ['null for nouns', 'coreference', [[{ ...mention, nouns: null }]], 'examples[0].nouns'],
    ['nothing to read', 'run', [null], 'input'],
  ] as [string, 'loss', unknown[], string][])(
    '%s is refused',
    async (_what, call, args, argument) => {
      const hw = await open({ build: 'simd' })
      const model = await hw.loadModel(filesOf('gpt2'))
      const method = model[call].bind(model) as (...all: unknown[]) => unknown
      const refused = () => Promise.resolve().then(() => method(...args))
      await expect(refused()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument })
      hw.dispose()
    },
  )
})
