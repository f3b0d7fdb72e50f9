// The head lab on the shipped model, through every entrance, against NumPy's values; halves, ties of
// seeds, cancelling, partial results, what is refused.
import { readFileSync } from 'node:fs'

import {
  HeadwiseError,
  parseTreebank,
  plainTreebank,
  roleExamples,
  type CoreferenceExample,
  type HeadImportance,
  type HeadRoles,
  type HeadRolesOptions,
  type SentencePair,
  type Tensor,
} from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { SafetensorsReader } from '../../web/module/dist/model/safetensors.js'
import { randomNumbers, shuffled } from '../../web/module/dist/model/head-analysis.js'
import { core, entrances, usedMemory, type AnyRuntime } from './support/runtimes.js'

const model = new URL('../../web/models/minilm-l6/', import.meta.url)
const folder = new URL('../golden/roles/', import.meta.url)

interface Facts {
  treebank: string
  relations: string[]
  half: number[]
  examples: CoreferenceExample[]
  pairs: SentencePair[]
  pair_half: number[]
  shuffles: Record<string, number[]>
}
const facts = JSON.parse(readFileSync(new URL('minilm-l6.json', folder), 'utf8')) as Facts
const { sentences } = parseTreebank(facts.treebank)

const golden = new Map<string, Float32Array | Int32Array>()
const reader = new SafetensorsReader('minilm-l6.safetensors')
for (const { name, dtype, bytes } of reader.push(
  readFileSync(new URL('minilm-l6.safetensors', folder)),
)) {
  golden.set(name, dtype === 'I32' ? new Int32Array(bytes.buffer) : new Float32Array(bytes.buffer))
}

function expected(name: string): number[] {
  const values = golden.get(name)
  if (values === undefined) throw new Error(`golden '${name}': expected one; received none`)
  return [...values]
}

function expectNear(got: ArrayLike<number>, values: readonly number[], tolerance: number): void {
  expect(got.length).toBe(values.length)
  values.forEach((value, i) => {
    if (Number.isNaN(value)) expect(got[i]).toBeNaN()
    else expect(Math.abs((got[i] ?? NaN) - value), `at ${i}`).toBeLessThanOrEqual(tolerance)
  })
}

/** Of [relations, 2, 72], the part of one relation and direction. */
function partOf(name: string, relation: string, direction: number): number[] {
  const at = 2 * facts.relations.indexOf(relation) + direction
  return expected(name).slice(72 * at, 72 * (at + 1))
}

type Model = Awaited<ReturnType<AnyRuntime['loadModel']>>

test('the same order for the same seed, as NumPy shuffles', () => {
  for (const [seed, order] of Object.entries(facts.shuffles)) {
    const items = [...Array(9).keys()]
    expect(shuffled(items, randomNumbers(Number(seed)))).toEqual(order)
  }
})

