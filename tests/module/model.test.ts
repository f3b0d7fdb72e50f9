// Models through every entrance: loading, running, activations, interventions, vectors.
import { createHash } from 'node:crypto'

import type { LoadedParts, Progress } from 'headwise'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { FileServer, type ServedFile } from './support/file-server.js'
import { configurations, entrances, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { safetensors } from './support/safetensors.js'
import {
  config,
  firstRows,
  int8Matrix,
  smallBert,
  tensors,
  tokenizer,
  withMatrix,
  words,
} from './support/small-bert.js'

const weights = safetensors(tensors)
const text = 'the cat sat'

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())

  test('configuration and parameters are plain', async () => {
    const model = await hw.loadModel(smallBert())
    expect(model.config).toMatchObject({
      modelType: 'bert',
      numLayers: 2,
      numHeads: 4,
      dModel: 16,
      headDim: 4,
      maxPositions: 12,
      dtype: 'float32',
    })
    const used = Object.entries(tensors).filter(([name]) => !name.startsWith('pooler'))
    const count = used.reduce((sum, [, { array }]) => sum + array.length, 0)
    expect(model.parameters).toBe(count)
    expect(model.loaded).toMatchObject({ blocks: 2, vocabulary: true, complete: true })
    await model.whenLoaded()
    model.dispose()
    expect((await hw.loadModel(smallBert())).config.dtype).toBe('float32')
  })

  test('a run gives tokens, the last hidden state and the activations asked for', async () => {
    const model = await hw.loadModel(smallBert())
    const run = await model.run(text, { names: ['blocks.*.attn.hook_pattern', 'hook_full_embed'] })
    expect(run.tokens).toEqual(['[CLS]', 'the', 'cat', 'sat', '[SEP]'])
    expect(run.output?.dims).toEqual([1, 5, 16])
    expect(run.cache.names).toEqual([
      'hook_full_embed',
      'blocks.0.attn.hook_pattern',
      'blocks.1.attn.hook_pattern',
    ])
    const pattern = run.cache.get('blocks.1.attn.hook_pattern')
    expect(pattern.dims).toEqual([1, 4, 5, 5])
    for (let row = 0; row < 20; row++) {
      const sum = pattern.data.subarray(row * 5, row * 5 + 5).reduce((a, b) => a + b, 0)
      expect(sum).toBeCloseTo(1, 5)
    }
    expect(() => run.cache.get('blocks.1.attn.hook_patern')).toThrow('blocks.1.attn.hook_pattern')
    expect((await model.run(text)).output?.data).toEqual(run.output?.data)
    model.dispose()
  })

  test('ids, pairs and batches', async () => {
    const model = await hw.loadModel(smallBert())
    const alone = await model.run(text)
    const { ids } = await model.tokenizer.encode(text)
    expect((await model.run(ids)).output?.data).toEqual(alone.output?.data)
    expect((await model.run({ ids })).tokens).toEqual(alone.tokens)

    const pair = await model.run(['the cat', 'sat'])
    expect(pair.encodings[0]?.typeIds).toEqual([0, 0, 0, 0, 1, 1])

    const batch = await model.run({ texts: ['the', text] })
    expect(batch.output?.dims).toEqual([2, 5, 16])
    expect([...batch.keyMask.data]).toEqual([1, 1, 1, 0, 0, 1, 1, 1, 1, 1])
    const second = batch.output?.data.subarray(5 * 16)
    alone.output?.data.forEach((value, i) => expect(second?.[i]).toBeCloseTo(value, 5))
    model.dispose()
  })

  test('an encoding passes whole', async () => {
    const model = await hw.loadModel(smallBert())
    const encoding = await model.tokenizer.encode(text)
    const [given, typed] = [await model.run(encoding), await model.run(text)]
    expect(given.output).toEqual(typed.output)
    model.dispose()
  })

  test('stopAtLayer and output: false end early', async () => {
    const model = await hw.loadModel(smallBert())
    const name = 'blocks.0.hook_normalized_resid_post'
    const whole = await model.run(text, { names: [name] })
    const early = await model.run(text, { stopAtLayer: 1 })
    expect(early.output?.data).toEqual(whole.cache.get(name).data)
    const names = ['blocks.0.attn.hook_pattern']
    const pattern = await model.run(text, { names, output: false })
    expect(pattern.output).toBeUndefined()
    expect(pattern.cache.get(names[0] ?? '').dims).toEqual([1, 4, 5, 5])
    model.dispose()
  })

  test('a head that is switched off adds nothing', async () => {
    const model = await hw.loadModel(smallBert())
    const names = ['blocks.1.attn.hook_result', 'blocks.0.attn.hook_result']
    const name = 'blocks.1.attn.hook_z'
    const run = await model.run(text, { names, interventions: [{ name, head: 2, set: 'zero' }] })
    const before = await model.run(text, { names })
    const [after, untouched] = [run.cache.get(names[0] ?? ''), before.cache.get(names[0] ?? '')]
    after.data.forEach((value, i) => {
      const head = Math.floor(i / 16) % 4
      expect(value).toBe(head === 2 ? 0 : untouched.data[i])
    })
    expect(run.cache.get(names[1] ?? '').data).toEqual(before.cache.get(names[1] ?? '').data)
    expect(run.output?.data).not.toEqual(before.output?.data)
    model.dispose()
  })

  test('an int8 matrix is its values times their scales, and its outliers', async () => {
    const { name, stored, widened } = int8Matrix()
    const files = { ...smallBert(), weights: withMatrix(name, stored) }
    const names = ['blocks.0.hook_mlp_out', 'blocks.0.mlp.hook_post']
    const float32 = await hw.loadModel(files, { dtype: 'float32' })
    const plain = await hw.loadModel({ ...files, weights: withMatrix(name, { [name]: widened }) })
    expect((await float32.run(text)).output?.data).toEqual((await plain.run(text)).output?.data)

    const int8 = await hw.loadModel(files, { dtype: 'int8' })
    const { cache } = await int8.run(text, { names })
    const [out, hidden] = [cache.get(names[0] ?? '').data, cache.get(names[1] ?? '').data]
    const bias = tensors['encoder.layer.0.output.dense.bias']?.array ?? []
    out.forEach((value, i) => {
      const [row, column] = [Math.floor(i / 16), i % 16]
      const x = hidden.subarray(row * 24, row * 24 + 24)
      const product = x.reduce((sum, a, k) => sum + a * (widened.array[column * 24 + k] ?? NaN), 0)
      expect(value).toBeCloseTo(product + (bias[column] ?? NaN), 2)
    })
    for (const model of [float32, plain, int8]) model.dispose()
  })

  test('vectors: the mean, scaled to 1 unless told otherwise', async () => {
    const model = await hw.loadModel(smallBert())
    const embedded = await model.embed([text, 'the'])
    expect(embedded.dims).toEqual([2, 16])
    const [first, second] = [embedded.data.subarray(0, 16), embedded.data.subarray(16)]
    for (const vector of [first, second]) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    }
    const { output } = await model.run(text)
    const plain = await model.embed([text], { normalize: false })
    const cls = await model.embed([text], { normalize: false, pooling: 'cls' })
    for (let column = 0; column < 16; column++) {
      const values = [0, 1, 2, 3, 4].map((row) => output?.data[row * 16 + column] ?? NaN)
      expect(plain.data[column]).toBeCloseTo(values.reduce((a, b) => a + b, 0) / 5, 5)
      expect(cls.data[column]).toBeCloseTo(values[0] ?? NaN, 6)
    }
    expect((await model.embed([])).dims).toEqual([0, 16])
    model.dispose()
  })

  test('bad calls are refused and leave nothing behind', async () => {
    const model = await hw.loadModel(smallBert())
    await model.run(text)
    const used = await usedMemory(hw)
    const calls: [() => unknown, string][] = [
      [() => model.run(text, { names: ['blocks.*.attn.hook_patern'] }), 'names'],
      [() => model.run(text, { nmes: [] } as never), 'names'],
      [() => model.run(7 as never), 'input'],
      [() => model.run([]), 'text'],
      [() => model.run([99]), 'ids'],
      [() => model.run([1.5]), 'ids'],
      [() => model.run('the '.repeat(40)), 'input: expected at most 12 tokens; received 42'],
      [() => model.run(['the', 'the '.repeat(40)]), 'input: expected at most 12 tokens'],
      [() => model.run(['the', 'cat', 'the '.repeat(40)]), 'input[2]: expected at most 12 tokens'],
      [
        () => model.run({ texts: ['the', 'the '.repeat(40)] }),
        'input.texts[1]: expected at most 12',
      ],
      [() => model.embed(['the', 'the '.repeat(40)]), 'texts[1]: expected at most 12 tokens'],
      [() => model.run({ ids: Array.from({ length: 40 }, () => 5) }), 'ids'],
      [() => model.run({ ids: [1, 2], typeIds: [0] }), 'typeIds'],
      [() => model.run(text, { interventions: [{ name: 'x', set: 'zero' }] }), 'interventions'],
      [() => model.run(text, { stopAtLayer: -1 }), 'stopAtLayer'],
      [() => model.embed('the' as never), 'texts'],
      [() => model.embed(['the'], { pooling: 'max' as never }), 'pooling'],
    ]
    for (const [call, word] of calls) {
      const error = await Promise.resolve()
        .then(call)
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' })
      expect((error as Error).message).toContain(word)
    }
    expect(await usedMemory(hw)).toBe(used)
    model.dispose()
    await expect(async () => model.run(text)).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})

