// Files of the local disk, in Node only. Browsers never come past the first line.
import { nodeProcess } from './environment.js'
import { HeadwiseError } from './errors.js'

/** The local path that a URL or text means in Node; undefined for anything to be fetched. */
function localPath(
  source: string | URL,
  node: NonNullable<ReturnType<typeof nodeProcess>>,
): string | undefined {
  const text = String(source)
  if (text.startsWith('file:')) {
    return node.getBuiltinModule('node:url').fileURLToPath(text)
  }
  return /^[a-z][a-z\d+.-]+:/i.test(text) ? undefined : text
}

/** The bytes of a local file; undefined when `source` is to be fetched instead. */
export async function readFile(source: string | URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const node = nodeProcess()
  const path = node && localPath(source, node)
  if (node === undefined || path === undefined) return undefined
  try {
    const buffer = await node.getBuiltinModule('node:fs/promises').readFile(path)
    return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  } catch (cause) {
    throw new HeadwiseError(
      { code: 'NETWORK', argument: String(source), expected: 'a file', received: String(cause) },
      { cause },
    )
  }
}

/** The size of a local file, and its bytes when they are asked for; errors are the system's own. */
export async function openFile(
  source: string,
): Promise<{ size: number; chunks: AsyncIterable<Uint8Array> }> {
  const node = nodeProcess()
  const path = node && localPath(source, node)
  if (node === undefined || path === undefined) throw new TypeError('no file of a disk')
  const about = await node.getBuiltinModule('node:fs/promises').stat(path)
  if (!about.isFile()) throw new TypeError('no file')
  const { createReadStream } = node.getBuiltinModule('node:fs')
  async function* read(from: string): AsyncGenerator<Uint8Array> {
    yield* createReadStream(from, { highWaterMark: 1 << 18 }) as AsyncIterable<Uint8Array>
  }
  return { size: about.size, chunks: read(path) }
}