describe.each(entrances)('$name', ({ open }) => {
  let hw: AnyRuntime
  let loaded: Model
  let before = 0
  beforeAll(async () => {
    hw = await open({ build: 'simd' })
    loaded = await hw.loadModel(model, { dtype: 'float32' })
    before = await usedMemory(hw)
  })
  afterAll(async () => {
    expect(await usedMemory(hw)).toBe(before)
    loaded.dispose()
    expect(await usedMemory(hw)).toBe(0)
    hw.dispose()
  })

  describe('roles', () => {
    let roles: HeadRoles
    const partial: HeadRoles[] = []
    const progress: number[] = []
    const options: HeadRolesOptions = {
      seed: 5,
      resamples: 200,
      predictions: true,
      onProgress: ({ done, total }) => progress.push(done / total),
      onPartial: (some) => partial.push(some),
    }
    beforeAll(async () => {
      roles = await loaded.headRoles(sentences, options)
    })

    test('halves, counts and what is left out', () => {
      expect([...roles.half]).toEqual(facts.half)
      expect(roles.sentences).toEqual({ given: 8, used: 7, tooShort: 1, tooLong: 0 })
      expect(roles.words.split).toBeGreaterThan(0)
      expect(progress.at(-1)).toBe(1)
      expect(progress).toEqual([...progress].sort((a, b) => a - b))
    })

    test('predictions are those of NumPy, wherever they are not a matter of rounding', () => {
      const { sentence, word, predicted } = roles.predictions ?? {
        sentence: [],
        word: [],
        predicted: [],
      }
      const place = (s: number, w: number) => 100 * s + w
      const rows = new Map([...sentence].map((s, i) => [place(s, word[i] ?? 0), i]))
      const [ofSentence, ofWord] = [expected('sentence'), expected('word')]
      const [values, margins] = [expected('predicted'), expected('margin')]
      expect(rows.size).toBe(ofSentence.length)
      let close = 0
      ofSentence.forEach((s, i) => {
        const row = rows.get(place(s, ofWord[i] ?? 0)) ?? -1
        for (let c = 0; c < 144; c++) {
          if ((margins[144 * i + c] ?? 0) < 1e-4) close++
          else expect(predicted[144 * row + c]).toBe(values[144 * i + c])
        }
      })
      expect(close).toBeLessThan(0.01 * values.length)
    })

    test('shares, baselines and intervals are those of NumPy', () => {
      expect(roles.relations.map(({ relation }) => relation).sort()).toEqual(
        facts.relations.flatMap((name) => [name, name]).sort(),
      )
      for (const scores of roles.relations) {
        const { relation, direction } = scores
        const d = direction === 'dependent-to-head' ? 0 : 1
        const r = facts.relations.indexOf(relation)
        const [offset, selection, accuracy] = expected('baselines').slice(3 * r, 3 * r + 3)
        expect(scores.baseline.offset).toBe(offset)
        expectNear(
          [scores.baseline.selection, scores.baseline.accuracy],
          [selection ?? 0, accuracy ?? 0],
          1e-6,
        )
        const n = [scores.n.selection, scores.n.report]
        expect(n).toEqual(expected('judged').slice(2 * r, 2 * r + 2))
        expectNear(scores.selection.data, partOf('selection', relation, d), 1e-6)
        expectNear(scores.accuracy.data, partOf('accuracy', relation, d), 1e-6)
        expectNear(scores.low.data, partOf('low', relation, d), 1e-6)
        expectNear(scores.high.data, partOf('high', relation, d), 1e-6)
        expectNear(scores.gainLow.data, partOf('gain_low', relation, d), 1e-6)
        expectNear(scores.gainHigh.data, partOf('gain_high', relation, d), 1e-6)
        const { layer, head } = scores.best
        expect(scores.selection.data[12 * layer + head]).toBe(
          Math.max(...scores.selection.data, -1),
        )
      }
    })

    test('measures without trees are those of NumPy', () => {
      const all = Object.values(roles.measures)
      expectNear(
        all.flatMap(({ mean }) => [...mean.data]),
        expected('means'),
        2e-5,
      )
      expectNear(
        all.flatMap(({ error }) => [...error.data]),
        expected('errors'),
        2e-5,
      )
      expect(roles.measures.previous.mean.data[2]).toBeGreaterThan(0.95)
    })

    test('the examples behind a score make the score', () => {
      for (const scores of roles.relations) {
        const which = { ...scores.best, relation: scores.relation, direction: scores.direction }
        const examples = roleExamples(roles, sentences, which)
        expect(examples).toHaveLength(scores.n.selection + scores.n.report)
        const reported = examples.filter(({ sentence }) => roles.half[sentence] === 2)
        const share = reported.filter(({ right }) => right).length / reported.length
        const { layer, head } = scores.best
        expectNear([scores.accuracy.data[12 * layer + head] ?? NaN], [share], 1e-6)
      }
    })

    test('bounds on words and tokens', async () => {
      const bounded = await loaded.headRoles(sentences, { minWords: 0, maxWords: 7, maxTokens: 9 })
      expect(bounded.sentences.tooShort).toBe(0)
      const { used, tooLong } = bounded.sentences
      expect(used).toBeGreaterThan(0)
      expect(tooLong).toBeGreaterThan(0)
      expect(used + tooLong).toBe(8)
    })

    test('plain text gets the measures that need no trees', async () => {
      const plain = await loaded.headRoles(plainTreebank('Birds sing. The cat sat.').sentences)
      expect(plain.relations).toEqual([])
      expect(plain.measures.entropy.rows).toBe(7)
      expect(plain.predictions).toBeUndefined()
    })

    test('nothing is left of sentences that are all too long', async () => {
      const none = await loaded.headRoles(sentences, { maxTokens: 1 })
      expect(none.sentences).toMatchObject({ used: 0 })
      expect(none.relations).toEqual([])
      expect(none.measures.self.mean.data[0]).toBeNaN()
    })
  })

  test('coreference is that of NumPy, and 5.11 is right for every row', async () => {
    const scores = await loaded.coreference(facts.examples, { resamples: 50 })
    const values = expected('coreference') // [5, 3, 72]
    const mean = (field: number) =>
      Array.from({ length: 72 }, (_, h) => {
        const of = (example: number) => values[(3 * field + example) * 72 + h] ?? NaN
        return (of(0) + of(1) + of(2)) / 3
      })
    const tensors = [
      scores.accuracy,
      scores.control,
      scores.mostAttended,
      scores.weight,
      scores.otherWeight,
    ]
    tensors.forEach(({ data }, field) => expectNear(data, mean(field), 2e-5))
    expect([...scores.right]).toEqual(values.slice(0, 3 * 72))
    expect(scores.examples).toEqual({ given: 3, used: 3, tooLong: 0, withoutToken: 0 })
    expect(scores.nearerCandidate).toBe(0)
    const head = (tensor: Tensor, layer: number, place: number) =>
      tensor.data[12 * layer + place] ?? NaN
    const cat = await loaded.coreference(facts.examples.slice(0, 1), { resamples: 5 })
    expect(head(cat.control, 5, 11)).toBe(1)
    expect(head(cat.otherWeight, 5, 11)).toBeGreaterThan(0.3)
    expect(head(cat.control, 3, 1)).toBeLessThan(1)
    expect(head(scores.low, 3, 1)).toBeLessThanOrEqual(head(scores.accuracy, 3, 1))
  })

  test('the loss over pairs, and without two heads, is that of NumPy', async () => {
    const whole = await loaded.loss(facts.pairs)
    expectNear(whole.losses, expected('importance.all'), 1e-4)
    const right = expected('importance.right')
    expect(whole.accuracy).toBeCloseTo(right.reduce((sum, one) => sum + one, 0) / right.length)
    expect(whole.low).toBeLessThanOrEqual(whole.loss)
    const heads = [
      { layer: 3, head: 1 },
      { layer: 5, head: 11 },
    ]
    const without = await loaded.loss(facts.pairs, { heads })
    expectNear(without.losses, expected('importance.without'), 1e-4)
    const noise = { heads, ablation: { noise: 1 }, seed: 3 } as const
    const [once, again] = [
      await loaded.loss(facts.pairs, noise),
      await loaded.loss(facts.pairs, noise),
    ]
    expect(once.losses).toEqual(again.losses)
    expect(once.losses).not.toEqual(whole.losses)
  })

  test.each([
    ['sentences', () => loaded.headRoles([])],
    [
      'sentences[0].words[0]',
      () => loaded.headRoles([{ text: 'a', words: [{}], comments: [], line: 1 } as never]),
    ],
    ['options.minWord', () => loaded.headRoles(sentences, { minWord: 2 } as never)],
    ['seed', () => loaded.headRoles(sentences, { seed: -1 })],
    ['resamples', () => loaded.headRoles(sentences, { resamples: 1e9 })],
    ['examples[0].mention', () => loaded.coreference([{ text: 'a' } as never])],
    ['pairs[1]', () => loaded.loss([['a', 'b'], ['c'] as never])],
    ['pairs', () => loaded.headImportance([['a', 'b']])],
    ['heads[0]', () => loaded.loss([['a', 'b']], { heads: [{ layer: 6, head: 0 }] })],
    ['ablation', () => loaded.loss([['a', 'b']], { ablation: 'off' as never })],
    ['ablation.noise', () => loaded.loss([['a', 'b']], { ablation: {} as never })],
    ['means', () => loaded.loss([['a', 'b']], { means: { data: new Float32Array(1), dims: [1] } })],
    ['order', () => loaded.pruning(facts.pairs, { order: [1, 2, 3] })],
    ['points', () => loaded.pruning(facts.pairs, { points: 1 })],
    ['texts', () => loaded.meanHeadOutputs([])],
    ['pairs[0][1]', () => loaded.loss([['a', 'long '.repeat(600)]])],
  ] as [string, () => unknown][])('%s is judged', async (argument, call) => {
    const failure = await new Promise((resolve) => resolve(call())).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(HeadwiseError)
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT', argument })
  })

  test('a signal that is aborted ends it with its reason', async () => {
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect((async () => loaded.headRoles(sentences, { signal }))()).rejects.toBe(reason)
    await expect((async () => loaded.pruning(facts.pairs, { signal }))()).rejects.toBe(reason)
    expect((await loaded.loss(facts.pairs)).losses).toHaveLength(6)
  })
})

