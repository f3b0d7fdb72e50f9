// Chapter 6: distances, pairs that move, heads made for the ends of the scale, and the real model's
// numbers against NumPy's.
import { readFileSync } from 'node:fs'
import { createRuntime } from 'headwise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeAt } from '../../figures/cells'
import type { Inline } from '../../i18n/inline'
import {
  activationsOf,
  alignmentOf,
  anglesBetween,
  endsOf,
  modelVectors,
  planeOf,
  projectionOf,
  spaceVectors,
} from './compute'
import { subspaces as english } from './en'
import { chance, outside } from './ends'
import { subspaces as korean } from './ko'
import { alikeGrid, alikeScene } from './mapScene'
import { dotsOf, nearestDot, planeHeight, planeScene } from './planeScene'
import {
  besideEachOther,
  changes,
  cosine,
  degrees,
  distance,
  headVectors,
  mostAlike,
  mostAlikePair,
  overlaps,
  pairsOf,
  type Vectors,
} from './vectors'

const vectors = (width: number, ...data: number[]): Vectors => ({
  data: Float32Array.from(data),
  width,
})

describe('vectors', () => {
  it('one head out of several, and several layers beside each other', () => {
    const two = Float32Array.of(0, 1, 2, 3, 10, 11, 12, 13) // 2 tokens, 2 heads, width 2
    expect([...headVectors(two, 2, 1, 2).data]).toEqual([2, 3, 12, 13])
    const joined = besideEachOther([two, two.map((value) => value + 100)], 2, 2)
    expect([...joined.subarray(0, 8)]).toEqual([0, 1, 2, 3, 100, 101, 102, 103])
    expect(joined[8]).toBe(10)
  })

  it('distances and cosines, also of a vector of nothing', () => {
    const plane = vectors(2, 3, 0, 0, 4, 0, 0)
    expect(distance(plane, 0, 1)).toBe(5)
    expect(cosine(plane, 0, 1)).toBe(0)
    expect(cosine(plane, 0, 2)).toBe(0)
    expect(cosine(vectors(2, 1, 1, -2, -2), 0, 1)).toBeCloseTo(-1, 12)
  })

  it('finds the pair that comes nearer and the pair that parts', () => {
    const model = vectors(1, 0, 10, 11)
    const head = vectors(1, 0, 1, 12)
    const pairs = pairsOf(model, head, [0, 1, 2])
    const mean = (pairs[0]?.model ?? 0) + (pairs[1]?.model ?? 0) + (pairs[2]?.model ?? 0)
    expect(mean / 3).toBeCloseTo(1, 12)
    const { nearer, farther } = changes(pairs, 1)
    expect([nearer[0]?.first, nearer[0]?.second]).toEqual([0, 1])
    expect([farther[0]?.first, farther[0]?.second]).toEqual([1, 2])
  })

  it('no pair is in both lists, and tokens in one place are no division by nothing', () => {
    const same = vectors(1, 2, 2, 2)
    const pairs = pairsOf(same, same, [0, 1, 2])
    for (const { model, head } of pairs) expect([model, head]).toEqual([0, 0])
    const { nearer, farther } = changes(pairs, 3)
    expect(nearer).toHaveLength(1)
    expect(farther[0]).not.toBe(nearer[0])
    expect(changes([], 3).nearer).toEqual([])
  })

  it('overlap of spans is the mean squared cosine of their angles', () => {
    const angles = Float32Array.of(0, 0, 0, Math.PI / 2, 0, Math.PI / 2, 0, 0)
    expect(Array.from(overlaps(angles, 2), (value) => Math.round(value * 1e6) / 1e6)).toEqual([
      1, 0.5, 0.5, 1,
    ])
  })

  it('the most alike head is never the head itself', () => {
    const alike = Float32Array.of(1, 0.2, 0.7, 0.2, 1, 0.1, 0.7, 0.1, 1)
    expect([0, 1, 2].map((head) => mostAlike(alike, 3, head))).toEqual([2, 0, 0])
    expect(mostAlikePair(alike, 3)).toEqual([0, 2])
  })
})

