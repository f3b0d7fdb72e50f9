// Where the files of a model are: a folder by URL (in Node also by path), or memory. Streams them
// with progress in bytes and checks length and checksum.
import { baseAddress, nodeProcess, subtleCrypto } from '../environment.js'
import { HeadwiseError, invalidArgument } from '../errors.js'
import { openFile } from '../read-file.js'
import type { ModelFiles, ModelSource, Progress } from '../types/model.js'
import { describe } from '../validate/describe.js'
import { checkOptions } from '../validate/options.js'

/** What config.json may say of a file. */
export interface FileFacts {
  name: string
  bytes?: number
  sha256?: string
}

export interface ReadOptions {
  stage: Progress['stage']
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

/** Gives the chunks of a file in order. */
export type ReadFile = (file: FileFacts, options: ReadOptions) => AsyncGenerator<Uint8Array>

function network(url: string, received: string, cause?: unknown): HeadwiseError {
  return new HeadwiseError(
    { code: 'NETWORK', argument: url, expected: 'a file of the model', received },
    cause === undefined ? undefined : { cause },
  )
}

interface OpenFile {
  size: number
  chunks: AsyncIterable<Uint8Array>
}

async function open(url: string, signal: AbortSignal | undefined): Promise<OpenFile> {
  const file = await openFile(url)
  if (file !== undefined) return file
  let response: Response
  try {
    response = await fetch(url, signal ? { signal } : {})
  } catch (cause) {
    signal?.throwIfAborted()
    throw network(url, 'no answer', cause)
  }
  if (!response.ok) throw network(url, `status ${response.status} ${response.statusText}`.trim())
  if (response.body === null) throw network(url, 'an empty answer')
  // A compressed answer's length is not that of the file.
  const isPlain = response.headers.get('Content-Encoding') === null
  const size = isPlain ? Number(response.headers.get('Content-Length') ?? 0) : 0
  return { size, chunks: readBody(response.body) }
}

/** The same chunks, where a failure names the file; what their reader throws is its own. */
async function* named(
  url: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let loaded = 0
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted()
      loaded += chunk.length
      yield chunk
    }
  } catch (cause) {
    signal?.throwIfAborted()
    throw network(url, `a connection that broke after ${loaded} bytes`, cause)
  }
}