describe('long work, on this thread', () => {
  let hw: AnyRuntime
  let loaded: Model
  let zero: HeadImportance
  beforeAll(async () => {
    hw = await core.open({ build: 'simd' })
    loaded = await hw.loadModel(model, { dtype: 'float32' })
    zero = await loaded.headImportance(facts.pairs, { seed: 2, resamples: 200 })
  })
  afterAll(() => hw.dispose())

  test('leave one out is that of NumPy', () => {
    expect([...zero.half]).toEqual(facts.pair_half)
    expectNear(zero.change.data, expected('importance.zero.change'), 1e-4)
    expectNear(zero.selection.data, expected('importance.zero.selection'), 1e-4)
    expectNear(zero.low.data, expected('importance.zero.low'), 1e-4)
    expectNear(zero.high.data, expected('importance.zero.high'), 1e-4)
    const ordered = [...zero.order].map((head) => zero.selection.data[head] ?? NaN)
    expect(ordered).toEqual([...ordered].sort((a, b) => a - b))
  })

  test('and with means in the place of zeros', async () => {
    const means = await loaded.meanHeadOutputs(
      facts.pairs.filter((_, i) => facts.pair_half[i] === 1).flat(),
    )
    expect(means.dims).toEqual([6, 12, 32])
    expectNear(means.data, expected('importance.means'), 1e-4)
    const report = facts.pairs.filter((_, i) => facts.pair_half[i] === 2)
    const [change, base] = [expected('importance.mean.change'), await loaded.loss(report)]
    for (const head of [0, 5, 11]) {
      const heads = [{ layer: 4, head }]
      const without = await loaded.loss(report, { heads, ablation: 'mean', means })
      expect(Math.abs(without.loss - base.loss - (change[head] ?? NaN))).toBeLessThan(1e-4)
    }
  })

  test('pruning: half of the heads, whole layers, one head a layer', async () => {
    const curves = await loaded.pruning(facts.pairs, {
      seed: 2,
      resamples: 20,
      points: 3,
      randomOrders: 1,
      order: zero.order,
    })
    const half = expected('importance.half gone')
    const loss = half.reduce((sum, one) => sum + one, 0) / half.length
    expect([...curves.importance.pruned]).toEqual([0, 36, 72])
    expectNear(curves.importance.loss.slice(0, 2), [curves.base.loss, loss], 2e-4)
    const [gone1, best1, kept1, gone4, best4, kept4] = expected('importance.layers')
    expectNear(
      [curves.layers.loss[1] ?? NaN, curves.layers.loss[4] ?? NaN],
      [gone1 ?? 0, gone4 ?? 0],
      1e-4,
    )
    expect([curves.keepOne.head[1], curves.keepOne.head[4]]).toEqual([best1, best4])
    expectNear(
      [curves.keepOne.loss[1] ?? NaN, curves.keepOne.loss[4] ?? NaN],
      [kept1 ?? 0, kept4 ?? 0],
      1e-4,
    )
    expect(curves.random).toHaveLength(1)
    expect([...(curves.random[0]?.order ?? [])].sort((a, b) => a - b)).toEqual([
      ...Array(72).keys(),
    ])
    expect(curves).not.toHaveProperty('greedy')
    // The empty set and the full one are the same in every order.
    expect(curves.random[0]?.loss[0]).toBe(curves.importance.loss[0])
    expect(curves.random[0]?.loss[2]).toBe(curves.importance.loss[2])
  })
})