describe('pictures', () => {
  const plane = { points: Float32Array.of(-3, 0, 1, 2, 2, -2), shares: [0.5, 0.25] } as const
  const data = {
    plane,
    labels: ['[CLS]', 'cat', 'mat'],
    special: new Set([0]),
    fixed: 1,
    partner: 2,
    hovered: null,
    title: 'a plane',
    note: '75%',
  }

  it('one scale for both axes, everything inside, labels of the named tokens', () => {
    const dots = dotsOf(plane, 400)
    const [a, b, c] = dots
    if (!a || !b || !c) throw new Error('expected three dots')
    expect((b.x - a.x) / (a.y - b.y)).toBeCloseTo(4 / 2, 6)
    for (const { x, y } of dots) {
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(400)
      expect(y).toBeGreaterThan(26)
      expect(y).toBeLessThan(planeHeight(400))
    }
    expect(nearestDot(dots, b.x + 3, b.y)).toBe(1)
    expect(nearestDot(dots, -50, -50)).toBeNull()
    const texts = planeScene(data, 400, 'light').marks.flatMap((mark) =>
      mark.kind === 'text' ? [mark.text] : [],
    )
    expect(texts).toEqual(expect.arrayContaining(['a plane', '75%', 'cat', 'mat', '[CLS]']))
  })

  it('tokens in one place stand in the middle', () => {
    const dots = dotsOf({ points: new Float32Array(4), shares: [0, 0] }, 300)
    for (const { x } of dots) expect(x).toBeCloseTo(138, 6)
  })

  it('the map of all heads finds the heads under a point', () => {
    const shape = { layers: 2, heads: 3 }
    const grid = alikeGrid(shape, 142)
    expect(placeAt(grid, 23, 23)).toEqual({ row: 0, column: 0 })
    expect(placeAt(grid, 141, 60)).toEqual({ row: 1, column: 5 })
    expect(placeAt(grid, 5, 60)).toBeNull()
    const values = Float32Array.from({ length: 36 }, (_, cell) => (cell === 1 ? -0.2 : 0.5))
    const scene = alikeScene({ ...shape, values, opened: 0, other: 4, title: '' }, 142, 'dark')
    const [picture] = scene.marks
    if (picture?.kind !== 'image') throw new Error('expected a picture')
    expect(picture.pixels).toHaveLength(36)
    expect(picture.pixels[1]).not.toBe(picture.pixels[2])
  })
})

