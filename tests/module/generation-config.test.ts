// generation_config.json: what it says is what `generate` does where the caller says nothing, from
// every source; what is not there is told; what is broken is refused by name.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { HeadwiseError, type GeneratedPart, type GenerateOptions } from 'headwise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { filesOf, Golden } from './support/architectures.js'
import { FileServer } from './support/file-server.js'
import { HubServer } from './support/hub-server.js'
import { core, worker, type AnyRuntime } from './support/runtimes.js'

type Model = Awaited<ReturnType<AnyRuntime['loadModel']>>

const gpt2 = () => {
  const files = filesOf('gpt2')
  return { ...files, config: { ...files.config, eos_token_id: null } }
}
const prompt = new Golden('gpt2').ids('prompt')
const file = 'generation_config.json'

async function idsOf(model: Model, options?: GenerateOptions): Promise<number[]> {
  const parts: GeneratedPart[] = []
  for await (const part of model.generate(prompt, options)) parts.push(part)
  return parts.map(({ id }) => id)
}

/** The files of a folder, as a server has them. */
function contents(generation?: object | string): Record<string, Uint8Array | string> {
  const { config, tokenizer, weights } = gpt2()
  const text = typeof generation === 'string' ? generation : JSON.stringify(generation)
  return {
    'config.json': JSON.stringify(config),
    'tokenizer.json': JSON.stringify(tokenizer),
    'model.safetensors': weights as Uint8Array,
    ...(generation !== undefined && { [file]: text }),
  }
}

