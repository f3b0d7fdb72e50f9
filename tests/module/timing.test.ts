// `onTiming`: which calls it hears of, that the parts are those of the whole, and what its own
// errors do. How long anything takes is not judged.
import type { CallTiming, RuntimeOptions } from 'headwise'
import { describe, expect, test } from 'vitest'

import { core, entrances } from './support/runtimes.js'
import { smallBert } from './support/small-bert.js'
import { filled, noise } from './support/tensors.js'

const one = filled([1, 1, 1, 1], 1)
const matrix = filled([1, 1], 1)

describe.each(entrances)('$name', ({ name, open }) => {
  const listening = async (options: RuntimeOptions = {}) => {
    const timings: CallTiming[] = []
    const hw = await open({ ...options, onTiming: (timing) => timings.push(timing) })
    return { hw, timings }
  }

  test('every computing call is told once, under its name', async () => {
    const { hw, timings } = await listening()
    await hw.attention(one, one, one)
    const layer = await hw.createMultiHeadAttention({
      dModel: 1,
      numHeads: 1,
      weights: { query: matrix, key: matrix, value: matrix, output: matrix },
    })
    await layer.forward(filled([1, 1, 1], 1))
    const cube = filled([1, 1, 1], 1)
    await hw.latentAttention({
      queryNope: one,
      queryRope: one,
      latent: cube,
      keyRope: cube,
      weights: { uk: cube, uv: cube },
    })
    const model = await hw.loadModel(smallBert())
    await model.run('the cat')
    await model.embed(['the', 'cat'])
    await model.tokenizer.encode('the')
    expect(timings.map(({ call }) => call)).toEqual([
      'attention',
      'forward',
      'latentAttention',
      'run',
      'embed',
    ])
    hw.dispose()
  })

  test('compute, copies and waiting are the parts of the duration', async () => {
    const { hw, timings } = await listening()
    const before = performance.now()
    const x = noise([1, 4, 512, 64])
    await Promise.all([hw.attention(x, x, x), hw.attention(x, x, x)])
    const after = performance.now()
    expect(timings.length).toBe(2)
    for (const { startTime, duration, compute, copies, waiting } of timings) {
      expect(startTime).toBeGreaterThanOrEqual(before)
      expect(startTime + duration).toBeLessThanOrEqual(after + 1)
      expect(compute + copies + waiting).toBeCloseTo(duration, 6)
      expect(compute).toBeGreaterThan(0)
      expect(copies).toBeGreaterThan(0)
      if (name === core.name) expect(waiting).toBe(0)
    }
    // The second of two calls at once is not computed before the first is.
    const [first, second] = timings
    if (!first || !second) throw new Error('expected two timings')
    const later = second.startTime - first.startTime
    if (name !== core.name) {
      expect(later + second.copies + second.waiting).toBeGreaterThanOrEqual(first.compute)
    }
    hw.dispose()
  })

  test('it fits an entry of the timeline', async () => {
    const { hw, timings } = await listening()
    await hw.attention(one, one, one)
    const [{ call, startTime: start, duration } = { call: '', startTime: NaN, duration: NaN }] =
      timings
    const entry = performance.measure(`headwise ${call}`, { start, duration })
    expect(entry).toMatchObject({ name: 'headwise attention', startTime: start, duration })
    hw.dispose()
  })

  test('failed and aborted calls are not told', async () => {
    const { hw, timings } = await listening()
    await expect(async () => hw.attention(one, one, matrix)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
    const signal = AbortSignal.abort('no')
    await expect(async () => hw.attention(one, one, one, { signal })).rejects.toBe('no')
    await hw.attention(one, one, one)
    expect(timings.length).toBe(1)
    hw.dispose()
  })

  test('what it throws ends its call alone', async () => {
    const own = new Error('from the caller')
    let calls = 0
    const onTiming = () => {
      if (calls++ === 0) throw own
    }
    const hw = await open({ onTiming })
    await expect(async () => hw.attention(one, one, one)).rejects.toBe(own)
    expect([...(await hw.attention(one, one, one)).output.data]).toEqual([1])
    hw.dispose()
  })

  test('anything but a function is refused', async () => {
    await expect(open({ onTiming: true as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'onTiming',
    })
  })
})
