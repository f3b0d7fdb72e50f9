// Loading that ends before its time: by the caller's own functions, by an abort or `dispose`, by
// files that are damaged or missing. Everyone who waits hears of the true reason.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import type * as Headwise from 'headwise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { FileServer, type ServedFile } from './support/file-server.js'
import { core, entrances, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { safetensors } from './support/safetensors.js'
import { config, firstRows, smallBert, tensors, tokenizer } from './support/small-bert.js'

const weights = safetensors(tensors)
const headwise = { files: { firstRows: { name: 'examples.safetensors' } } }

/** A folder whose weights stop after their first bytes until they are released. */
function folder(changes: Record<string, ServedFile | undefined> = {}): Record<string, ServedFile> {
  const files: Record<string, ServedFile | undefined> = {
    'config.json': { body: JSON.stringify({ ...config, headwise }) },
    'tokenizer.json': { body: JSON.stringify(tokenizer) },
    'examples.safetensors': { body: firstRows([0, 1, 2, 3, 4, 5]) },
    'model.safetensors': { body: weights, held: 4000 },
    ...changes,
  }
  return files as Record<string, ServedFile>
}

describe.each(entrances)('$name', ({ name, open }) => {
  // In headwise/core a run is a plain call.
  const runsWait = name !== core.name
  let hw: AnyRuntime
  let server: FileServer
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())
  afterEach(() => server.stop())

  const startServer = async (changes?: Record<string, ServedFile | undefined>) => {
    server = await FileServer.start(folder(changes))
  }

  describe('with streaming', () => {
    beforeEach(() => startServer())

    test('dispose rejects whoever waits', async () => {
      const model = await hw.loadModel(server.url, { streaming: true })
      const loaded = expect(model.whenLoaded()).rejects.toMatchObject({ code: 'DISPOSED' })
      const ran = runsWait && expect(model.run('the')).rejects.toMatchObject({ code: 'DISPOSED' })
      model.dispose()
      await Promise.all([loaded, ran])
      expect(await failureOf(model)).toMatchObject({ code: 'DISPOSED' })
      expect(await usedMemory(hw)).toBe(0)
    })

    test('an abort rejects runs that wait, and later ones, with its reason', async () => {
      const abort = new AbortController()
      const reason = new Error('enough')
      const model = await hw.loadModel(server.url, { streaming: true, signal: abort.signal })
      const loaded = expect(model.whenLoaded()).rejects.toBe(reason)
      const ran = runsWait && expect(model.run('the')).rejects.toBe(reason)
      abort.abort(reason)
      await Promise.all([loaded, ran])
      expect(await failureOf(model)).toBe(reason)
      await expect((async () => model.embed(['the']))()).rejects.toBe(reason)
      model.dispose()
    })

    test('an error of onProgress ends the loading', async () => {
      const own = new Error('from the caller')
      let begun = false
      const onProgress = () => {
        if (begun) throw own
      }
      const model = await hw.loadModel(server.url, { streaming: true, onProgress })
      begun = true
      // After this a Worker has heard who listens now.
      await model.tokenizer.encode('the')
      server.release()
      await expect(model.whenLoaded()).rejects.toBe(own)
      expect(await failureOf(model)).toBe(own)
      model.dispose()
    })
  })

  test.each(['onProgress', 'onLoaded'])(
    'an error of %s is the error of loading',
    async (option) => {
      await startServer({ 'model.safetensors': { body: weights } })
      const own = new Error('from the caller')
      const options = {
        [option]: () => {
          throw own
        },
      }
      await expect(hw.loadModel(server.url, options)).rejects.toBe(own)
      await expect.poll(() => usedMemory(hw)).toBe(0)
    },
  )

  test('runs of a model whose weights turn out damaged say so', async () => {
    // Nothing of the header before the release: it already tells that the file is too short.
    await startServer({ 'model.safetensors': { body: weights.subarray(0, 5000), held: 4 } })
    const model = await hw.loadModel(server.url, { streaming: true })
    server.release()
    await expect(model.whenLoaded()).rejects.toMatchObject({ code: 'CORRUPT_FILE' })
    expect(await failureOf(model)).toMatchObject({ code: 'CORRUPT_FILE' })
    model.dispose()
  })

  test('missing first rows are a warning, no failure: the weights have them too', async () => {
    await startServer({
      'examples.safetensors': undefined,
      'model.safetensors': { body: weights },
    })
    const onWarning = vi.fn()
    const told = await open({ onWarning })
    const model = await told.loadModel(server.url, { streaming: true })
    await model.whenLoaded()
    expect(server.requests).toContain('examples.safetensors')
    expect(onWarning.mock.calls).toEqual([[expect.stringContaining('examples.safetensors')]])
    const here = await hw.loadModel(smallBert())
    expect((await model.run('the')).output?.data).toEqual((await here.run('the')).output?.data)
    here.dispose()
    told.dispose()
  })
})

/** What a run of the model throws or rejects with. */
async function failureOf(model: { run: (text: string) => unknown }): Promise<unknown> {
  try {
    await model.run('the')
  } catch (error) {
    return error
  }
  return undefined
}

describe('a file of the package that is missing', () => {
  const dist = path.dirname(fileURLToPath(import.meta.resolve('headwise')))
  let copy: string
  beforeEach(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'headwise-'))
    cpSync(dist, copy, { recursive: true })
    writeFileSync(path.join(copy, 'package.json'), '{"type":"module"}')
  })
  afterEach(() => rmSync(copy, { recursive: true }))

  test.each([
    ['tokenizers/tokenizers.js', {}],
    ['wasm/headwise.js', {}],
    ['worker/local-connection.js', { worker: false } as const],
  ])('%s is named', async (file, options) => {
    rmSync(path.join(copy, file))
    const { createRuntime } = (await import(
      pathToFileURL(path.join(copy, 'index.js')).href
    )) as typeof Headwise
    const load = async () => {
      const hw = await createRuntime({ build: 'scalar', ...options })
      await hw.loadModel(smallBert()).finally(() => hw.dispose())
    }
    await expect(load()).rejects.toMatchObject({ code: 'NETWORK', argument: file })
  })
})
