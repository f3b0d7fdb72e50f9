// A server of files in memory, which can hold a file back.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServedFile {
  body: Uint8Array | string
  type?: string
  /** Bytes that come at once; the others wait for `release`. */
  held?: number
}

export class FileServer {
  readonly #server: Server
  readonly requests: string[] = []
  #release: () => void = () => undefined
  #released: Promise<void>

  private constructor(files: Record<string, ServedFile>) {
    this.#released = new Promise((resolve) => (this.#release = resolve))
    this.#server = createServer((request, response) => {
      const name = (request.url ?? '').slice(1)
      this.requests.push(name)
      const file = files[name]
      if (file === undefined) {
        response.writeHead(404).end('<!doctype html>nothing here')
        return
      }
      const body = Buffer.from(file.body)
      response.writeHead(200, {
        'Content-Type': file.type ?? 'application/octet-stream',
        'Content-Length': body.length,
      })
      response.write(body.subarray(0, file.held))
      const rest = file.held === undefined ? Buffer.alloc(0) : body.subarray(file.held)
      void (file.held === undefined ? Promise.resolve() : this.#released).then(() => {
        response.end(rest)
      })
    })
  }

  static async start(files: Record<string, ServedFile>): Promise<FileServer> {
    const server = new FileServer(files)
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Sends what was held back. */
  release(): void {
    this.#release()
  }

  stop(): void {
    this.#release()
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
