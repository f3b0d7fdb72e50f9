// The analyses through every entrance, against NumPy's values; what they refuse, and how they end.
import { readFileSync } from 'node:fs'

import type {
  FittedHeadDim,
  HeadSimilarityOptions,
  LowRankFitOptions,
  PrincipalComponentsOptions,
  SvdOptions,
  TensorLike,
} from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { SafetensorsReader } from '../../web/module/dist/model/safetensors.js'
import {
  configurations,
  entrances,
  usedMemory,
  worker,
  type AnyRuntime,
} from './support/runtimes.js'
import { filled, noise } from './support/tensors.js'

const file = new URL('../golden/analysis/cases.safetensors', import.meta.url)

function readCases(): Map<string, TensorLike> {
  const reader = new SafetensorsReader('cases.safetensors')
  const tensors = [...reader.push(readFileSync(file))]
  reader.end()
  return new Map(
    tensors.map(({ name, dims, bytes }) => [name, { data: new Float32Array(bytes.buffer), dims }]),
  )
}
const cases = readCases()

function golden(name: string): TensorLike {
  const tensor = cases.get(name)
  if (tensor === undefined) throw new Error(`golden case '${name}': expected one; received none`)
  return tensor
}

function expectNear(got: TensorLike, expected: TensorLike, tolerance: number): void {
  expect(got.dims).toEqual(expected.dims)
  const differences = got.data.map((value, i) => Math.abs(value - (expected.data[i] ?? NaN)))
  expect(Math.max(...differences)).toBeLessThanOrEqual(tolerance)
}

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(async () => {
    expect(await usedMemory(hw)).toBe(0)
    hw.dispose()
  })

  test.each(['tall', 'wide', 'square'])('a %s matrix and its nearest of rank 3', async (name) => {
    const x = golden(`svd.${name}.x`)
    const { u, s, vh } = await hw.svd(x, { rank: 3 })
    expectNear(s, golden(`svd.${name}.s`), 3e-6)
    const [rows = 0, columns = 0] = x.dims
    expect(u.dims).toEqual([rows, 3])
    expect(vh.dims).toEqual([3, columns])
    const data = Float32Array.from({ length: rows * columns }, (_, cell) => {
      const [row, column] = [Math.floor(cell / columns), cell % columns]
      return [0, 1, 2].reduce((sum, k) => {
        return (
          sum + (u.data[row * 3 + k] ?? 0) * (s.data[k] ?? 0) * (vh.data[k * columns + column] ?? 0)
        )
      }, 0)
    })
    expectNear({ data, dims: x.dims }, golden(`svd.${name}.rank3`), 3e-6)
  })

  test.each(['few', 'many'])('principal components of %s rows', async (name) => {
    const pca = await hw.principalComponents(golden(`pca.${name}.x`), { components: 4 })
    expectNear(pca.scores, golden(`pca.${name}.scores`), 5e-6)
    expectNear(pca.components, golden(`pca.${name}.components`), 1e-6)
    expectNear(pca.mean, golden(`pca.${name}.mean`), 1e-6)
    expectNear(pca.explainedVariance, golden(`pca.${name}.variance`), 5e-6)
    expectNear(pca.explainedVarianceRatio, golden(`pca.${name}.ratio`), 1e-6)
  })

  test('principal angles', async () => {
    const { angles, ranks } = await hw.principalAngles(golden('angles.a'), golden('angles.b'))
    expectNear(angles, golden('angles.ab'), 5e-7)
    expect([...ranks.a.data, ...ranks.b.data]).toEqual([5, 5, 5, 4, 4])
    const own = await hw.principalAngles(golden('angles.a'))
    expect(own.angles.dims).toEqual([3, 3, 5])
    expect(Math.max(...own.angles.data.subarray(0, 5))).toBeLessThan(1e-7)
  })

  test.each(['few', 'many'])('similarity of heads over %s tokens', async (name) => {
    const x = golden(`cka.${name}.x`)
    expectNear(await hw.headSimilarity(x), golden(`cka.${name}.plain`), 1e-6)
    const debiased = await hw.headSimilarity(x, { debiased: true })
    expectNear(debiased, golden(`cka.${name}.debiased`), 1e-6)
  })
})

/** Every query looks at the next key, the last one at the first. */
function shift(n: number): TensorLike {
  const data = new Float32Array(n * n)
  for (let row = 0; row < n; row++) data[row * n + ((row + 1) % n)] = 1
  return { data, dims: [n, n] }
}

