// One file over HTTP: who gets the token, what a status means, and how to go on where a connection
// broke. Knows nothing of models, nor of what is kept.
import { baseAddress, nodeProcess } from '../environment.js'
import { corruptFile, HeadwiseError } from '../errors.js'
import { withSignal } from '../worker/connection.js'
import { readStream } from './bytes.js'
import { MissingFile, networkError } from './model-folder.js'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** What an answer says of the file. */
export interface FileVersion {
  /** Bytes of the whole file. */
  size: number | undefined
  /** The ETag, else the date: another content, another one. */
  validator: string | undefined
  /** The address stands for one content for ever, whatever a server tells of it. */
  isFixed?: boolean
}

export interface Request {
  method?: 'GET' | 'HEAD'
  /** The first byte that is wanted, of this version if it is not the first. */
  from?: number
  version?: FileVersion
  signal: AbortSignal
}

/** Tries to go on that bring nothing more before it is given up. */
const mostTries = 4
const firstPause = 200
const mostRedirects = 10
const noSuchRange = 416

export interface DownloaderOptions {
  fetch?: Fetch | undefined
  /** For the origin that is asked first, not for those that it redirects to. */
  token?: string | undefined
  /** `'no-store'` where what comes is kept elsewhere: the browser would keep it once more. */
  cache?: RequestCache
}

export class Downloader {
  constructor(private readonly options: DownloaderOptions = {}) {}

  /** The server's answer, whatever its status; rejects where there is none. */
  async ask(
    url: string,
    { method = 'GET', from = 0, version, signal }: Request,
  ): Promise<Response> {
    const { fetch = globalThis.fetch, token, cache = 'default' } = this.options
    const headers: Record<string, string> = {}
    if (from > 0) headers['Range'] = `bytes=${from}-`
    // Another origin would be asked beforehand whether this header is allowed, and may say no.
    const validator = version?.validator
    if (from > 0 && validator !== undefined && isOwnOrigin(url)) headers['If-Range'] = validator
    // Browsers do not tell where a redirect leads; they take the token off themselves.
    const redirect = nodeProcess() === undefined ? 'follow' : 'manual'
    const origin = new URL(url).origin
    let address = url
    for (let redirects = 0; redirects < mostRedirects; redirects++) {
      const isOrigin = token !== undefined && new URL(address).origin === origin
      const trusted = isOrigin ? { Authorization: `Bearer ${token}` } : {}
      const init: RequestInit = {
        method,
        headers: { ...headers, ...trusted },
        redirect,
        cache,
        signal,
      }
      let response: Response
      try {
        response = await withSignal(fetch(address, init), signal)
      } catch (cause) {
        signal.throwIfAborted()
        throw networkError(url, 'no answer', cause)
      }
      const next =
        response.status >= 300 && response.status < 400 && response.headers.get('Location')
      if (!next) return response
      await letGo(response)
      if (!URL.canParse(next, address)) throw networkError(url, `a redirect to '${next}'`)
      address = new URL(next, address).href
      if (!/^https?:/.test(address)) throw networkError(url, `a redirect to '${next}'`)
    }
    throw networkError(url, 'one redirect after the other')
  }

  /** The answer with the file, or from a later byte of it on; or that it has no such byte. */
  async get(url: string, request: Request): Promise<Response> {
    const response = await this.ask(url, request)
    if (response.ok || response.status === noSuchRange) return response
    await letGo(response)
    throw refusal(url, response)
  }

  /**
   * The bytes of the file from `at` on: those of the answer, if one is there that begins with them,
   * and those of others where a connection breaks.
   */
  async *bytes(
    url: string,
    version: FileVersion,
    at: number,
    signal: AbortSignal,
    answer?: Response,
  ): AsyncGenerator<Uint8Array> {
    let response = answer
    for (let tries = 0; ; tries++) {
      let cause: unknown
      try {
        let passed = 0
        if (response === undefined) [response, passed] = await this.#rest(url, version, at, signal)
        for await (const chunk of response.body ? readStream(response.body, signal) : []) {
          const fresh = chunk.subarray(Math.min(passed, chunk.length))
          passed -= chunk.length - fresh.length
          if (fresh.length === 0) continue
          at += fresh.length
          tries = 0
          yield fresh
        }
        if (version.size === undefined || at >= version.size) return
      } catch (error) {
        signal.throwIfAborted()
        cause = error
      }
      response = undefined
      if (cause instanceof HeadwiseError && cause.code !== 'NETWORK') throw cause
      if (tries === mostTries || !mayGoOn(version)) throw broken(url, at, cause)
      await withSignal(pause(firstPause * 2 ** tries), signal)
    }
  }

  /** An answer with the bytes from `at` on, and how many before them it repeats. */
  async #rest(
    url: string,
    version: FileVersion,
    at: number,
    signal: AbortSignal,
  ): Promise<[response: Response, repeated: number]> {
    const response = await this.get(url, { from: at, version, signal })
    if (continues(response, version, at)) return [response, response.status === 206 ? 0 : at]
    await letGo(response)
    throw corruptFile(url, 'one version of the file', `another one after ${at} bytes of it`)
  }
}

/** Whether the answer is of that version of the file, and from that byte on if it is a part. */
export function continues(response: Response, version: FileVersion, at: number): boolean {
  if (!response.ok) return false
  const { size, validator } = versionOf(response)
  const start = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '')?.[1]
  if (response.status === 206 && start !== undefined && Number(start) !== at) return false
  // A size that differs may be that of a compressed answer, whose bytes are no others.
  if (response.status === 206 && size !== undefined && size !== version.size) return false
  return validator === version.validator
}

export function versionOf({ headers, status }: Response): FileVersion {
  const validator = headers.get('ETag') ?? headers.get('Last-Modified') ?? undefined
  const whole = /\/(\d+)$/.exec(headers.get('Content-Range') ?? '')?.[1]
  // A compressed answer's length is not that of the file.
  const length = headers.get('Content-Encoding') === null ? headers.get('Content-Length') : null
  const size = status === 206 ? whole : length
  return { size: size === null || size === undefined ? undefined : Number(size), validator }
}

/** Drops what of an answer has not been read. */
export async function letGo(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined)
}

/** Whether a part can be added: a weak ETag stands for the same meaning, not for the same bytes. */
export function mayGoOn({ size, validator = 'W/', isFixed = false }: FileVersion): boolean {
  return size !== undefined && (isFixed || !validator.startsWith('W/'))
}

function isOwnOrigin(url: string): boolean {
  const base = baseAddress()
  return base === undefined || new URL(base).origin === new URL(url).origin
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function broken(url: string, at: number, cause: unknown): HeadwiseError {
  return networkError(url, `a connection that broke after ${at} bytes`, cause)
}

function refusal(url: string, { status, statusText, headers }: Response): HeadwiseError {
  const told = headers.get('X-Error-Message') ?? statusText
  const received = `status ${status} ${told}`.trim()
  if (status === 404) return new MissingFile(url, received)
  const wait = headers.get('Retry-After')
  const expected =
    status === 401 || status === 403
      ? 'a file of the model, and the right to read it (hub.token)'
      : 'a file of the model'
  return new HeadwiseError({
    code: 'NETWORK',
    argument: url,
    expected,
    received: wait === null ? received : `${received}, to be tried again after ${wait} s`,
  })
}
