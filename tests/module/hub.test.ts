// Models from the hub, here a local server with its paths: cold, warm, offline, cut and resumed,
// aborted, refused; and what is kept of them on the disk.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { LoadModelOptions, Progress } from 'headwise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { HubServer } from './support/hub-server.js'
import { core, usedMemory, worker, type AnyRuntime } from './support/runtimes.js'
import { safetensors } from './support/safetensors.js'
import { config, smallBert, tensors, tokenizer } from './support/small-bert.js'

const name = 'somebody/small-bert'
const text = 'the cat sat'
const weights = safetensors(tensors)

/** Weights that fill several of the parts that are kept. */
const partBytes = 4 << 20
const large = safetensors({
  ...tensors,
  'pooler.dense.weight': {
    dtype: 'F32',
    dims: [3, partBytes / 4],
    array: noiseOf(3 * (partBytes / 4)),
  },
})

function noiseOf(length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.sin(i))
}

const files = (changes: Record<string, Uint8Array | string> = {}) => ({
  'config.json': JSON.stringify(config),
  'tokenizer.json': JSON.stringify(tokenizer),
  'model.safetensors': weights,
  ...changes,
})

/** Every file below a folder. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((e) => path.join(e.parentPath, e.name))
}

describe.each([core, worker])('$name', ({ open }) => {
  let hw: AnyRuntime
  let server: HubServer
  let folder: string
  const warnings = vi.fn()
  let expected: Float32Array

  beforeAll(async () => {
    hw = await open({ onWarning: warnings })
    const model = await hw.loadModel(smallBert())
    expected = (await model.run(text)).output?.data ?? new Float32Array()
    model.dispose()
  })
  afterAll(() => hw.dispose())
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'headwise-'))
    warnings.mockClear()
  })
  afterEach(() => {
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async (changes?: Record<string, Uint8Array | string>) => {
    server = await HubServer.start(files(changes))
  }
  const load = (options: LoadModelOptions = {}, source = name) =>
    hw.loadModel(source, {
      cache: folder,
      ...options,
      hub: { endpoint: options.hub?.endpoint ?? server.endpoint, ...options.hub },
    })
  const expectWhole = async (options?: LoadModelOptions) => {
    const model = await load(options)
    expect((await model.run(text)).output?.data).toEqual(expected)
    model.dispose()
    expect(await usedMemory(hw)).toBe(0)
  }

  test('cold: every file once, of one commit, with progress over all', async () => {
    await start()
    const seen: Progress[] = []
    await expectWhole({ onProgress: (progress) => seen.push(progress) })
    expect(server.downloads().sort()).toEqual([
      'config.json',
      'model.safetensors',
      'tokenizer.json',
    ])
    const paths = server.asked.filter(({ method }) => method === 'GET')
    expect(paths.every(({ path: each }) => each.includes(server.commitOfMain))).toBe(true)
    const sizes = Object.values(files()).map((body) => body.length)
    const sum = sizes.reduce((a, b) => a + b, 0)
    expect(seen.at(-1)?.overall).toEqual({ loaded: sum, total: sum })
    expect(warnings).not.toHaveBeenCalled()
  })

  test('warm: one question for the commit, and nothing is fetched', async () => {
    await start()
    await expectWhole()
    server.asked = []
    await expectWhole()
    expect(server.asked.map(({ method }) => method)).toEqual(['HEAD'])
  })

  test('offline: what was kept, of the branch and of the commit', async () => {
    await start()
    await expectWhole()
    const revision = server.commitOfMain
    const { endpoint } = server
    server.stop()
    await expectWhole({ hub: { endpoint } })
    await expectWhole({ revision, hub: { endpoint } })
  })

  test('a commit is not asked for anew', async () => {
    await start()
    const revision = server.commitOfMain
    await expectWhole({ revision })
    server.asked = []
    await expectWhole({ revision })
    expect(server.asked).toEqual([])
  })

  test('a new commit is fetched, and the old one forgotten', async () => {
    await start()
    await expectWhole()
    const old = server.commitOfMain
    const other = { ...tensors['embeddings.LayerNorm.bias'] } as (typeof tensors)[string]
    other.array = Float32Array.from(other.array, (value) => value + 1)
    server.commit(
      files({
        'model.safetensors': safetensors({ ...tensors, 'embeddings.LayerNorm.bias': other }),
      }),
    )
    const model = await load()
    expect((await model.run(text)).output?.data).not.toEqual(expected)
    model.dispose()
    await expect.poll(() => filesIn(folder).filter((file) => file.includes(old))).toEqual([])
  })

  test('without keeping: fetched each time, and nothing lies about', async () => {
    await start()
    await expectWhole({ cache: false })
    await expectWhole({ cache: false })
    expect(server.downloads()).toHaveLength(6)
    expect(filesIn(folder)).toEqual([])
  })

  test('a server that names no commit: kept under the ETag', async () => {
    await start()
    server.namesCommits = false
    await expectWhole()
    server.asked = []
    await expectWhole()
    expect(server.downloads()).toEqual([])
    server.commit(files({ 'tokenizer.json': JSON.stringify({ ...tokenizer, version: '1.1' }) }))
    await expectWhole()
    expect(server.downloads()).toEqual(['tokenizer.json'])
  })

  test('a folder is kept where that is asked for, under its ETags', async () => {
    await start()
    server.namesCommits = false
    const source = `${server.endpoint}${name}/resolve/main/`
    const expectFolder = async (options: LoadModelOptions) => {
      const model = await hw.loadModel(source, options)
      expect((await model.run(text)).output?.data).toEqual(expected)
      model.dispose()
    }
    await expectFolder({ cache: folder })
    server.asked = []
    await expectFolder({ cache: folder })
    expect(server.downloads()).toEqual([])
    server.stop()
    await expectFolder({ cache: folder })
    await expect(hw.loadModel(source)).rejects.toMatchObject({ code: 'NETWORK' })
  })

  test('cut in the middle: it goes on in the same load', async () => {
    await start()
    server.cut = { after: 5000, times: 2 }
    await expectWhole()
    const ranges = server.asked.filter(({ origin, range }) => origin === 'cdn' && range)
    expect(ranges.map(({ range }) => range)).toEqual(['bytes=5000-', 'bytes=10000-'])
    expect(ranges.every(({ ifRange }) => ifRange?.startsWith('"') === true)).toBe(true)
  })

  test('cut where there are no ranges: the beginning is passed over', async () => {
    await start()
    server.cut = { after: 5000, times: 1 }
    server.acceptsRanges = false
    await expectWhole()
  })

  test('cut where nothing tells the version: a commit stands for one', async () => {
    await start()
    server.cut = { after: 5000, times: 1 }
    server.tellsVersions = false
    await expectWhole()
    server.namesCommits = false
    server.cut = { after: 5000, times: 1 }
    await expect(load({ cache: false })).rejects.toMatchObject({
      code: 'NETWORK',
      received: 'a connection that broke after 5000 bytes',
    })
  })

  test('cut for good: the next load goes on where it stopped', async () => {
    await start({ 'model.safetensors': large })
    const then = () => server.statuses.set('model.safetensors', { status: 503 })
    server.cut = { after: partBytes + 100_000, times: 1, then }
    await expect(load()).rejects.toMatchObject({ code: 'NETWORK' })
    expect(await usedMemory(hw)).toBe(0)
    server.statuses.clear()
    server.asked = []
    await expectWhole()
    expect(server.asked.find(({ origin }) => origin === 'cdn')?.range).toBe(`bytes=${partBytes}-`)
    server.asked = []
    await expectWhole()
    expect(server.downloads()).toEqual([])
  })

  test('another file at the same address while it comes: no mixture', async () => {
    await start()
    server.namesCommits = false
    server.cut = { after: 5000, times: 1 }
    const failing = load({
      onProgress: ({ file }) => {
        if (file !== 'model.safetensors' || server.cut?.times !== 0) return
        server.cut = undefined
        server.commit(files({ 'model.safetensors': large }))
      },
    })
    await expect(failing).rejects.toMatchObject({ code: 'CORRUPT_FILE' })
    await expectWhole()
  })

  test('aborted: the reason at once, and nothing is kept', async () => {
    await start({ 'model.safetensors': large })
    const abort = new AbortController()
    const reason = new Error('enough')
    const onProgress = ({ file, loaded }: Progress) => {
      if (file === 'model.safetensors' && loaded > partBytes) abort.abort(reason)
    }
    await expect(load({ signal: abort.signal, onProgress })).rejects.toBe(reason)
    await expect
      .poll(() => filesIn(folder).filter((file) => file.includes('model.safetensors')))
      .toEqual([])
    await expect.poll(() => usedMemory(hw)).toBe(0)
    await expectWhole()
  })

  test('a server that stops sending: an abort ends the wait', async () => {
    await start()
    server.stalls = true
    const failing = load({ signal: AbortSignal.timeout(200) })
    await expect(failing).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect.poll(() => usedMemory(hw)).toBe(0)
  })

  test('a kept part that is damaged is fetched anew', async () => {
    await start({ 'model.safetensors': large })
    await expectWhole()
    const second = filesIn(folder).find((file) => file.endsWith('model.safetensors/1')) ?? ''
    const bytes = readFileSync(second)
    bytes[17] = (bytes[17] ?? 0) ^ 1
    writeFileSync(second, bytes)
    server.asked = []
    await expectWhole()
    expect(server.asked.filter(({ range }) => range).at(-1)?.range).toBe(`bytes=${partBytes}-`)
    server.asked = []
    await expectWhole()
    expect(server.downloads()).toEqual([])
  })

  test('damaged files are not kept', async () => {
    await start({ 'model.safetensors': weights.subarray(0, 3000) })
    await expect(load()).rejects.toMatchObject({ code: 'CORRUPT_FILE' })
    await expect.poll(() => filesIn(folder)).toEqual([])
    server.commit(files())
    await expectWhole()
  })

  test('storage that refuses costs the keeping, with one warning', async () => {
    await start()
    const blocked = path.join(folder, 'file')
    writeFileSync(blocked, '')
    await expectWhole({ cache: blocked })
    expect(warnings.mock.calls).toEqual([[expect.stringContaining('not kept')]])
  })

  test('the token goes to the hub and nowhere else', async () => {
    await start()
    server.token = 'hf_secret'
    await expect(load()).rejects.toMatchObject({
      code: 'NETWORK',
      expected: expect.stringContaining('hub.token') as string,
      received: expect.stringContaining('Invalid username') as string,
    })
    server.asked = []
    await expectWhole({ hub: { token: 'hf_secret' } })
    const sent = (origin: string) =>
      server.asked.filter((each) => each.origin === origin).map((each) => each.authorization)
    expect(new Set(sent('hub'))).toEqual(new Set(['Bearer hf_secret']))
    expect(new Set(sent('cdn'))).toEqual(new Set([undefined]))
  })

  test.each([
    [403, {}, 'hub.token'],
    [404, {}, 'status 404'],
    [429, { 'Retry-After': '7' }, 'after 7 s'],
    [500, {}, 'status 500'],
    [302, { Location: '/x/y/raw/main/nothing' }, 'status 404'],
    [302, { Location: 'file:///etc/passwd' }, 'a redirect to'],
  ])('status %d %j is an error that names the file', async (status, headers, word) => {
    await start()
    server.statuses.set('model.safetensors', { status, headers: headers })
    const error: unknown = await load().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'NETWORK' })
    expect((error as Error).message).toContain('model.safetensors')
    expect((error as Error).message).toContain(word)
    expect(await usedMemory(hw)).toBe(0)
  })

  test('a circle of redirects ends', async () => {
    await start()
    const headers = { Location: 'model.safetensors' }
    server.statuses.set('model.safetensors', { status: 302, headers })
    await expect(load()).rejects.toMatchObject({ received: 'one redirect after the other' })
  })

  test('the caller’s own fetch is asked in the place of the global one', async () => {
    await start()
    const asked: string[] = []
    const own = (url: string, init: RequestInit) => {
      asked.push(url)
      return fetch(url, init)
    }
    await expectWhole({ hub: { fetch: own } })
    expect(asked.length).toBe(server.asked.length)
    const failing = () => Promise.reject(new TypeError('not today'))
    const { endpoint } = server
    await expect(load({ cache: false, hub: { endpoint, fetch: failing } })).rejects.toMatchObject({
      code: 'NETWORK',
      received: 'no answer',
    })
  })

  test('several files with an index', async () => {
    const names = Object.keys(tensors)
    const shards = [names.slice(0, 20), names.slice(20)].map((part) =>
      Object.fromEntries(part.map((each) => [each, tensors[each]] as const)),
    ) as (typeof tensors)[]
    const shardNames = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors']
    const map = Object.fromEntries(
      shards.flatMap((part, i) => Object.keys(part).map((each) => [each, shardNames[i]] as const)),
    )
    const index = (weight_map: object) =>
      JSON.stringify({ metadata: { total_size: weights.length }, weight_map })
    const sharded = {
      'config.json': JSON.stringify(config),
      'tokenizer.json': JSON.stringify(tokenizer),
      'model.safetensors.index.json': index(map),
      'model-00001-of-00002.safetensors': safetensors(shards[0] ?? {}),
      'model-00002-of-00002.safetensors': safetensors(shards[1] ?? {}),
    }
    server = await HubServer.start(sharded)
    await expectWhole()

    const other = { ...map, [names[0] ?? '']: shardNames[1] }
    server.commit({ ...sharded, 'model.safetensors.index.json': index(other) })
    await expect(load()).rejects.toMatchObject({ code: 'CORRUPT_FILE', argument: shardNames[0] })
    const lacking = { ...map, extra: shardNames[1] }
    server.commit({ ...sharded, 'model.safetensors.index.json': index(lacking) })
    await expect(load()).rejects.toThrow('extra')
    const away = { ...map, [names[0] ?? '']: '../../secret' }
    server.commit({ ...sharded, 'model.safetensors.index.json': index(away) })
    await expect(load()).rejects.toMatchObject({ code: 'CORRUPT_FILE' })
  })

  test('a page for a file', async () => {
    await start({ 'tokenizer.json': '<!doctype html><title>Log in</title>' })
    await expect(load()).rejects.toMatchObject({
      code: 'CORRUPT_FILE',
      argument: 'tokenizer.json',
      received: expect.stringContaining('<!doctype html>') as string,
    })
  })

  test.each<[string, LoadModelOptions, string]>([
    ['revision', { revision: '' }, 'revision'],
    ['endpoint', { hub: { endpoint: 'ftp://x' } }, 'hub.endpoint'],
    ['token', { hub: { token: 'a b' } }, 'hub.token'],
    ['fetch', { hub: { fetch: 7 as never } }, 'hub.fetch'],
    ['cache', { cache: 7 as never }, 'cache'],
  ])('a bad %s is refused', async (_what, options, argument) => {
    await start()
    await expect(load(options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument })
    expect(server.asked).toEqual([])
  })

  test('what only the hub has is refused for other sources', async () => {
    await start()
    const folders = ['./somebody/small-bert', 'somebody/small-bert/', 'file:///somebody/small-bert']
    for (const source of folders) {
      const options = { revision: 'main' }
      await expect(hw.loadModel(source, options)).rejects.toMatchObject({ argument: 'revision' })
      await expect(hw.loadModel(source)).rejects.toMatchObject({ code: 'NETWORK' })
    }
    expect(server.asked).toEqual([])
  })
})

test('the Worker that a fetch was for ends, and Node with it', async () => {
  const server = await HubServer.start(files())
  const hw = await worker.open()
  const own = (url: string, init: RequestInit) => fetch(url, init)
  const hub = { endpoint: server.endpoint, fetch: own }
  const model = await hw.loadModel(name, { cache: false, hub })
  expect((await model.run(text)).tokens).toHaveLength(5)
  hw.dispose()
  server.stop()
})
