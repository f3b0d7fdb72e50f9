// A folder on the disk, in Node only; and files that somebody chose or has in memory.
import { openFile } from '../read-file.js'
import { readStream } from './bytes.js'
import { MissingFile, networkError, type ModelFolder, type OpenedFile } from './model-folder.js'

/** `base` ends with a slash. */
export class DiskFolder implements ModelFolder {
  constructor(private readonly base: string) {}

  async open(name: string): Promise<OpenedFile> {
    const place = this.base.startsWith('file:') ? new URL(name, this.base).href : this.base + name
    try {
      const { size, chunks } = await openFile(place)
      return { size, chunks: named(place, chunks) }
    } catch (cause) {
      throw new MissingFile(place, String(cause), cause)
    }
  }
}

/** The same chunks, where a failure names the file. */
async function* named(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (cause) {
    throw networkError(file, String(cause), cause)
  }
}

export type GivenFile = readonly [name: string, content: Blob | Uint8Array]

export class GivenFiles implements ModelFolder {
  readonly #files: ReadonlyMap<string, Blob | Uint8Array>

  constructor(files: readonly GivenFile[]) {
    this.#files = new Map(files)
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- one signature for all sources
  async open(name: string, signal: AbortSignal): Promise<OpenedFile> {
    const content = this.#files.get(name)
    if (content === undefined) throw new MissingFile(name, 'nothing: it is not among the files')
    if (!(content instanceof Blob)) return { size: content.length, chunks: one(content) }
    return { size: content.size, chunks: readStream(content.stream(), signal) }
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- as other chunks come
async function* one(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}