/** Safari's streams are not iterable. */
async function* readBody(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Fails with the name of the file when its bytes are not those that config.json promises. */
async function checkSum(file: FileFacts, chunks: Uint8Array[], length: number): Promise<void> {
  const subtle = subtleCrypto()
  // Pages without https have no digests; the length has been checked.
  if (file.sha256 === undefined || subtle === undefined) return
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  const sum = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (sum !== file.sha256) throw corruptFile(file.name, `SHA-256 ${file.sha256}`, sum)
}

function corruptFile(name: string, expected: string, received: string): HeadwiseError {
  return new HeadwiseError({ code: 'CORRUPT_FILE', argument: name, expected, received })
}

/** Reads files of the folder at `base`. */
function folderReader(base: string): ReadFile {
  return async function* (file, { stage, signal, onProgress }) {
    signal?.throwIfAborted()
    const url = isUrl(base) ? new URL(file.name, base).href : base + file.name
    const { size, chunks } = await open(url, signal)
    const total = file.bytes ?? size
    const kept: Uint8Array[] = []
    let loaded = 0
    for await (const chunk of named(url, chunks, signal)) {
      loaded += chunk.length
      if (file.sha256 !== undefined) kept.push(chunk)
      onProgress?.({ file: file.name, loaded, total, stage })
      yield chunk
    }
    if (file.bytes !== undefined && loaded !== file.bytes) {
      throw corruptFile(file.name, `${file.bytes} bytes`, `${loaded} bytes`)
    }
    await checkSum(file, kept, loaded)
  }
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(text)
}

/** Reads files that are in memory under the names of a folder. */
function memoryReader({ config, weights, tokenizer }: ModelFiles): ReadFile {
  const text = (value: object) => new TextEncoder().encode(JSON.stringify(value))
  const files: Record<string, () => Uint8Array> = {
    'config.json': () => text(config),
    'tokenizer.json': () => text(tokenizer),
    'model.safetensors': () => (weights instanceof Uint8Array ? weights : new Uint8Array(weights)),
  }
  // eslint-disable-next-line @typescript-eslint/require-await -- one signature for all sources
  return async function* ({ name }, { stage, signal, onProgress }) {
    signal?.throwIfAborted()
    const bytes = files[name]?.()
    if (bytes === undefined) throw network(name, 'nothing: it is not among the files in memory')
    onProgress?.({ file: name, loaded: bytes.length, total: bytes.length, stage })
    yield bytes
  }
}

/**
 * The source as it can be sent to a Worker: an absolute folder address that ends with a slash, or
 * the files themselves.
 */
export function resolveSource(source: ModelSource): string | ModelFiles {
  if (typeof source === 'string' || source instanceof URL) return resolveFolder(String(source))
  const files = source as Partial<ModelFiles> | null
  if (typeof files !== 'object' || files === null) {
    const expected = 'the URL of a folder, or { config, weights, tokenizer }'
    throw invalidArgument('source', expected, describe(source))
  }
  checkFiles(files)
  return files
}

/** Files in memory, each of its type and none under another name. */
function checkFiles(files: Partial<ModelFiles>): asserts files is ModelFiles {
  checkOptions(files, 'source', ['config', 'weights', 'tokenizer'])
  for (const name of ['config', 'tokenizer'] as const) {
    const json: unknown = files[name]
    if (typeof json === 'object' && json !== null) continue
    throw invalidArgument(`source.${name}`, `the content of ${name}.json`, describe(json))
  }
  const weights: unknown = files.weights
  if (weights instanceof ArrayBuffer || weights instanceof Uint8Array) return
  throw invalidArgument('source.weights', 'an ArrayBuffer or Uint8Array', describe(weights))
}

function resolveFolder(folder: string): string {
  // The empty text would be the root of the disk, or the page itself.
  if (folder.trim() === '') throw invalidArgument('source', 'the URL of a folder', describe(folder))
  const slashed = folder.endsWith('/') ? folder : `${folder}/`
  const base = baseAddress()
  if (isUrl(slashed) || base !== undefined) return folderUrl(folder, slashed, base)
  const node = nodeProcess()
  if (node === undefined) return slashed
  return node.getBuiltinModule('node:url').pathToFileURL(slashed).href
}

/** The address of a folder; the names of its files could not be added to one with a query. */
function folderUrl(folder: string, slashed: string, base: string | undefined): string {
  const url = URL.canParse(slashed, base) ? new URL(slashed, base) : undefined
  if (url !== undefined && url.search + url.hash === '' && URL.canParse('config.json', url.href)) {
    return url.href
  }
  throw invalidArgument('source', 'the URL of a folder, without ? and #', describe(folder))
}

export function readerOf(source: string | ModelFiles): ReadFile {
  return typeof source === 'string' ? folderReader(source) : memoryReader(source)
}

/** A whole file. */
export async function readAll(
  read: ReadFile,
  file: FileFacts,
  options: ReadOptions,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of read(file, options)) chunks.push(chunk)
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** A file of JSON; anything else, an HTML page in its place too, names the file. */
export async function readJson(
  read: ReadFile,
  file: FileFacts,
  options: ReadOptions,
): Promise<object> {
  const text = new TextDecoder().decode(await readAll(read, file, options))
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
    throw new TypeError('not an object')
  } catch (cause) {
    const start = text.slice(0, 40).replace(/\s+/g, ' ')
    throw new HeadwiseError(
      {
        code: 'CORRUPT_FILE',
        argument: file.name,
        expected: 'a JSON object',
        received: `text that begins with '${start}'`,
      },
      { cause },
    )
  }
}
