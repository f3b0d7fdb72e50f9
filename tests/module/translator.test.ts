// The shipped translator as chapter 12 asks it: every map of every head, and decoding one token a step
// against the module's own generate.
import { createRuntime, type Model, type Runtime } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  decodeGreedy,
  idsOf,
  searchBeams,
  type Step,
} from '../../web/app/src/chapters/cross/decoding.js'
import {
  endsOf,
  mapsOf,
  nextFor,
  places,
  sourceOf,
  type Maps,
} from '../../web/app/src/chapters/cross/translator.js'

const folder = new URL('../../web/models/translate-en-fr/', import.meta.url)
const { signal } = new AbortController()
const ignore = () => undefined

describe('the shipped translator', () => {
  let hw: Runtime
  let model: Model
  beforeAll(async () => {
    hw = await createRuntime({ build: 'simd' })
    model = await hw.loadModel(folder)
  })
  afterAll(() => hw.dispose())

  async function translated(text: string): Promise<{ steps: readonly Step[]; maps: Maps }> {
    const source = await sourceOf(model, text, signal)
    const next = nextFor(model, source)
    const steps = await decodeGreedy(next, endsOf(model, source), [], signal, ignore)
    return { steps, maps: await mapsOf(model, source, idsOf(steps), signal) }
  }

  /** From the logits of one run over the whole text. */
  async function meanLogProbability(
    ids: readonly number[],
    start: readonly number[],
    written: readonly number[],
  ): Promise<number> {
    const decoderIds = [...start, ...written.slice(0, -1)]
    const { output } = await model.run({ ids: [...ids] }, { decoderIds })
    const { vocabulary, generation } = model.config
    const logs = written.map((id, step) => {
      const logits = output?.data.slice(step * vocabulary, (step + 1) * vocabulary)
      if (!logits) throw new Error('run: expected logits; received none')
      for (const never of generation?.suppressedIds ?? []) logits[never] = -Infinity
      const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0)
      return (logits[id] ?? NaN) - Math.log(sum)
    })
    return logs.reduce((total, log) => total + log, 0) / logs.length
  }

  test('step by step it writes what generate writes', async () => {
    for (const text of ['Tom bought a red car.', 'Where is the station?', '']) {
      const { steps } = await translated(text)
      const ids: number[] = []
      const maxTokens = steps.length
      for await (const { id } of model.generate(text, { maxTokens })) ids.push(id)
      expect(idsOf(steps)).toEqual(ids)
    }
  })

  test.each(['My sister is very tired.', 'I do not like cold coffee.', 'Hi', ''])(
    '%j: in every map of every head rows sum to 1 and the future is exactly 0',
    async (text) => {
      const { steps, maps } = await translated(text)
      const { ids } = await sourceOf(model, text, signal)
      const shapes = {
        encoder: [ids.length, ids.length],
        decoder: [steps.length, steps.length],
        cross: [steps.length, ids.length],
      }
      const { numLayers, decoderLayers, numHeads } = model.config
      const layers = { encoder: numLayers, decoder: decoderLayers, cross: decoderLayers }
      for (const place of places) {
        expect(maps[place]).toHaveLength(layers[place])
        for (const map of maps[place].flat()) {
          expect([map.rows, map.columns]).toEqual(shapes[place])
          for (let row = 0; row < map.rows; row++) {
            const weights = Array.from(map.values.subarray(row * map.columns).slice(0, map.columns))
            expect(weights.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 5)
            if (place === 'decoder') expect(weights.slice(row + 1).every((w) => w === 0)).toBe(true)
          }
        }
        expect(maps[place].every((heads) => heads.length === numHeads)).toBe(true)
      }
    },
  )

  test('another token turns the text; beams are scored by the mean log-probability of their tokens', async () => {
    const source = await sourceOf(model, 'Are you happy?', signal)
    const [next, ends] = [nextFor(model, source), endsOf(model, source)]
    const greedy = await decodeGreedy(next, ends, [], signal, ignore)
    const other = greedy[0]?.candidates[1]
    const choices = [{ step: 0, id: other?.id ?? NaN }]
    const turned = await decodeGreedy(next, ends, choices, signal, ignore)
    expect(idsOf(turned)[0]).toBe(other?.id)
    const [one] = await searchBeams(next, ends, 1, [], signal)
    expect(idsOf(one?.steps ?? [])).toEqual(idsOf(greedy))
    const wide = await searchBeams(next, ends, 4, [], signal)
    expect(new Set(wide.map(({ steps }) => idsOf(steps).join(' '))).size).toBe(4)
    for (const { steps, score } of wide) {
      expect(await meanLogProbability(source.ids, ends.start, idsOf(steps))).toBeCloseTo(score, 4)
    }
  })

  test('what it cannot take is cut at the end, the closing token kept', async () => {
    const { maxPositions, generation } = model.config
    const source = await sourceOf(model, 'a car '.repeat(maxPositions), signal)
    expect(source.ids).toHaveLength(maxPositions)
    expect(source.left).toBeGreaterThan(0)
    expect(generation?.endIds).toContain(source.ids.at(-1))
    expect(endsOf(model, source).most).toBeLessThan(maxPositions)
  })
})