describe('the real model', () => {
  const golden = JSON.parse(
    readFileSync(
      new URL('../../../../../tests/golden/analysis/minilm-l6.json', import.meta.url),
      'utf8',
    ),
  ) as {
    text: string
    layer: number
    head: number
    other: number
    subspaces: {
      residual: { scores: number[]; ratio: number[]; distances: number[]; cosines: number[] }
      queries: { distances: number[]; cosines: number[] }
      angles: number[]
      plain: number[]
      debiased: number[]
    }
  }
  const { layer, head, other } = golden
  const { signal } = new AbortController()
  let hw: Awaited<ReturnType<typeof createRuntime>>
  let model: Awaited<ReturnType<typeof hw.loadModel>>
  let all: Awaited<ReturnType<typeof activationsOf>>

  beforeAll(async () => {
    hw = await createRuntime({ build: 'simd', worker: false })
    const folder = new URL('../../../../models/minilm-l6/', import.meta.url)
    // Floats: the golden values are of exact arithmetic on the same weights.
    model = await hw.loadModel(folder, { dtype: 'float32' })
    const { ids, typeIds } = await model.tokenizer.encode(golden.text)
    const { numLayers: layers, numHeads: heads, headDim, dModel } = model.config
    const shape = { layers, heads, headDim, dModel }
    const read = { model: 'minilm-l6', text: golden.text, pair: '' } as const
    const reading = { ...read, tokens: [], left: 0, patterns: [] }
    all = await activationsOf(model, { ...reading, ...shape, ids, typeIds }, signal)
  }, 60_000)
  afterAll(() => {
    hw.dispose()
  })

  function expectNear(
    got: ArrayLike<number>,
    expected: readonly number[],
    tolerance: number,
  ): void {
    expect(got.length).toBe(expected.length)
    const worst = Math.max(...expected.map((value, place) => Math.abs(value - (got[place] ?? NaN))))
    expect(worst).toBeLessThanOrEqual(tolerance)
  }

  const everyPair = (of: (first: number, second: number) => number): number[] => {
    const values: number[] = []
    for (let first = 0; first < all.size; first++) {
      for (let second = first + 1; second < all.size; second++) values.push(of(first, second))
    }
    return values
  }

  it('the plane of the residual stream, and the shares of its variance', async () => {
    const plane = await planeOf(hw, modelVectors(all, layer), signal)
    expectNear(plane.points, golden.subspaces.residual.scores, 1e-4)
    expectNear(plane.shares, golden.subspaces.residual.ratio, 1e-5)
  })

  it('distances and cosines of every pair, in the model and among the queries of a head', () => {
    for (const [vectors, expected] of [
      [modelVectors(all, layer), golden.subspaces.residual],
      [spaceVectors(all, { layer, head }, 'query'), golden.subspaces.queries],
    ] as const) {
      expectNear(
        everyPair((a, b) => distance(vectors, a, b)),
        expected.distances,
        1e-4,
      )
      expectNear(
        everyPair((a, b) => cosine(vectors, a, b)),
        expected.cosines,
        1e-5,
      )
    }
  })

  it('angles between what two heads read', async () => {
    const [a, b] = [
      await projectionOf(model, { layer, head }, 'query'),
      await projectionOf(model, { layer, head: other }, 'query'),
    ]
    expectNear(await anglesBetween(hw, a, b, signal), golden.subspaces.angles, 1e-5)
  })

  it.each(['plain', 'debiased'] as const)('%s alignment of the heads of a layer', async (kind) => {
    const aligned = await alignmentOf(hw, all, kind === 'debiased', signal)
    const count = all.layers * all.heads
    const block = Array.from({ length: all.heads ** 2 }, (_, cell) => {
      const [row, column] = [Math.floor(cell / all.heads), cell % all.heads]
      return aligned[(layer * all.heads + row) * count + layer * all.heads + column] ?? NaN
    })
    expectNear(block, golden.subspaces[kind], 1e-4)
  })

  it('the ends of the scale are where they should be', async () => {
    const place = { layer, head }
    const projection = await projectionOf(model, place, 'query')
    const output = spaceVectors(all, place, 'output')
    const ends = await endsOf(hw, output, output, projection, signal)
    expect(ends.same.plain).toBeCloseTo(1, 5)
    expect(ends.same.debiased).toBeCloseTo(1, 5)
    expect(degrees(ends.same.angles.at(-1) ?? NaN)).toBeLessThan(1e-3)
    expect(ends.apart.plain).toBeLessThan(1e-6)
    expect(degrees(ends.apart.angles[0] ?? NaN)).toBeGreaterThan(89.999)
    expect(ends.chance.angles[0]).toBeGreaterThan(0.5)
    expect(ends.chance.plain).toBeLessThan(0.9)
  })

  it('a head made of what another does not read has nothing of it', () => {
    const random = chance(6, 2)
    const basis = vectors(2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    const left = outside(random, basis)
    expect([...left.data.subarray(0, 4)]).toEqual([0, 0, 0, 0])
    expect(left.data[8]).toBe(random.data[8])
  })
})

describe('the two catalogues', () => {
  it('refer to the same parts of the figures', () => {
    const facts = {
      head: '3.1',
      layer: '3',
      space: 'query',
      first: 'it',
      second: 'cat',
      model: '0.80',
      inHead: '0.40',
      modelCosine: '0.50',
      headCosine: '0.90',
    } as const
    const partsOf = (words: typeof english): string[] =>
      [words.answer(facts), words.shadow('32', '384'), words.planes(), words.honesty('12')]
        .flat()
        .flatMap((each: Inline) =>
          typeof each !== 'string' && each.kind === 'part' ? [each.part] : [],
        )
        .sort()
    expect(partsOf(korean)).toEqual(partsOf(english))
  })
})
