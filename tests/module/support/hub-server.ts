// A server with the paths of the Hugging Face hub: branches that are commits, small files from the hub
// itself, weights by a redirect from another origin, byte ranges, validators, tokens. It can fail in
// the ways that such servers do.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server was asked. */
export interface Asked {
  /** Which of the two origins. */
  origin: 'hub' | 'cdn'
  method: string
  path: string
  range: string | undefined
  ifRange: string | undefined
  authorization: string | undefined
}

type Files = Record<string, Uint8Array | string>

export class HubServer {
  readonly #hub: Server
  readonly #cdn: Server
  readonly #commits = new Map<string, Files>()
  #main = ''
  asked: Asked[] = []
  /** Ends the connection after so many bytes of a body from the CDN; once, or each time. */
  cut: { after: number; times: number; then?: () => void } | undefined
  /** What is answered in the place of a file. */
  readonly statuses = new Map<string, { status: number; headers?: Record<string, string> }>()
  /** Without it there is no answer but 401. */
  token: string | undefined
  acceptsRanges = true
  tellsVersions = true
  namesCommits = true
  /** Bodies stop for good behind their first half. */
  stalls = false

  private constructor() {
    this.#hub = createServer((request, response) => this.#answerHub(request, response))
    this.#cdn = createServer((request, response) => this.#answerCdn(request, response))
  }

  static async start(files: Files): Promise<HubServer> {
    const server = new HubServer()
    server.commit(files)
    for (const each of [server.#hub, server.#cdn]) {
      await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
    }
    return server
  }

  get endpoint(): string {
    return originOf(this.#hub)
  }

  /** Where weights come from. */
  get otherOrigin(): string {
    return originOf(this.#cdn)
  }

  get commitOfMain(): string {
    return this.#main
  }

  /** A new commit on the branch main. */
  commit(files: Files): string {
    const text = Object.entries(files).map(([name, body]) => name + etagOf(body))
    this.#main = createHash('sha1').update(text.join()).digest('hex')
    this.#commits.set(this.#main, files)
    return this.#main
  }

  /** Requests for files, without the questions for headers alone. */
  downloads(): string[] {
    const named = this.asked.filter(({ method, origin }) => method === 'GET' && origin === 'hub')
    return named.map(({ path }) => path.split('/').at(-1) ?? '')
  }

  stop(): void {
    for (const each of [this.#hub, this.#cdn]) {
      each.closeAllConnections()
      each.close()
    }
  }

  #note(origin: Asked['origin'], { method = '', url = '', headers }: IncomingMessage): void {
    const { range, authorization } = headers
    const ifRange = headers['if-range'] as string | undefined
    this.asked.push({ origin, method, path: url, range, ifRange, authorization })
  }

  #answerHub(request: IncomingMessage, response: ServerResponse): void {
    this.#note('hub', request)
    const [, , , kind, revision = '', ...rest] = (request.url ?? '').split('/')
    const name = rest.join('/')
    const commit = revision === 'main' ? this.#main : decodeURIComponent(revision)
    const body = this.#commits.get(commit)?.[name]
    const failure = this.statuses.get(name)
    if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`) {
      response.writeHead(401, { 'X-Error-Message': 'Invalid username or password.' }).end()
    } else if (failure !== undefined) {
      response.writeHead(failure.status, failure.headers).end('<!doctype html><title>No</title>')
    } else if (kind !== 'resolve' || body === undefined) {
      response.writeHead(404, { 'X-Error-Code': 'EntryNotFound' }).end('Entry not found')
    } else {
      if (this.namesCommits) response.setHeader('X-Repo-Commit', commit)
      response.setHeader('Access-Control-Expose-Headers', 'X-Repo-Commit, ETag')
      response.setHeader('Access-Control-Allow-Origin', '*')
      if (!name.endsWith('.safetensors')) this.#send(request, response, body)
      else {
        const place = `${originOf(this.#cdn)}${commit}/${name}`
        response.writeHead(302, { Location: place, 'X-Linked-ETag': etagOf(body) }).end()
      }
    }
  }

  #answerCdn(request: IncomingMessage, response: ServerResponse): void {
    this.#note('cdn', request)
    const [, commit = '', name = ''] = (request.url ?? '').split('/')
    const body = this.#commits.get(commit)?.[name]
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Expose-Headers', 'ETag, Content-Range')
    if (body === undefined) response.writeHead(403).end('<Error>expired</Error>')
    else this.#send(request, response, body)
  }

  #send({ method, headers }: IncomingMessage, response: ServerResponse, file: string | Uint8Array) {
    const whole = Buffer.from(file)
    const etag = etagOf(file)
    const range = this.acceptsRanges ? /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] : undefined
    const isSame = (headers['if-range'] ?? etag) === etag
    const from = range === undefined || !isSame ? 0 : Number(range)
    if (this.tellsVersions) response.setHeader('ETag', etag)
    response.setHeader('Cache-Control', 'no-store')
    if (from >= whole.length && from > 0) {
      response.writeHead(416, { 'Content-Range': `bytes */${whole.length}` }).end()
      return
    }
    const body = whole.subarray(from)
    response.setHeader('Content-Length', body.length)
    if (from === 0) response.writeHead(200)
    else {
      const part = `bytes ${from}-${whole.length - 1}/${whole.length}`
      response.writeHead(206, { 'Content-Range': part })
    }
    if (method === 'HEAD') response.end()
    else if (this.stalls) response.write(body.subarray(0, body.length / 2))
    else if (this.cut !== undefined && this.cut.times > 0 && body.length > this.cut.after) {
      this.cut.times--
      this.cut.then?.()
      response.write(body.subarray(0, this.cut.after), () => response.destroy())
    } else response.end(body)
  }
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function etagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('hex')}"`
}