describe.each(configurations)('$name, fits', ({ open }) => {
  test('a head of every width, told of one by one; the same bits for the same seed', async () => {
    const hw = await open()
    const told: FittedHeadDim[] = []
    const onProgress = (fit: FittedHeadDim) => void told.push(fit)
    const options = { norm: 6, maxHeadDim: 3, seed: 5 }
    const fit = await hw.lowRankFit(shift(7), { ...options, onProgress })
    expect(fit.weights.dims).toEqual([3, 7, 7])
    expect(fit.queries.dims).toEqual([3, 7, 3])
    expect(told.map(({ headDim }) => headDim)).toEqual([1, 2, 3])
    expect(told.map(({ divergence }) => divergence)).toEqual([...fit.divergence.data])
    expect(told.map(({ largestError }) => largestError)).toEqual([...fit.largestError.data])
    expect(told.map(({ norm }) => norm)).toEqual([...fit.norm.data])
    expect(fit.divergence.data[1]).toBeLessThan(0.09)
    expect(fit.divergence.data[0]).toBeGreaterThan(1)
    // softmax(queries keys^T / sqrt(d_k)) by the op, for d_k = 2.
    const two = (all: TensorLike): TensorLike => ({
      data: Float32Array.from({ length: 14 }, (_, i) => {
        return all.data[21 + Math.floor(i / 2) * 3 + (i % 2)] ?? NaN
      }),
      dims: [1, 1, 7, 2],
    })
    const [query, key] = [two(fit.queries), two(fit.keys)]
    const { weights } = await hw.attention(query, key, key, { returnWeights: true })
    expectNear(
      { data: weights?.data ?? new Float32Array(), dims: [7, 7] },
      { data: fit.weights.data.subarray(49, 98), dims: [7, 7] },
      1e-4,
    )
    const again = await hw.lowRankFit(shift(7), options)
    expect(again.weights.data).toEqual(fit.weights.data)
    expect(await usedMemory(hw)).toBe(0)
    hw.dispose()
  })
})

const nan = { data: Float32Array.of(1, NaN, 3, 4), dims: [2, 2] }

describe.each(entrances)('$name', ({ open }) => {
  test('what cannot be analysed is refused by name, and the next call works', async () => {
    const hw = await open()
    const refused = async (call: () => unknown, argument: string): Promise<void> => {
      await expect(Promise.resolve().then(call)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        argument,
      })
    }
    const x = noise([6, 4])
    await refused(() => hw.svd(nan), 'x')
    await refused(() => hw.svd(x, { rank: 5 }), 'rank')
    await refused(() => hw.svd(x, { rank: 1.5 }), 'rank')
    await refused(() => hw.svd(x, { rnak: 1 } as SvdOptions), 'options.rnak')
    await refused(() => hw.svd(filled([0, 4], 0)), 'x')
    await refused(() => hw.principalComponents(noise([1, 4])), 'x')
    await refused(
      () => hw.principalComponents(x, null as unknown as PrincipalComponentsOptions),
      'options',
    )
    await refused(() => hw.principalAngles(x, noise([5, 2])), 'b')
    await refused(() => hw.principalAngles(noise([6, 4]), nan), 'b')
    await refused(() => hw.headSimilarity(noise([1, 3, 4])), 'x')
    await refused(
      () => hw.headSimilarity(x, { debiased: 1 } as unknown as HeadSimilarityOptions),
      'debiased',
    )
    const pattern = shift(3)
    await refused(() => hw.lowRankFit(noise([3, 3]), { norm: 1 }), 'pattern')
    await refused(() => hw.lowRankFit(filled([2, 3], 0.5), { norm: 1 }), 'pattern')
    await refused(() => hw.lowRankFit(pattern, { norm: 0 }), 'norm')
    await refused(() => hw.lowRankFit(pattern, {} as LowRankFitOptions), 'norm')
    await refused(
      () => hw.lowRankFit(pattern, undefined as unknown as LowRankFitOptions),
      'options',
    )
    await refused(() => hw.lowRankFit(pattern, { norm: 1, maxHeadDim: 4 }), 'maxHeadDim')
    await refused(() => hw.lowRankFit(pattern, { norm: 1, seed: 0.5 }), 'seed')
    expect((await hw.svd(x)).s.dims).toEqual([4])
    hw.dispose()
  })
})

test('a long analysis is aborted between slices', async () => {
  const hw = await worker.open({ build: 'scalar' })
  const abort = new AbortController()
  const call = hw.svd(noise([300, 400]), { signal: abort.signal })
  setTimeout(() => abort.abort(new Error('enough')), 10)
  await expect(call).rejects.toThrow('enough')
  expect(await usedMemory(hw)).toBe(0)
  hw.dispose()
})