describe.each(entrances.slice(1))('half-way: $name', ({ open }) => {
  test('cancelled work keeps its partial results, and the next call works', async () => {
    const hw = await open({ build: 'simd' })
    const loaded = await hw.loadModel(model)
    const before = await usedMemory(hw)
    const many = Array.from({ length: 300 }, () => sentences).flat()
    const abort = new AbortController()
    const partial: HeadRoles[] = []
    const work = loaded.headRoles(many, {
      signal: abort.signal,
      onPartial: (some) => {
        partial.push(some)
        if (partial.length === 2) abort.abort(new Error('enough'))
      },
    }) as Promise<HeadRoles>
    await expect(work).rejects.toThrow('enough')
    const [first, second] = partial
    expect(first?.sentences.used).toBeGreaterThan(0)
    expect(second?.sentences.used).toBeGreaterThan(first?.sentences.used ?? 0)
    expect(second?.sentences.used).toBeLessThan(2100)
    expect(second?.relations.length).toBeGreaterThan(0)
    expect(second?.relations[0]?.low.data[0]).toBeNaN()
    expect(await usedMemory(hw)).toBe(before)
    expect((await loaded.loss(facts.pairs)).losses).toHaveLength(6)
    hw.dispose()
  })

  test('other calls are answered while an analysis goes on', async () => {
    const hw = await open({ build: 'simd' })
    const loaded = await hw.loadModel(model)
    const before = await usedMemory(hw)
    const many = Array.from({ length: 300 }, () => sentences).flat()
    const alone = await loaded.run('words between')
    let done = false
    let started: () => void = () => undefined
    const start = new Promise<void>((resolve) => (started = resolve))
    const work = (loaded.headRoles(many, { onProgress: started }) as Promise<HeadRoles>).then(
      (roles) => {
        done = true
        return roles
      },
    )
    await start
    expect((await loaded.run('words between')).output).toEqual(alone.output)
    expect(done).toBe(false)
    expect((await work).sentences.used).toBeGreaterThan(0)
    expect(await usedMemory(hw)).toBe(before)
    hw.dispose()
  })

  test('a model that is disposed of ends its analysis', async () => {
    const hw = await open({ build: 'simd' })
    const loaded = await hw.loadModel(model)
    const many = Array.from({ length: 300 }, () => sentences).flat()
    const work = loaded.headRoles(many, { onProgress: () => loaded.dispose() })
    await expect(work).rejects.toMatchObject({ code: 'DISPOSED' })
    const again = await hw.loadModel(model)
    expect((await again.run('words')).tokens.length).toBeGreaterThan(0)
    hw.dispose()
  })
})
