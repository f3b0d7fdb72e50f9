// Models from the reader's own disk and from memory: files that were chosen, directories, folders by
// their paths, several files with an index, every type of number.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import type { ModelFiles } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { entrances, usedMemory, type AnyRuntime } from './support/runtimes.js'
import { safetensors, type StoredArray } from './support/safetensors.js'
import { config, smallBert, tensors, tokenizer } from './support/small-bert.js'

const text = 'the cat sat'
const names = Object.keys(tensors)

type Contents = Record<string, Uint8Array | string>

const contents: Contents = {
  'config.json': JSON.stringify(config),
  'tokenizer.json': JSON.stringify(tokenizer),
  'model.safetensors': safetensors(tensors),
}

function only(kept: readonly string[]): Record<string, StoredArray> {
  return Object.fromEntries(Object.entries(tensors).filter(([name]) => kept.includes(name)))
}

/** The weights in two files. */
function sharded(): Contents {
  const [first, second] = ['model-1.safetensors', 'model-2.safetensors']
  const map = names.map((name, i) => [name, i % 2 === 0 ? first : second] as const)
  const inFile = (file: string) => map.filter(([, each]) => each === file).map(([name]) => name)
  return {
    'config.json': contents['config.json'] ?? '',
    'tokenizer.json': contents['tokenizer.json'] ?? '',
    'model.safetensors.index.json': JSON.stringify({ weight_map: Object.fromEntries(map) }),
    [first]: safetensors(only(inFile(first))),
    [second]: safetensors(only(inFile(second))),
  }
}

const filesOf = (all: Contents) =>
  Object.entries(all).map(([name, content]) => new File([content as BlobPart], name))

/** As `webkitdirectory` gives files: each with the folder that was chosen. */
function inFolder(file: File, folder: string): File {
  return Object.defineProperty(file, 'webkitRelativePath', { value: `${folder}/${file.name}` })
}

/** As much of a FileSystemDirectoryHandle as a model needs. */
function directoryOf(files: readonly File[]): FileSystemDirectoryHandle {
  async function* entries() {
    yield ['others', { kind: 'directory' }] as const
    for (const file of files) {
      await Promise.resolve()
      yield [file.name, { kind: 'file', getFile: () => Promise.resolve(file) }] as const
    }
  }
  return { kind: 'directory', entries } as unknown as FileSystemDirectoryHandle
}

/** A float32 as the two smaller types that this number has exactly. */
function halves(array: StoredArray['array']): {
  rounded: Float32Array
  f16: Uint16Array
  bf16: Uint16Array
} {
  // Multiples of 1/64 below 2 have eight significant bits at most.
  const rounded = Float32Array.from(array, (value) => Math.round(value * 64) / 64)
  const bits = new Uint32Array(rounded.buffer)
  const f16 = Uint16Array.from(bits, (word) => {
    if (word << 1 === 0) return word >>> 16
    const exponent = ((word >>> 23) & 255) - 127 + 15
    return ((word >>> 16) & 0x8000) | (exponent << 10) | ((word >>> 13) & 1023)
  })
  return { rounded, f16, bf16: Uint16Array.from(bits, (word) => word >>> 16) }
}

describe.each(entrances)('$name', ({ open }) => {
  let hw: AnyRuntime
  let folder: string
  let expected: Float32Array | undefined
  beforeAll(async () => {
    hw = await open()
    folder = mkdtempSync(path.join(tmpdir(), 'headwise-'))
    const model = await hw.loadModel(smallBert())
    expected = (await model.run(text)).output?.data
    model.dispose()
  })
  afterAll(() => {
    hw.dispose()
    rmSync(folder, { recursive: true })
  })

  const outputOf = async (source: Parameters<AnyRuntime['loadModel']>[0]) => {
    const model = await hw.loadModel(source)
    const { output } = await model.run(text)
    model.dispose()
    expect(await usedMemory(hw)).toBe(0)
    return output?.data
  }

  test('files that were chosen, alone and with their folder', async () => {
    expect(await outputOf(filesOf(contents))).toEqual(expected)
    const chosen = filesOf(sharded()).map((file) => inFolder(file, 'small-bert'))
    expect(await outputOf(chosen)).toEqual(expected)
  })

  test('a directory', async () => {
    const others = [new File(['x'], 'README.md')]
    expect(await outputOf(directoryOf([...others, ...filesOf(sharded())]))).toEqual(expected)
  })

  test('a folder by its path and by its URL', async () => {
    const place = path.join(folder, 'with blanks & 한글')
    mkdirSync(place, { recursive: true })
    for (const [name, content] of Object.entries(sharded())) {
      writeFileSync(path.join(place, name), content)
    }
    expect(await outputOf(place)).toEqual(expected)
    expect(await outputOf(pathToFileURL(place))).toEqual(expected)
    rmSync(path.join(place, 'model-2.safetensors'))
    await expect(hw.loadModel(place)).rejects.toMatchObject({ code: 'NETWORK' })
    mkdirSync(path.join(place, 'model-2.safetensors'))
    await expect(hw.loadModel(place)).rejects.toMatchObject({ code: 'NETWORK' })
    expect(await usedMemory(hw)).toBe(0)
  })

  test('F16 and BF16 are widened exactly', async () => {
    const stored = (make: (h: ReturnType<typeof halves>) => StoredArray['array'], dtype: string) =>
      Object.fromEntries(
        Object.entries(tensors).map(([name, { dims, array }]) => [
          name,
          { dtype, dims, array: make(halves(array)) },
        ]),
      )
    const files = [
      stored(({ rounded }) => rounded, 'F32'),
      stored(({ f16 }) => f16, 'F16'),
      stored(({ bf16 }) => bf16, 'BF16'),
    ].map((all) => safetensors(all))
    const [float32, float16, bfloat16] = [
      await outputOf({ config, tokenizer, weights: files[0] ?? new Uint8Array() }),
      await outputOf({ config, tokenizer, weights: files[1] ?? new Uint8Array() }),
      await outputOf({ config, tokenizer, weights: files[2] ?? new Uint8Array() }),
    ]
    expect(float16).toEqual(float32)
    expect(bfloat16).toEqual(float32)
    expect(float32).not.toEqual(expected)
  })

  const cyclic: Record<string, unknown> = { ...tokenizer }
  cyclic['model'] = cyclic
  const deep = () => {
    let value: object = {}
    for (let i = 0; i < 100_000; i++) value = { value }
    return value
  }
  test.each<[string, unknown, string]>([
    ['a tokenizer in a circle', { ...smallBert(), tokenizer: cyclic }, 'source.tokenizer'],
    ['a configuration without end', { ...smallBert(), config: deep() }, 'source.config'],
    ['a number', 7, 'source'],
    ['nothing', null, 'source'],
    ['an empty text', ' ', 'source'],
    ['names for files', ['config.json'], 'source[0]'],
    ['a file twice', [new File(['{}'], 'a'), new File(['{}'], 'a')], 'source'],
    ['weights of text', { ...smallBert(), weights: 'x' }, 'source.weights'],
    ['a name too many', { ...smallBert(), extra: 1 }, 'source.extra'],
  ])('%s is refused', async (_what, source, argument) => {
    const refused = hw.loadModel(source as ModelFiles)
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument })
  })

  test('a file that is not among those chosen is named', async () => {
    const others = filesOf(contents).filter(({ name }) => name !== 'tokenizer.json')
    await expect(hw.loadModel(others)).rejects.toMatchObject({
      code: 'NETWORK',
      argument: 'tokenizer.json',
    })
    await expect(hw.loadModel([])).rejects.toMatchObject({ argument: 'config.json' })
  })
})
