// The choice of a token: greedy, by temperature, top-k and top-p, and the same for the same seed.
import { describe, expect, test } from 'vitest'

import { Sampler, type Sampling } from '../../../web/module/dist/generate/sampler.js'

const logits = [1, 3, -2, 2.5, 3, 0]

function sampler(sampling: Partial<Sampling>): Sampler {
  const defaults = { temperature: 1, topK: undefined, topP: undefined, seed: 0, suppressed: [] }
  return new Sampler({ ...defaults, ...sampling })
}

function counts(sampling: Partial<Sampling>, draws = 20_000): number[] {
  const chooser = sampler(sampling)
  const result = logits.map(() => 0)
  for (let i = 0; i < draws; i++) {
    const id = chooser.choose(Float32Array.from(logits))
    result[id] = (result[id] ?? 0) + 1
  }
  return result
}

/** The probabilities of these ids at a temperature. */
function shares(ids: readonly number[], temperature: number): number[] {
  const weights = logits.map((logit, id) => (ids.includes(id) ? Math.exp(logit / temperature) : 0))
  const total = weights.reduce((a, b) => a + b)
  return weights.map((weight) => weight / total)
}

describe('Sampler', () => {
  test('temperature 0 takes the likeliest, the first of equals', () => {
    expect(sampler({ temperature: 0 }).choose(Float32Array.from(logits))).toBe(1)
    const suppressed = [1, 4]
    expect(sampler({ temperature: 0, suppressed }).choose(Float32Array.from(logits))).toBe(3)
  })

  const everything = [0, 1, 2, 3, 4, 5]
  test.each([
    [{}, everything, 1],
    [{ temperature: 0.5 }, everything, 0.5],
    [{ temperature: 3 }, everything, 3],
    [{ topK: 3 }, [1, 3, 4], 1],
    [{ topK: 1 }, [1], 1],
    [{ topK: 100 }, everything, 1],
    [{ topP: 0.7 }, [1, 4], 1],
    [{ topP: 0 }, [1], 1],
    [{ topP: 1 }, everything, 1],
    [{ topP: 0.9 }, [1, 3, 4], 1],
    [{ topK: 3, topP: 0.5 }, [1, 4], 1],
    [{ suppressed: [1, 3] }, [0, 2, 4, 5], 1],
  ])('%j draws in proportion from ids %j', (sampling, ids, temperature) => {
    const draws = 20_000
    const expected = shares(ids, temperature)
    counts({ seed: 7, ...sampling }, draws).forEach((count, id) => {
      const share = expected[id] ?? 0
      // Five standard deviations of a binomial count; none at all where the share is 0.
      const allowed = 5 * Math.sqrt((share * (1 - share)) / draws)
      expect(Math.abs(count / draws - share), `id ${id}`).toBeLessThanOrEqual(allowed)
    })
  })

  test.each([{}, { temperature: 0.5 }, { topK: 3 }, { topP: 0.7 }, { suppressed: [1, 3] }])(
    '%j: the chances are those of the draw',
    (sampling: Partial<Sampling>) => {
      const among = [0, 1, 2, 3, 4, 5].filter((id) => !(sampling.suppressed ?? []).includes(id))
      const own = shares(among, 1)
      const chances = sampler(sampling).chances(Float32Array.from(logits), 6)
      const kept = chances.filter(({ drawn }) => drawn > 0).map(({ id }) => id)
      const drawn = shares(kept, sampling.temperature ?? 1)
      expect(kept).toHaveLength(sampling.topK ?? (sampling.topP === 0.7 ? 2 : among.length))
      for (const chance of chances) {
        expect(chance.probability).toBeCloseTo(own[chance.id] ?? NaN, 12)
        expect(chance.drawn).toBeCloseTo(
          kept.includes(chance.id) ? (drawn[chance.id] ?? NaN) : 0,
          12,
        )
      }
      const order = chances.map(({ id }) => id).slice(0, 2)
      expect(order).toEqual(sampling.suppressed ? [4, 0] : [1, 4])
      expect(sampler(sampling).chances(Float32Array.from(logits), 2)).toHaveLength(2)
    },
  )

  test('the same seed, the same choices; another seed, others', () => {
    const sequence = (seed: number) => {
      const chooser = sampler({ seed })
      return Array.from({ length: 40 }, () => chooser.choose(Float32Array.from(logits))).join('')
    }
    expect(sequence(1)).toBe(sequence(1))
    const seeds = [0, 1, 2, 3, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]
    expect(new Set(seeds.map(sequence)).size).toBe(seeds.length)
  })

  test('logits that are no numbers are an error, not a token', () => {
    for (const bad of [
      [1, NaN, 2],
      [NaN, 1],
      [-Infinity, -Infinity],
      [1, Infinity],
    ]) {
      expect(() => sampler({}).choose(Float32Array.from(bad))).toThrow('logits')
    }
    const none = sampler({ suppressed: [0, 1] })
    expect(() => none.choose(Float32Array.of(1, 2))).toThrow('generation_config.json')
  })
})
