// Reads the case files of the optional folder beside this repository into tensors.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Null where the folder is not there: the tests then skip and say so. */
export function sharedFolder(name: string): string | null {
  const path = fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url))
  if (existsSync(path)) return path
  process.stderr.write(`skipped: there is no folder ../shared/${name}\n`)
  return null
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8')) as unknown
}

/** All cases of a folder, by file name. */
export function readCases<T>(folder: string): T[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readJson(`${folder}/${file}`) as T)
}

/** Numbers as the cases write them: infinity and NaN are strings. */
export function numberOf(value: number | string): number {
  if (value === 'inf') return Infinity
  if (value === '-inf') return -Infinity
  return value === 'nan' ? NaN : Number(value)
}

export interface CaseTensor {
  dims: number[]
  data?: (number | string)[]
  bool?: number[]
}

export interface ConformanceTensor {
  dims: number[]
  type: 'float32' | 'bool' | 'int32'
  base64: string
}

export interface FloatTensor {
  data: Float32Array
  dims: number[]
}
export interface BooleanTensor {
  data: Uint8Array
  dims: number[]
}
export interface IntegerTensor {
  data: Int32Array
  dims: number[]
}

/** The tensor, as a view `offset` elements into a larger array of other numbers. */
export function caseTensor(tensor: CaseTensor, offset = 0): FloatTensor | BooleanTensor {
  const { dims, bool } = tensor
  if (bool !== undefined) {
    const data = new Uint8Array(bool.length + 2 * offset).fill(7)
    data.set(bool, offset)
    return { data: data.subarray(offset, offset + bool.length), dims }
  }
  return floatTensor(tensor, offset)
}

export function floatTensor({ dims, data: values = [] }: CaseTensor, offset = 0): FloatTensor {
  const data = new Float32Array(values.length + 2 * offset).fill(77)
  data.set(values.map(numberOf), offset)
  return { data: data.subarray(offset, offset + values.length), dims }
}

export function conformanceTensor({
  dims,
  type,
  base64,
}: ConformanceTensor): FloatTensor | BooleanTensor | IntegerTensor {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  if (type === 'bool') return { data: bytes, dims }
  if (type === 'int32') return { data: new Int32Array(bytes.buffer), dims }
  return { data: new Float32Array(bytes.buffer), dims }
}
