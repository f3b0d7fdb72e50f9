// Reading safetensors files while they arrive.
import { describe, expect, test } from 'vitest'

import { SafetensorsReader, type StoredTensor } from '../../../web/module/dist/model/safetensors.js'
import { safetensors } from '../support/safetensors.js'

const file = safetensors({
  first: { dtype: 'F32', dims: [2, 3], array: Float32Array.of(1, 2, 3, 4, 5, 6) },
  empty: { dtype: 'F32', dims: [0, 4], array: new Float32Array() },
  second: { dtype: 'I8', dims: [5], array: Int8Array.of(-1, 0, 1, 2, 3) },
})

function read(bytes: Uint8Array, chunkSize: number): StoredTensor[] {
  const reader = new SafetensorsReader('x.safetensors')
  const tensors: StoredTensor[] = []
  for (let start = 0; start < bytes.length; start += chunkSize) {
    tensors.push(...reader.push(bytes.subarray(start, start + chunkSize)))
  }
  reader.end()
  return tensors
}

/** The file with its header's text changed, to as many characters. */
function withHeader(change: (header: string) => string): Uint8Array {
  const length = Number(new DataView(file.buffer).getBigUint64(0, true))
  const header = change(new TextDecoder().decode(file.subarray(8, 8 + length)))
  const changed = file.slice()
  changed.set(new TextEncoder().encode(header.padEnd(length).slice(0, length)), 8)
  return changed
}

test.each([1, 2, 7, 64, 10_000])('in chunks of %d bytes', (chunkSize) => {
  const [first, empty, second] = read(file, chunkSize)
  expect(first).toMatchObject({ name: 'first', dtype: 'F32', dims: [2, 3] })
  expect([...new Float32Array(first?.bytes.buffer ?? new ArrayBuffer())]).toEqual([
    1, 2, 3, 4, 5, 6,
  ])
  expect(empty).toMatchObject({ name: 'empty', dims: [0, 4] })
  expect([...new Int8Array(second?.bytes.buffer ?? new ArrayBuffer())]).toEqual([-1, 0, 1, 2, 3])
})

test('a tensor comes with the chunk of its last byte, not later', () => {
  const reader = new SafetensorsReader('x.safetensors')
  expect([...reader.push(file.subarray(0, file.length - 1))].map(({ name }) => name)).toEqual([
    'first',
    'empty',
  ])
  expect([...reader.push(file.subarray(file.length - 1))].map(({ name }) => name)).toEqual([
    'second',
  ])
})

describe('what is no safetensors file is an error that names it', () => {
  test.each([
    ['a page of HTML', new TextEncoder().encode('<!doctype html><title>Not found</title>')],
    ['an early end', file.subarray(0, file.length - 1)],
    ['an end in the header', file.subarray(0, 20)],
    ['bytes behind the end', new Uint8Array([...file, 0])],
    ['a header that is no JSON', withHeader((header) => header.replace('{', '['))],
    ['an unknown type', withHeader((header) => header.replace('"F32"', '"F99"'))],
    ['a shape that does not fit', withHeader((header) => header.replace('[2,3]', '[2,4]'))],
    ['a hole', withHeader((header) => header.replace('[0,24]', '[4,28]'))],
  ])('%s', (_what, bytes) => {
    expect(() => read(bytes, 16)).toThrow(expect.objectContaining({ code: 'CORRUPT_FILE' }))
    expect(() => read(bytes, 16)).toThrow('x.safetensors')
  })
})