describe.each([core, worker])('$name', ({ open }) => {
  let hw: AnyRuntime
  let plain: Model
  const warnings = vi.fn()
  beforeAll(async () => {
    hw = await open({ onWarning: warnings })
    plain = await hw.loadModel(gpt2())
  })
  afterAll(() => hw.dispose())
  beforeEach(() => warnings.mockClear())

  /** The ids with this file, and what is generated without it by these options. */
  async function expectSame(generation: object, options: GenerateOptions, given = {}) {
    const model = await hw.loadModel({ ...gpt2(), generation })
    expect(await idsOf(model, given)).toEqual(await idsOf(plain, options))
    model.dispose()
  }

  test('lengths, of what is added or of all', async () => {
    await expectSame({ max_new_tokens: 5, max_length: 200 }, { maxTokens: 5 })
    await expectSame({ max_length: prompt.length + 7 }, { maxTokens: 7 })
    await expectSame({ max_length: 1 }, { maxTokens: 1 })
    await expectSame({ max_new_tokens: 5 }, { maxTokens: 3 }, { maxTokens: 3 })
    expect(warnings).not.toHaveBeenCalled()
  })

  test('sampling, only where do_sample says so', async () => {
    const sampling = { temperature: 1.5, top_k: 9, top_p: 0.9, max_new_tokens: 12 }
    const options = { temperature: 1.5, topK: 9, topP: 0.9, maxTokens: 12, seed: 3 }
    await expectSame({ ...sampling, do_sample: true }, options, { seed: 3 })
    await expectSame(sampling, { maxTokens: 12 }, { seed: 3 })
    // What transformers takes where the file says no more.
    const usual = { temperature: 1, topK: 50, maxTokens: 12, seed: 3 }
    await expectSame({ do_sample: true, max_new_tokens: 12 }, usual, { seed: 3 })
    const all = { do_sample: true, top_k: 0, top_p: 1, max_new_tokens: 12 }
    await expectSame(all, { temperature: 1, maxTokens: 12, seed: 3 }, { seed: 3 })
    // The caller's word counts more.
    await expectSame({ ...sampling, do_sample: true }, { maxTokens: 12 }, { temperature: 0 })
  })

  test('ids that end a text, that are never chosen, and texts that end it', async () => {
    const [first = 0, ...others] = await idsOf(plain, { maxTokens: 20 })
    const end = others.find((id) => id !== first) ?? -1
    const ended = await hw.loadModel({ ...gpt2(), generation: { eos_token_id: [end, 7] } })
    expect(ended.config.generation?.endIds).toEqual([end, 7])
    expect((await idsOf(ended)).at(-1)).toBe(end)
    ended.dispose()

    const generation = { suppress_tokens: [first], bad_words_ids: [[end], [1, 2]] }
    const model = await hw.loadModel({ ...gpt2(), generation })
    const ids = await idsOf(model, { maxTokens: 20 })
    expect(ids).not.toContain(first)
    expect(ids).not.toContain(end)
    expect(warnings.mock.calls.join()).toContain('bad_words_ids of several tokens')
    model.dispose()

    const parts: string[] = []
    for await (const { text } of plain.generate(prompt, { maxTokens: 20 })) parts.push(text)
    const stop = parts.join('').slice(2, 4)
    await expectSame({ stop_strings: stop }, { stop })
  })

  test('an encoder-decoder begins as the file says', async () => {
    const files = filesOf('bart')
    const generation = { decoder_start_token_id: 5, forced_bos_token_id: 6 }
    const model = await hw.loadModel({ ...files, generation })
    expect(model.config.generation?.startIds).toEqual([5, 6])
    model.dispose()
    const own = await hw.loadModel({ ...files, generation: { forced_bos_token_id: 6 } })
    const without = await hw.loadModel(files)
    const [start] = without.config.generation?.startIds ?? []
    expect(own.config.generation?.startIds).toEqual([start, 6])
    for (const each of [own, without]) each.dispose()
  })

  test('what generate does not do is named, once and together', async () => {
    const generation = { num_beams: 4, no_repeat_ngram_size: 3, repetition_penalty: 1, min_p: 0.1 }
    const model = await hw.loadModel({ ...gpt2(), generation })
    expect(warnings).toHaveBeenCalledTimes(1)
    expect(String(warnings.mock.calls[0])).toContain(
      `${file} asks for num_beams 4, no_repeat_ngram_size 3, which generate does not do`,
    )
    model.dispose()
  })

  test.each([
    [{ eos_token_id: 'x' }, 'eos_token_id'],
    [{ max_new_tokens: 0 }, 'max_new_tokens'],
    [{ max_length: 2.5 }, 'max_length'],
    [{ do_sample: 1 }, 'do_sample'],
    [{ do_sample: true, temperature: -1 }, 'temperature'],
    [{ do_sample: true, top_k: -1 }, 'top_k'],
    [{ do_sample: true, top_p: 2 }, 'top_p'],
    [{ bad_words_ids: [3] }, 'bad_words_ids'],
    [{ suppress_tokens: [-1] }, 'suppress_tokens'],
    [{ stop_strings: [''] }, 'stop_strings'],
  ])('%j is refused by name', async (generation, entry) => {
    const loaded = hw.loadModel({ ...gpt2(), generation })
    await expect(loaded).rejects.toThrow(HeadwiseError)
    const argument = `${file}: ${entry}`
    await expect(loaded).rejects.toMatchObject({ code: 'CORRUPT_FILE', argument })
  })

  describe('from other sources', () => {
    let folder: string
    let stop: (() => void) | undefined
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'headwise-'))
    })
    afterEach(() => {
      stop?.()
      stop = undefined
      rmSync(folder, { recursive: true, force: true })
    })
    const generation = { max_new_tokens: 5 }

    async function expectFive(source: string | File[], options = {}) {
      const model = await hw.loadModel(source, options)
      expect(await idsOf(model)).toHaveLength(5)
      model.dispose()
    }

    test('a folder of the disk, and files that were chosen', async () => {
      const all = Object.entries(contents(generation))
      for (const [name, content] of all) writeFileSync(path.join(folder, name), content)
      await expectFive(folder)
      await expectFive(all.map(([name, content]) => new File([content as BlobPart], name)))
    })

    test('the hub, where it may be missing, offline too', async () => {
      const server = await HubServer.start(contents(generation))
      stop = () => server.stop()
      const name = 'somebody/gpt2'
      const options = { cache: folder, hub: { endpoint: server.endpoint } }
      await expectFive(name, options)
      server.commit(contents())
      for (const isUp of [true, false]) {
        if (!isUp) server.stop()
        const model = await hw.loadModel(name, options)
        expect(await idsOf(model)).toEqual(await idsOf(plain))
        model.dispose()
      }
      expect(warnings).not.toHaveBeenCalled()
    })

    test('a server that answers with its page has none; broken JSON is an error', async () => {
      const served = (text: string) => {
        const files = Object.entries(contents(text)).map(([name, body]) => [name, { body }])
        return FileServer.start(Object.fromEntries(files) as Record<string, { body: string }>)
      }
      const server = await served('<!doctype html><title>An app</title>')
      stop = () => server.stop()
      const model = await hw.loadModel(server.url)
      expect(await idsOf(model)).toEqual(await idsOf(plain))
      model.dispose()
      const other = await served('{"max_new_tokens": 5')
      stop = () => [server, other].forEach((each) => each.stop())
      await expect(hw.loadModel(other.url)).rejects.toMatchObject({
        code: 'CORRUPT_FILE',
        argument: file,
      })
    })
  })
})
