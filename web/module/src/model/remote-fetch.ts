// The caller's own `fetch`, which cannot go to the Worker: what the Worker wants is asked for through a
// port, and bodies come a chunk at a time, each when it is wanted.
import type { Fetch } from './download.js'

/** Worker to caller; `read` and `cancel` are about the answer to the request of that id. */
type Wish = { id: number; url: string; init: RequestInit } | { id: number; then: 'read' | 'cancel' }

/** Caller to Worker. */
type Reply = { id: number } & (
  | { status: number; statusText: string; headers: [string, string][]; hasBody: boolean }
  | { chunk: Uint8Array | undefined }
  | { error: string }
)

/** Answers on the calling thread until the port is closed. */
export function serveFetch(port: MessagePort, fetch: Fetch): void {
  const open = new Map<
    number,
    { abort: AbortController; body?: ReadableStreamDefaultReader<Uint8Array> }
  >()
  const reply = (message: Reply) => port.postMessage(message)

  async function grant(wish: Wish): Promise<Reply> {
    const { id } = wish
    if ('url' in wish) {
      const abort = new AbortController()
      open.set(id, { abort })
      const response = await fetch(wish.url, { ...wish.init, signal: abort.signal })
      const body = response.body?.getReader()
      if (body === undefined) open.delete(id)
      else open.set(id, { abort, body })
      const { status, statusText } = response
      return { id, status, statusText, headers: [...response.headers], hasBody: !!body }
    }
    const { body } = open.get(id) ?? {}
    const { done = true, value } = (await body?.read()) ?? {}
    if (done) open.delete(id)
    return { id, chunk: value }
  }

  port.onmessage = ({ data: wish }: MessageEvent<Wish>) => {
    if ('then' in wish && wish.then === 'cancel') {
      open.get(wish.id)?.abort.abort()
      open
        .get(wish.id)
        ?.body?.cancel()
        .catch(() => undefined)
      open.delete(wish.id)
      return
    }
    grant(wish).then(reply, (error: unknown) => {
      open.delete(wish.id)
      reply({ id: wish.id, error: String(error) })
    })
  }
}

/** A `fetch` in the Worker that asks through the port. */
export function fetchThrough(port: MessagePort): Fetch {
  const waiting = new Map<
    number,
    { resolve: (reply: Reply) => void; reject: (error: Error) => void }
  >()
  let ids = 0
  port.onmessage = ({ data: reply }: MessageEvent<Reply>) => {
    const wait = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('error' in reply) wait?.reject(new TypeError(reply.error))
    else wait?.resolve(reply)
  }
  const ask = (wish: Wish) =>
    new Promise<Reply>((resolve, reject) => {
      waiting.set(wish.id, { resolve, reject })
      port.postMessage(wish)
    })

  return async (url, { signal, ...init }) => {
    const id = ids++
    const cancel = () => port.postMessage({ id, then: 'cancel' } satisfies Wish)
    signal?.addEventListener('abort', cancel, { once: true })
    const answer = await ask({ id, url, init })
    if (!('status' in answer)) throw new TypeError('no answer')
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const next = await ask({ id, then: 'read' })
        const chunk = 'chunk' in next ? next.chunk : undefined
        if (chunk !== undefined) controller.enqueue(chunk)
        else {
          signal?.removeEventListener('abort', cancel)
          controller.close()
        }
      },
      cancel,
    })
    const { status, statusText } = answer
    return new Response(answer.hasBody ? body : null, {
      status,
      statusText,
      headers: answer.headers,
    })
  }
}
