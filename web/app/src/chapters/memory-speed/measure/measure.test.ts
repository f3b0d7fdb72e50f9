import { describe, expect, it } from 'vitest'
import { dateText, resultOf, resultText } from './link'
import type { DeviceResult } from './results'
import { attentionFlops, cacheBytes, gigaflops, layerFlops, recurrentFlops } from './shapes'
import { spreadOf, timeInTurns } from './timing'

describe('timing in turns', () => {
  /** A clock that only the work moves. */
  function machine() {
    let now = 0
    const work = (duration: () => number) => () => {
      now += duration()
    }
    return { clock: () => now, work }
  }
  const effort = { warmUp: 50, sample: 10, rounds: 9, patience: 1000 }

  it('finds how long each takes, by call', () => {
    const { clock, work } = machine()
    const [quick, slow] = timeInTurns([work(() => 0.25), work(() => 20)], () => undefined, {
      ...{ effort, clock },
    })
    expect(quick).toMatchObject({ median: 0.25, low: 0.25, high: 0.25, samples: 9 })
    expect(slow?.median).toBe(20)
  })

  it('does not wait longer than its patience, but takes three samples', () => {
    const { clock, work } = machine()
    const [slow] = timeInTurns([work(() => 900)], () => undefined, { effort, clock })
    expect(slow?.samples).toBe(3)
  })

  it('one slow moment moves the upper quartile at most, not the median', () => {
    const { clock, work } = machine()
    let call = 0
    const run = work(() => (++call % 8 === 0 ? 100 : 15))
    const [time] = timeInTurns([run], () => undefined, { effort, clock })
    expect(time?.median).toBe(15)
  })

  it('tells how far it is, up to the whole', () => {
    const { clock, work } = machine()
    const shares: number[] = []
    timeInTurns([work(() => 1), work(() => 1)], (share) => shares.push(share), { effort, clock })
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
  })

  it('measures between the rounds what it is asked to', () => {
    const { clock, work } = machine()
    let times = 0
    timeInTurns([work(() => 1)], () => undefined, { effort, clock, between: () => times++ })
    expect(times).toBe(9)
  })
})

describe('quartiles', () => {
  it('are those of the sorted samples', () => {
    expect(spreadOf([4, 1, 3, 2, 5])).toEqual({ median: 3, low: 2, high: 4, samples: 5 })
  })
})

describe('what it costs', () => {
  it('counts every addition and multiplication of small cases', () => {
    let [attention, layer, recurrent] = [0, 0, 0]
    const [length, width] = [3, 4]
    for (let query = 0; query < length; query++) {
      for (let key = 0; key < length; key++) attention += 2 * width + 2 * width
      layer += 4 * width * width * 2
      recurrent += 2 * width * width * 2
    }
    expect(attentionFlops(length, length, width)).toBe(attention)
    expect(layerFlops(length, width)).toBe(layer + attention)
    expect(recurrentFlops(length, width)).toBe(recurrent)
  })

  it('decoding does half a FLOP for each byte, heads that share do more', () => {
    const intensity = (kvHeads: number) =>
      attentionFlops(1, 1000, 512) / cacheBytes(1000, kvHeads, 64)
    expect([8, 2, 1].map(intensity)).toEqual([0.5, 2, 4])
    expect(gigaflops(2e9, 1000)).toBe(2)
  })
})

describe('a result in a link', () => {
  const result: DeviceResult = {
    date: '20261130T0512',
    length: 512,
    limits: { relaxedMultiplyAdd: 58.613, multiplyThenAdd: 46.7, memory: 24.1 },
    lines: [
      { build: 'simd', threads: 1, time: { median: 14.2, low: 14.1, high: 15.003, samples: 11 } },
      {
        ...{ build: 'threads-relaxed', threads: 8 },
        time: { median: 2.25, low: 2, high: 3.5, samples: 9 },
      },
    ],
  }

  it('comes back as it was, in characters that addresses keep', () => {
    const text = resultText(result)
    expect(text).toMatch(/^[\w.-]+$/)
    expect(resultOf(text)).toEqual(result)
  })

  it('without relaxed SIMD too', () => {
    const { multiplyThenAdd, memory } = result.limits
    const plain = { ...result, limits: { multiplyThenAdd, memory } }
    expect(resultOf(resultText(plain))).toEqual(plain)
  })

  it.each([
    '',
    '1',
    'hello',
    resultText(result).replace('1_', '2_'),
    resultText(result).replace('T0512', 'T2561'),
    resultText(result).replace('simd', 'turbo'),
    resultText(result).replace('.11', '.0'),
    resultText(result).replace('14200', '-5'),
    resultText(result).replace('14100', '99999'),
    resultText(result).replace('threads-relaxed', 'simd'),
    resultText({ ...result, lines: [] }),
  ])('is refused where it makes no sense: %s', (text) => {
    expect(resultOf(text)).toBeNull()
  })

  it('says its date in the language of the reader', () => {
    expect(dateText(result.date, 'en')).toContain('Nov 30, 2026')
    expect(dateText(result.date, 'ko')).toContain('2026. 11. 30.')
  })
})
