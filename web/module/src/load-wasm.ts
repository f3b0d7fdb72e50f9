// From whatever names a .wasm file to a compiled module: a URL (a file in Node), a Response, bytes,
// or a module that is compiled already. Knows nothing of what is inside.
import { HeadwiseError, invalidArgument } from './errors.js'
import { readFile } from './read-file.js'
import type { WasmSource } from './types/runtime.js'
import { describe } from './validate/describe.js'

function unusable(url: string, received: string, cause?: unknown): HeadwiseError {
  return new HeadwiseError(
    { code: 'NETWORK', argument: 'wasm', expected: `a WebAssembly file at ${url}`, received },
    cause === undefined ? undefined : { cause },
  )
}

/** Every WebAssembly file starts with these four bytes, "\0asm". */
function isWasm(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d
}

async function compileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  url: string,
): Promise<WebAssembly.Module> {
  if (!isWasm(bytes)) {
    const start = new TextDecoder().decode(bytes.subarray(0, 40)).replace(/\s+/g, ' ')
    throw unusable(url, `${bytes.length} bytes that begin with '${start}'`)
  }
  try {
    return await WebAssembly.compile(bytes)
  } catch (cause) {
    throw unusable(url, 'one that this engine does not compile', cause)
  }
}

async function compileResponse(response: Response, url: string): Promise<WebAssembly.Module> {
  if (!response.ok) throw unusable(url, `status ${response.status} ${response.statusText}`.trim())
  const type = response.headers.get('Content-Type')?.split(';')[0]?.trim()
  if (type === 'application/wasm' && typeof WebAssembly.compileStreaming === 'function') {
    // A second copy of the body serves the case that what is called WebAssembly is not.
    const copy = response.clone()
    try {
      const module = await WebAssembly.compileStreaming(response)
      void copy.body?.cancel()
      return module
    } catch {
      return compileBytes(new Uint8Array(await copy.arrayBuffer()), url)
    }
  }
  return compileBytes(new Uint8Array(await response.arrayBuffer()), url)
}

async function compileUrl(url: string | URL): Promise<WebAssembly.Module> {
  const address = String(url)
  const file = await readFile(url)
  if (file !== undefined) return compileBytes(file, address)
  let response: Response
  try {
    response = await fetch(address, { credentials: 'same-origin' })
  } catch (cause) {
    throw unusable(address, 'no answer', cause)
  }
  return compileResponse(response, address)
}

/** Compiles the module that `source` names. */
export async function loadWasm(source: WasmSource): Promise<WebAssembly.Module> {
  if (typeof source === 'string' || source instanceof URL) return compileUrl(source)
  if (source instanceof WebAssembly.Module) return source
  if (source instanceof ArrayBuffer) return compileBytes(new Uint8Array(source), 'the given bytes')
  if (source instanceof Uint8Array) return compileBytes(new Uint8Array(source), 'the given bytes')
  if (typeof Response !== 'undefined' && source instanceof Response) {
    return compileResponse(source, source.url || 'the given Response')
  }
  throw invalidArgument('wasm', 'a URL, Response, bytes or WebAssembly.Module', describe(source))
}
