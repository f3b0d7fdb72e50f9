// A folder behind a URL: its files are downloaded, or taken from what earlier loads have kept.
import { HeadwiseError } from '../errors.js'
import {
  continues,
  letGo,
  mayGoOn,
  versionOf,
  type Downloader,
  type FileVersion,
  type Request,
} from './download.js'
import { partBytes } from './bytes.js'
import type { KeptFile, KeptFiles } from './kept-files.js'
import { MissingFile, type ModelFolder, type OpenedFile } from './model-folder.js'

export interface WebFolderOptions {
  downloader: Downloader
  /** Where downloads are kept, if they are. */
  kept?: KeptFiles | undefined
  /** The address stands for one content for ever. */
  isImmutable?: boolean
  /** To be done when everything has been loaded. */
  onLoaded?: () => Promise<void>
}

export class WebFolder implements ModelFolder {
  readonly #opened: string[] = []
  readonly #options: WebFolderOptions

  /** `base` ends with a slash. */
  constructor(
    private readonly base: string,
    options: WebFolderOptions,
  ) {
    this.#options = options
  }

  get #downloader(): Downloader {
    return this.#options.downloader
  }

  get #kept(): KeptFiles | undefined {
    return this.#options.kept
  }

  async open(name: string, signal: AbortSignal): Promise<OpenedFile> {
    const url = new URL(name, this.base).href
    this.#opened.push(url)
    const { isImmutable: isFixed = false } = this.#options
    const kept = await this.#kept?.about(url)
    if (kept !== undefined) kept.isFixed = isFixed
    if (kept?.isWhole === true && (await this.#isCurrent(url, kept, signal))) {
      return { size: kept.size, chunks: this.#chunks(url, kept, signal, kept) }
    }
    const isHalf = kept?.isWhole === false && mayGoOn(kept)
    const from = isHalf ? kept.parts.length * partBytes : 0
    const request = { from, signal, ...(kept && { version: kept }) }
    const response = await this.#answer(url, request)
    const isRest = response.status === 206 && kept !== undefined && continues(response, kept, from)
    if (kept !== undefined && !isRest) await this.#kept?.forget(url)
    if (from > 0 && response.status !== 200 && !isRest) {
      // The kept half is of another version.
      await letGo(response)
      return this.open(name, signal)
    }
    const version = isRest ? kept : { ...versionOf(response), isFixed }
    const chunks = this.#chunks(url, version, signal, isRest ? kept : undefined, response)
    return { size: version.size, chunks }
  }

  /** What was damaged is not kept. */
  async close(error?: unknown): Promise<void> {
    if (error === undefined) await this.#options.onLoaded?.()
    if (!(error instanceof HeadwiseError) || error.code !== 'CORRUPT_FILE') return
    for (const url of this.#opened) await this.#kept?.forget(url)
  }

  /** What is not there is not there for ever where an address is, so that it need not be asked for. */
  async #answer(url: string, request: Request): Promise<Response> {
    const isFixed = this.#options.isImmutable === true
    const note = `${url}/missing`
    const refusal = isFixed ? await this.#kept?.text(note) : undefined
    if (refusal !== undefined) throw new MissingFile(url, refusal)
    try {
      return await this.#downloader.get(url, request)
    } catch (error) {
      if (isFixed && error instanceof MissingFile) await this.#kept?.setText(note, error.received)
      throw error
    }
  }

  /** Whether the kept file is still the server's. A server that does not answer is not waited for. */
  async #isCurrent(url: string, kept: KeptFile, signal: AbortSignal): Promise<boolean> {
    if (kept.isFixed === true) return true
    try {
      const answer = await this.#downloader.ask(url, { method: 'HEAD', signal })
      return answer.status >= 429 || (answer.ok && versionOf(answer).validator === kept.validator)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof HeadwiseError) return true
      throw error
    }
  }

  /** The parts that are kept, and what the server sends behind them, which is kept in its turn. */
  async *#chunks(
    url: string,
    version: FileVersion,
    signal: AbortSignal,
    kept?: KeptFile,
    response?: Response,
  ): AsyncGenerator<Uint8Array> {
    const parts: string[] = []
    let at = 0
    // What has no version cannot be told from another one later.
    const isKept = version.isFixed === true || version.validator !== undefined
    let isHalf = isKept && kept?.isWhole !== true
    try {
      for await (const part of this.#kept?.parts(url, kept?.parts ?? []) ?? []) {
        signal.throwIfAborted()
        at += part.length
        parts.push(kept?.parts[parts.length] ?? '')
        yield part
      }
      if (kept?.isWhole === true && parts.length === kept.parts.length) return
      // A part that has gone is asked for once more, with all behind it.
      const follows = kept === undefined || parts.length === kept.parts.length
      if (!follows && response !== undefined) await letGo(response)
      const rest = follows ? response : undefined
      isHalf = isKept
      const writer = isKept ? this.#kept?.writer(url, version, parts) : undefined
      for await (const chunk of this.#downloader.bytes(url, version, at, signal, rest)) {
        yield chunk
        await writer?.push(chunk)
      }
      await writer?.end()
      isHalf = false
    } catch (error) {
      // A later load goes on from where the connection broke.
      if (error instanceof HeadwiseError && error.code === 'NETWORK') isHalf = false
      throw error
    } finally {
      if (isHalf) await this.#kept?.forget(url)
    }
  }
}
