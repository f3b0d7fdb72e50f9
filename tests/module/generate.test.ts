// Generating text: the same through every entrance, with and without a cache, in parts that make the
// text; ended by tokens, texts, lengths, the reader and the signal.
import { HeadwiseError, type GeneratedPart, type GenerateOptions } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { filesOf, Golden, type Checkpoint } from './support/architectures.js'
import { entrances, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { smallBert } from './support/small-bert.js'

type Model = Awaited<ReturnType<AnyRuntime['loadModel']>>

async function partsOf(
  model: Model,
  prompt: string | readonly number[],
  options?: GenerateOptions,
): Promise<GeneratedPart[]> {
  const parts: GeneratedPart[] = []
  for await (const part of model.generate(prompt, options)) parts.push(part)
  return parts
}

const idsOf = (parts: readonly GeneratedPart[]) => parts.map(({ id }) => id)
const textOf = (parts: readonly GeneratedPart[]) => parts.map(({ text }) => text).join('')

/** A checkpoint whose texts do not end by themselves. */
function endless(name: Checkpoint) {
  const files = filesOf(name)
  return { ...files, config: { ...files.config, eos_token_id: null } }
}

describe.each(entrances)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open({ build: 'simd' })
  })
  afterAll(() => hw.dispose())

  test('a text is continued as the golden one, its parts make it', async () => {
    const golden = new Golden('gpt2')
    const model = await hw.loadModel(filesOf('gpt2'))
    const parts = await partsOf(model, golden.ids('prompt'), { maxTokens: 8 })
    expect(idsOf(parts)).toEqual(golden.ids('generated'))
    expect(parts.slice(0, -1).every(({ finished }) => finished === undefined)).toBe(true)
    expect(parts.at(-1)?.finished).toBe('length')
    model.dispose()
  })

  test.each(['gpt2', 'gemma2', 't5'] as const)(
    '%s: with the cache as without, token for token',
    async (name) => {
      const golden = new Golden(name)
      const model = await hw.loadModel(endless(name))
      const prompt = golden.ids('prompt')
      const answers = model.config.kind === 'encoder-decoder'
      const own = answers ? [...(model.config.generation?.startIds ?? [])] : [...prompt]
      const generated = idsOf(await partsOf(model, prompt, { maxTokens: 8 }))
      for (const id of generated) {
        const options = answers ? { decoderIds: own } : {}
        const { output } = await model.run({ ids: answers ? prompt : own }, options)
        const last = output?.data.slice(-model.config.vocabulary) ?? new Float32Array()
        for (const hidden of model.config.generation?.suppressedIds ?? []) last[hidden] = -Infinity
        expect(last.indexOf(Math.max(...last))).toBe(id)
        own.push(id)
      }
      model.dispose()
    },
  )

  test.each(['gpt2', 't5'] as const)(
    '%s: without keeping keys and values the same',
    async (name) => {
      const model = await hw.loadModel(endless(name))
      const prompt = new Golden(name).ids('prompt')
      const options = { maxTokens: 8, temperature: 0.8, seed: 3 }
      const kept = await partsOf(model, prompt, options)
      expect(await partsOf(model, prompt, { ...options, cache: false })).toEqual(kept)
      expect(kept.length).toBeGreaterThan(4)
      model.dispose()
    },
  )

  test('a decoder goes on behind what it is said to have written', async () => {
    const model = await hw.loadModel(endless('marian'))
    const source = new Golden('marian').ids('prompt')
    const [...start] = model.config.generation?.startIds ?? []
    const whole = idsOf(await partsOf(model, source, { maxTokens: 6 }))
    for (const cache of [true, false]) {
      const decoderIds = [...start, ...whole.slice(0, 2)]
      const rest = await partsOf(model, source, { maxTokens: 4, decoderIds, cache })
      expect(idsOf(rest)).toEqual(whole.slice(2))
    }
    const other = (whole[0] ?? 0) + 1
    const after = await partsOf(model, source, { maxTokens: 4, decoderIds: [...start, other] })
    expect(idsOf(after)).not.toEqual(whole.slice(1, 5))
    model.dispose()
  })

  test('candidates are the likeliest tokens, with the probabilities of a run', async () => {
    const model = await hw.loadModel(endless('gpt2'))
    const prompt = new Golden('gpt2').ids('prompt')
    const { output } = await model.run(prompt)
    const logits = Array.from(output?.data.slice(-model.config.vocabulary) ?? [])
    const softmaxOf = (temperature: number) => {
      const powers = logits.map((logit) => Math.exp(logit / temperature))
      const total = powers.reduce((a, b) => a + b)
      return powers.map((power) => power / total)
    }
    const sampling = { temperature: 0.5, maxTokens: 1, candidates: 5 }
    const [part] = await partsOf(model, prompt, sampling)
    const candidates = part?.candidates ?? []
    const order = logits.map((_, id) => id).sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0))
    expect(candidates.map(({ id }) => id)).toEqual(order.slice(0, 5))
    const [own, drawn] = [softmaxOf(1), softmaxOf(0.5)]
    for (const { id, probability, drawn: share } of candidates) {
      expect(probability).toBeCloseTo(own[id] ?? NaN, 6)
      expect(share).toBeCloseTo(drawn[id] ?? NaN, 6)
    }
    expect(part?.milliseconds).toBeGreaterThanOrEqual(0)
    const [few] = await partsOf(model, prompt, { ...sampling, topK: 2 })
    const shares = few?.candidates?.map((each) => each.drawn) ?? []
    expect((shares[0] ?? 0) + (shares[1] ?? 0)).toBeCloseTo(1, 9)
    expect(shares.slice(2)).toEqual([0, 0, 0])
    const [greedy] = await partsOf(model, prompt, { maxTokens: 1, candidates: 2 })
    expect(greedy?.candidates?.map((each) => each.drawn)).toEqual([1, 0])
    const [plain] = await partsOf(model, prompt, { maxTokens: 1 })
    expect(Object.keys(plain ?? {}).sort()).toEqual(['finished', 'id', 'text'])
    model.dispose()
  })

  test('seeds, temperatures and stop texts', async () => {
    const model = await hw.loadModel(endless('gpt2'))
    const sampled = { maxTokens: 12, temperature: 1.5 }
    const first = await partsOf(model, 'the cat', { ...sampled, seed: 1 })
    expect(await partsOf(model, 'the cat', { ...sampled, seed: 1 })).toEqual(first)
    const other = await partsOf(model, 'the cat', { ...sampled, seed: 2 })
    expect(idsOf(other)).not.toEqual(idsOf(first))
    expect(idsOf(await partsOf(model, 'the cat', { ...sampled, seed: 1, topK: 1 }))).toEqual(
      idsOf(await partsOf(model, 'the cat', { maxTokens: 12 })),
    )

    const text = textOf(first)
    const stop = text.slice(3, 5)
    const stopped = await partsOf(model, 'the cat', { ...sampled, seed: 1, stop })
    expect(textOf(stopped)).toBe(text.slice(0, text.indexOf(stop)))
    expect(stopped.at(-1)?.finished).toBe('stop')
    const ends = await partsOf(model, 'the cat', { ...sampled, seed: 1, stop: ['§', stop] })
    expect(ends).toEqual(stopped)
    model.dispose()
  })

  test('an end token and the longest sequence end a text', async () => {
    const golden = new Golden('gpt2')
    const files = filesOf('gpt2')
    const generated = golden.ids('generated')
    // The first token that is another than the first.
    const last = generated.findIndex((id) => id !== generated[0])
    const config = { ...files.config, eos_token_id: generated[last] }
    const model = await hw.loadModel({ ...files, config })
    const parts = await partsOf(model, golden.ids('prompt'))
    expect(idsOf(parts)).toEqual(generated.slice(0, last + 1))
    expect(parts.map(({ finished }) => finished).indexOf('end')).toBe(last)
    model.dispose()

    const long = await hw.loadModel(endless('gpt2'))
    const prompt = [5, 6, 7]
    const all = await partsOf(long, prompt, { maxTokens: 10_000 })
    expect(prompt.length + all.length).toBe(long.config.maxPositions + 1)
    expect(all.at(-1)?.finished).toBe('length')
    long.dispose()
  })

  test('who leaves the loop, or aborts, frees the memory; the model goes on', async () => {
    const model = await hw.loadModel(endless('gpt2'))
    const before = await usedMemory(hw)
    const seen: number[] = []
    for await (const { id } of model.generate('the cat', { maxTokens: 20 })) {
      seen.push(id)
      if (seen.length === 2) break
    }
    expect(seen).toHaveLength(2)

    const controller = new AbortController()
    const reason = new Error('enough')
    const read = async () => {
      const { signal } = controller
      for await (const part of model.generate('the cat', { maxTokens: 30, signal })) {
        if (part.id >= 0) controller.abort(reason)
      }
    }
    await expect(read()).rejects.toBe(reason)
    await expect(async () => {
      await partsOf(model, 'the cat', { signal: controller.signal })
    }).rejects.toBe(reason)

    // Two texts at once take turns and do not disturb each other.
    const [one, two] = await Promise.all([
      partsOf(model, 'the cat', { maxTokens: 6 }),
      partsOf(model, 'a mat', { maxTokens: 6 }),
    ])
    expect(one).toEqual(await partsOf(model, 'the cat', { maxTokens: 6 }))
    expect(two).toEqual(await partsOf(model, 'a mat', { maxTokens: 6 }))
    expect(idsOf(one).slice(0, 2)).toEqual(seen)
    expect(await usedMemory(hw)).toBe(before)
    model.dispose()
  })

  test('what cannot be is said', async () => {
    const model = await hw.loadModel(endless('gpt2'))
    const bad: [unknown, GenerateOptions, string][] = [
      [7, {}, 'prompt'],
      [null, {}, 'prompt'],
      ['a', { maxTokens: 0 }, 'maxTokens'],
      ['a', { temperature: -1 }, 'temperature'],
      ['a', { temperature: Infinity }, 'temperature'],
      ['a', { topK: 0 }, 'topK'],
      ['a', { topP: 1.5 }, 'topP'],
      ['a', { seed: 0.5 }, 'seed'],
      ['a', { stop: '' }, 'stop'],
      ['a', { stop: [7] as unknown as string[] }, 'stop[0]'],
      ['a', { tokens: 7 } as GenerateOptions, 'tokens'],
      ['a', { candidates: -1 }, 'candidates'],
      ['a', { cache: 1 as unknown as boolean }, 'cache'],
      ['a', { decoderIds: [0.5] }, 'decoderIds'],
      ['a', { decoderIds: [1] }, 'decoderIds'],
      [[1, 2_000_000], {}, 'prompt[1]'],
      [Array(100).fill(5), {}, 'prompt'],
      [[], {}, 'prompt'],
    ]
    for (const [prompt, options, argument] of bad) {
      const call = async () => partsOf(model, prompt as string, options)
      await expect(call()).rejects.toThrow(HeadwiseError)
      await expect(call()).rejects.toThrow(argument)
    }
    const parts = model.generate('a')
    model.dispose()
    await expect(parts.next()).rejects.toMatchObject({ code: 'DISPOSED' })

    const bert = await hw.loadModel(smallBert())
    const refused = partsOf(bert, 'the cat')
    await expect(refused).rejects.toMatchObject({ code: 'UNSUPPORTED', argument: 'generate' })
    bert.dispose()
  })
})
