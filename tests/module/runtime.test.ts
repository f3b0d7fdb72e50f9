// Making runtimes: builds, sources of the WebAssembly, memory.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import { version, type RuntimeOptions } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { builds, core, entrances, worker, type AnyRuntime } from './support/runtimes.js'
import { filled, noise } from './support/tensors.js'

const wasmPath = fileURLToPath(import.meta.resolve('headwise/wasm/headwise-simd.wasm'))
const wasmBytes = readFileSync(wasmPath)
const one = filled([1, 1, 1, 1], 1)

async function expectWorks(hw: AnyRuntime): Promise<void> {
  expect([...(await hw.attention(one, one, one)).output.data]).toEqual([1])
  hw.dispose()
}

test.each(builds)('build %s runs and says so', async (build) => {
  const hw = await core.open({ build })
  expect(hw.info.build).toBe(build)
  await expectWorks(hw)
})

test('the version is that of the package', () => {
  const path = fileURLToPath(import.meta.resolve('headwise/package.json'))
  const { version: published } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  expect(version).toBe(published)
})

describe.each(entrances)('$name', ({ open }) => {
  test('auto takes the fastest build that this engine has', async () => {
    const hw = await open()
    const threads = Math.min(availableParallelism(), 8)
    const build = threads > 1 ? 'threads-relaxed' : 'relaxed'
    expect(hw.info).toMatchObject({ build, threads, version })
    hw.dispose()
  })

  test.each([
    ['an unknown build', { build: 'simmd' }, ['build', 'simd']],
    ['an unknown option', { bild: 'simd' }, ['bild', 'build']],
    ['too many threads', { threads: 1000 }, ['threads', '64', '1000']],
    ['no thread', { threads: 0 }, ['threads']],
    ['a text for the memory', { maximumMemory: '1 GB' }, ['maximumMemory']],
  ])('%s is refused', async (_what, options, words) => {
    await expect(open(options as RuntimeOptions)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(words[0] ?? '') as string,
    })
    for (const word of words) await expect(open(options as RuntimeOptions)).rejects.toThrow(word)
  })

  test('more memory than allowed is an error, and the next call works', async () => {
    const hw = await open({ maximumMemory: 1 << 20 })
    const large = noise([1, 1, 1024, 64])
    await expect(async () => hw.attention(large, large, large)).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
    })
    expect(hw.info.memory.used).toBe(0)
    await expectWorks(hw)
  })

  test('the WebAssembly may be bytes, a compiled module, a Response or a path', async () => {
    const sources: RuntimeOptions['wasm'][] = [
      new Uint8Array(wasmBytes),
      new Uint8Array(wasmBytes).buffer,
      await WebAssembly.compile(wasmBytes),
      new Response(wasmBytes, { headers: { 'Content-Type': 'application/wasm' } }),
      new Response(wasmBytes, { headers: { 'Content-Type': 'text/plain' } }),
      wasmPath,
    ]
    for (const wasm of sources) await expectWorks(await open({ build: 'simd', wasm } as never))
  })

  test('a file of another build is an error that names the right one', async () => {
    const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])
    await expect(open({ build: 'simd', wasm })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('headwise-simd.wasm') as string,
    })
  })
})

test.each([core, worker])('$name refuses what is no object of options', async ({ open }) => {
  await expect(open(7 as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

describe('the WebAssembly over HTTP', () => {
  let server: Server
  let origin = ''
  beforeAll(async () => {
    server = createServer((request, response) => {
      const type = request.url?.includes('plain') === true ? 'text/plain' : 'application/wasm'
      if (request.url?.startsWith('/headwise-simd.wasm') === true) {
        response.writeHead(200, { 'Content-Type': type }).end(wasmBytes)
      } else if (request.url === '/page') {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Hello')
      } else if (request.url === '/liar') {
        response.writeHead(200, { 'Content-Type': 'application/wasm' }).end('<!doctype html>')
      } else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  test.each(['/headwise-simd.wasm', '/headwise-simd.wasm?plain'])('%s runs', async (path) => {
    const hw = await core.open({ wasm: origin + path })
    expect(hw.info.build).toBe('simd')
    await expectWorks(hw)
  })

  test.each([
    ['/missing', '404'],
    ['/page', '<!doctype html>'],
    ['/liar', '<!doctype html>'],
  ])('%s is an error that names the address', async (path, word) => {
    const error = core.open({ build: 'simd', wasm: origin + path })
    await expect(error).rejects.toMatchObject({ code: 'NETWORK' })
    await expect(core.open({ build: 'simd', wasm: origin + path })).rejects.toThrow(origin + path)
    await expect(core.open({ build: 'simd', wasm: origin + path })).rejects.toThrow(word)
  })
})