describe.each(entrances)('$name over HTTP', ({ open }) => {
  let hw: AnyRuntime
  let server: FileServer
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())
  afterEach(() => server.stop())

  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const rows = firstRows([0, 1, 2, 3, 4, 5])
  const facts = {
    files: {
      weights: { name: 'model.safetensors', bytes: weights.length, sha256: sha256(weights) },
      firstRows: { name: 'examples.safetensors', bytes: rows.length, sha256: sha256(rows) },
    },
  }
  const folder = (changes: Record<string, ServedFile> = {}): Record<string, ServedFile> => ({
    'config.json': { body: JSON.stringify({ ...config, headwise: facts }) },
    'tokenizer.json': { body: JSON.stringify(tokenizer) },
    'model.safetensors': { body: weights },
    'examples.safetensors': { body: rows },
    ...changes,
  })

  test('a folder gives what memory gives, with progress in bytes', async () => {
    server = await FileServer.start(folder())
    const seen: Progress[] = []
    const model = await hw.loadModel(server.url, { onProgress: (progress) => seen.push(progress) })
    const here = await hw.loadModel(smallBert())
    expect((await model.run(text)).output?.data).toEqual((await here.run(text)).output?.data)
    const last = seen.filter(({ file }) => file === 'model.safetensors').at(-1)
    expect(last).toMatchObject({ loaded: weights.length, total: weights.length, stage: 'weights' })
    expect(server.requests.sort()).toEqual(['config.json', 'model.safetensors', 'tokenizer.json'])
    model.dispose()
    here.dispose()
    expect(await usedMemory(hw)).toBe(0)
  })

  test('streaming: usable before the weights are there, complete after', async () => {
    const heldAt = weights.length - 16 * 4 * words.length - 8
    server = await FileServer.start(
      folder({ 'model.safetensors': { body: weights, held: heldAt } }),
    )
    const changes: LoadedParts[] = []
    const model = await hw.loadModel(server.url, {
      streaming: true,
      onLoaded: (loaded) => changes.push(loaded),
    })
    expect(model.loaded.complete).toBe(false)
    while (model.loaded.blocks < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    const early = await model.run('the')
    expect(model.loaded).toMatchObject({ vocabulary: false, complete: false })
    server.release()
    await model.whenLoaded()
    expect(model.loaded).toMatchObject({ blocks: 2, vocabulary: true, complete: true })
    expect(changes.at(-1)).toEqual(model.loaded)
    expect((await model.run('the')).output?.data).toEqual(early.output?.data)
    expect((await model.run(text)).tokens).toEqual(['[CLS]', 'the', 'cat', 'sat', '[SEP]'])
    model.dispose()
  })

  test('aborting rejects with the reason and keeps nothing', async () => {
    server = await FileServer.start(folder({ 'model.safetensors': { body: weights, held: 4000 } }))
    const abort = new AbortController()
    const loading = hw.loadModel(server.url, { signal: abort.signal })
    setTimeout(() => abort.abort(new Error('enough')), 50)
    await expect(loading).rejects.toThrow('enough')
    server.stop()
    server = await FileServer.start(folder())
    const model = await hw.loadModel(server.url)
    model.dispose()
    expect(await usedMemory(hw)).toBe(0)
  })

  const damaged = weights.slice()
  damaged[weights.length - 1] = (damaged[weights.length - 1] ?? 0) ^ 1
  const others = Object.fromEntries(
    Object.entries(tensors).filter(([name]) => name !== 'encoder.layer.1.output.dense.bias'),
  )

  test.each<[string, Record<string, ServedFile | undefined>, string, string]>([
    ['no configuration', { 'config.json': undefined }, 'NETWORK', 'config.json'],
    ['a page for a configuration', { 'config.json': { body: '<p>Hi' } }, 'CORRUPT_FILE', '<p>Hi'],
    [
      'another architecture',
      { 'config.json': { body: '{"model_type":"mamba"}' } },
      'UNSUPPORTED',
      'model_type',
    ],
    ['no tokenizer', { 'tokenizer.json': undefined }, 'NETWORK', 'tokenizer.json'],
    ['no weights', { 'model.safetensors': undefined }, 'NETWORK', 'model.safetensors'],
    [
      'half the weights',
      { 'model.safetensors': { body: weights.subarray(0, 999) } },
      'CORRUPT_FILE',
      '999',
    ],
    ['a damaged byte', { 'model.safetensors': { body: damaged } }, 'CORRUPT_FILE', 'SHA-256'],
    [
      'a missing parameter',
      {
        'config.json': { body: JSON.stringify(config) },
        'model.safetensors': { body: safetensors(others) },
      },
      'CORRUPT_FILE',
      'blocks.1.mlp.out.bias',
    ],
  ])('%s is an error that names the file', async (_what, changes, code, word) => {
    const files = { ...folder(), ...changes } as Record<string, ServedFile>
    server = await FileServer.start(files)
    const error = await hw.loadModel(server.url).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code })
    expect((error as Error).message).toContain(word)
    expect(await usedMemory(hw)).toBe(0)
  })
})
