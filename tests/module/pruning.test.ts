// Importance and pruning of a model of eight heads, where every choice can be tried out: what is
// chosen is the best of all there were, on the right half; every ablation; work that is cut off.
import type { HeadAblation, ModelLoss, PruningCurve, SentencePair } from 'headwise'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { core, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { smallBert } from './support/small-bert.js'

const pairs: SentencePair[] = [
  ['the cat sat', 'cat sat'],
  ['i sat', 'i e sat'],
  ['cats', 'the cats'],
  ['the e', 'e e the'],
  ['sat sat i', 'sat i'],
  ['e the cat sats', 'the cats e'],
  ['cat i cat', 'cat the cat e'],
  ['i', 'i i'],
]
const heads = [...Array(8).keys()]
const referencesTo = (list: Iterable<number>) =>
  [...list].map((head) => ({ layer: Math.floor(head / 4), head: head % 4 }))

let hw: AnyRuntime
let model: Awaited<ReturnType<AnyRuntime['loadModel']>>
let before = 0
beforeAll(async () => {
  hw = await core.open({ build: 'simd' })
  model = await hw.loadModel(smallBert())
  before = await usedMemory(hw)
})
afterAll(async () => {
  expect(await usedMemory(hw)).toBe(before)
  hw.dispose()
})

const halfOf = (half: Uint8Array, which: number) => pairs.filter((_, i) => half[i] === which)
const lossOf = async (
  some: SentencePair[],
  off: Iterable<number>,
  ablation: HeadAblation = 'zero',
) => (await model.loss(some, { heads: referencesTo(off), ablation, seed: 4, resamples: 1 })).loss

test.each<[string, HeadAblation]>([
  ['zero', 'zero'],
  ['mean', 'mean'],
  ['noise', { noise: 2 }],
  ['shuffle', 'shuffle'],
])('leaving a head out by %s is what the loss without it says', async (_name, ablation) => {
  const found = await model.headImportance(pairs, { seed: 4, resamples: 20, ablation })
  const report = halfOf(found.half, 2)
  const texts = halfOf(found.half, 1).flat()
  const means = await model.meanHeadOutputs(texts)
  for (const head of heads) {
    const options = { ablation, means, seed: 4, resamples: 1 }
    const without = await model.loss(report, { heads: referencesTo([head]), ...options })
    expect(found.change.data[head]).toBeCloseTo(without.loss - found.base.loss, 5)
  }
  expect(new Set(found.change.data.map((change) => Math.fround(change))).size).toBeGreaterThan(1)
})

test('the halves are even, whatever their number, and differ with the seed', async () => {
  for (const count of [4, 5, 8]) {
    const { half } = await model.headImportance(pairs.slice(0, count), { resamples: 1 })
    expect(half.filter((which) => which === 1)).toHaveLength(Math.ceil(count / 2))
    expect(half.filter((which) => which === 2)).toHaveLength(Math.floor(count / 2))
  }
  const of = async (seed: number) =>
    (await model.headImportance(pairs, { seed, resamples: 1 })).half.join('')
  expect(await of(1)).not.toBe(await of(2))
})

test('greedy pruning always takes the head that is missed least', async () => {
  const curves = await model.pruning(pairs, { seed: 4, resamples: 5, points: 9, greedyPairs: 3 })
  const few = halfOf(curves.half, 1).slice(0, 3)
  const { order } = curves.greedy as PruningCurve
  const gone = new Set<number>()
  for (const head of order) {
    const left = heads.filter((other) => !gone.has(other))
    const losses = await Promise.all(left.map((other) => lossOf(few, [...gone, other])))
    const least = Math.min(...losses)
    expect(losses[left.indexOf(head)]).toBeCloseTo(least, 5)
    gone.add(head)
  }
  expect(gone.size).toBe(8)
})

test('curves say what is lost without the heads that are gone', async () => {
  const curves = await model.pruning(pairs, { seed: 4, resamples: 30, points: 5, randomOrders: 2 })
  const report = halfOf(curves.half, 2)
  expect(curves.random).toHaveLength(2)
  for (const curve of [curves.importance, ...curves.random]) {
    expect([...curve.pruned]).toEqual([0, 2, 4, 6, 8])
    for (const [i, count] of curve.pruned.entries()) {
      expect(curve.loss[i]).toBeCloseTo(await lossOf(report, curve.order.slice(0, count)), 5)
      const change = (curve.loss[i] ?? NaN) - curves.base.loss
      expect(curve.changeLow[i]).toBeLessThanOrEqual(change + 1e-6)
      expect(curve.changeHigh[i]).toBeGreaterThanOrEqual(change - 1e-6)
    }
  }
  const selection = halfOf(curves.half, 1)
  const keep = (layer: number, kept: number) =>
    [0, 1, 2, 3].filter((head) => head !== kept).map((head) => 4 * layer + head)
  for (const layer of [0, 1]) {
    const losses = await Promise.all(
      [0, 1, 2, 3].map((kept) => lossOf(selection, keep(layer, kept))),
    )
    const best = curves.keepOne.head[layer] ?? -1
    expect(losses[best]).toBeCloseTo(Math.min(...losses), 5)
    expect(curves.keepOne.loss[layer]).toBeCloseTo(await lossOf(report, keep(layer, best)), 5)
    expect(curves.layers.loss[layer]).toBeCloseTo(await lossOf(report, keep(layer, -1)), 5)
  }
})

test('progress ends at its total, greedy pruning included', async () => {
  const seen: number[] = []
  let total = 0
  await model.pruning(pairs, {
    resamples: 1,
    points: 3,
    randomOrders: 1,
    greedyPairs: 2,
    onProgress: (progress) => {
      seen.push(progress.done)
      total = progress.total
    },
  })
  expect(seen.at(-1)).toBeCloseTo(total)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
})

test('the accuracy is the share of pairs whose second sentence is the nearest', async () => {
  const whole: ModelLoss = await model.loss(pairs, { resamples: 100 })
  const { data, dims } = await model.embed(pairs.flat())
  const width = dims[1] ?? 0
  const vector = (i: number) => data.subarray(i * width, (i + 1) * width)
  const cosine = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0)
  const scores = pairs.map((_, i) =>
    pairs.map((__, j) => 20 * cosine(vector(2 * i), vector(2 * j + 1))),
  )
  const losses = scores.map((row, i) => {
    const most = Math.max(...row)
    return Math.log(row.reduce((sum, s) => sum + Math.exp(s - most), 0)) + most - (row[i] ?? NaN)
  })
  losses.forEach((loss, i) => expect(whole.losses[i]).toBeCloseTo(loss, 4))
  const right = scores.filter((row, i) => row.indexOf(Math.max(...row)) === i).length
  expect(whole.accuracy).toBeCloseTo(right / pairs.length)
  expect(whole.low).toBeLessThan(whole.loss)
  expect(whole.high).toBeGreaterThan(whole.loss)
})
