// Small things that are done with bytes: joining, hashing, showing in an error.
import { subtleCrypto } from '../environment.js'
import { withSignal } from '../worker/connection.js'

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** SHA-256 in hexadecimal; undefined on pages without https, which have no digests. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const digest = await subtleCrypto()?.digest('SHA-256', bytes)
  return digest && hexadecimal(new Uint8Array(digest), '')
}

function hexadecimal(bytes: Uint8Array, separator: string): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(separator)
}

/** How a file begins, for an error: a page of HTML and a compressed file are known by that. */
export function beginning(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'an empty file'
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, 40))
  const line = text.replace(/\s+/g, ' ')
  // Not text: a control character, a byte order mark, or what is no UTF-8 before the cut.
  if (!/[\p{Cc}\uFEFF]|\uFFFD./u.test(line)) return `text that begins with '${line}'`
  return `bytes that begin with ${hexadecimal(bytes.subarray(0, 8), ' ')}`
}

/** The chunks of a stream, which is let go in any case. Safari's streams are not iterable. */
export async function* readStream(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await withSignal(reader.read(), signal)
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Length of the parts in which downloads are kept. */
export const partBytes = 4 << 20
