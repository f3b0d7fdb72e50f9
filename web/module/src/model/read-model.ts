// Reading the files of a model from wherever they are: whole or as they come, with progress in bytes,
// and with what config.json promises of them checked.
import { corruptFile } from '../errors.js'
import type { Progress } from '../types/loading.js'
import { joined, sha256 } from './bytes.js'
import type { FileFacts } from './file-facts.js'
import { parseJson, type JsonOptions } from './json.js'
import type { ModelFolder, OpenedFile } from './model-folder.js'

type Stage = Progress['stage']

/** Far beyond any model's; a file that is longer is not read to its end. */
const longestJson = 1 << 27

export class ModelReader {
  readonly #files = new Map<string, { loaded: number; total: number | undefined }>()
  /** Bytes of the weights together, where an index says so before all of its files are open. */
  expectedWeights = 0

  constructor(
    private readonly folder: ModelFolder,
    private readonly signal: AbortSignal,
    private readonly onProgress?: (progress: Progress) => void,
  ) {}

  async open(file: FileFacts, stage: Stage): Promise<OpenedFile> {
    this.signal.throwIfAborted()
    const progress = { loaded: 0, total: file.bytes }
    this.#files.set(file.name, progress)
    const opened = await this.folder.open(file.name, this.signal).catch((error: unknown) => {
      this.#files.delete(file.name)
      throw error
    })
    progress.total ??= opened.size
    return { size: opened.size, chunks: this.#watched(file, stage, opened, progress) }
  }

  /** A file of JSON; anything else, an HTML page in its place too, names the file. */
  async json(file: FileFacts, stage: Stage, options?: JsonOptions): Promise<object> {
    const { chunks } = await this.open(file, stage)
    const read: Uint8Array[] = []
    let length = 0
    for await (const chunk of chunks) {
      read.push(chunk)
      length += chunk.length
      if (length > longestJson) {
        throw corruptFile(file.name, `at most ${longestJson} bytes`, `${length} bytes and more`)
      }
    }
    return parseJson(file.name, joined(read), options)
  }

  async *#watched(
    { name, bytes, sha256: sum }: FileFacts,
    stage: Stage,
    { chunks }: OpenedFile,
    progress: { loaded: number; total: number | undefined },
  ): AsyncGenerator<Uint8Array> {
    const kept: Uint8Array[] = []
    for await (const chunk of chunks) {
      this.signal.throwIfAborted()
      progress.loaded += chunk.length
      if (sum !== undefined) kept.push(chunk)
      const { loaded, total = 0 } = progress
      this.onProgress?.({ file: name, loaded, total, stage, overall: this.#overall() })
      yield chunk
    }
    const { loaded } = progress
    if (bytes !== undefined && loaded !== bytes) {
      throw corruptFile(name, `${bytes} bytes`, `${loaded} bytes`)
    }
    const found = sum && (await sha256(joined(kept)))
    // Pages without https have no digests; the length has been checked.
    if (found && found !== sum) throw corruptFile(name, `SHA-256 ${sum}`, found)
  }

  /** Of all files that were opened so far, and those that are known to come. */
  #overall(): Progress['overall'] {
    let [loaded, total, weights] = [0, 0, 0]
    for (const [name, file] of this.#files) {
      loaded += file.loaded
      total += file.total ?? NaN
      if (name.endsWith('.safetensors')) weights += file.total ?? 0
    }
    total += Math.max(0, this.expectedWeights - weights)
    return { loaded, total: Number.isNaN(total) ? 0 : total }
  }
}
