// A hub with one model on it, of any size: its weights are one block of random numbers again and
// again, made while they are read.
import type { HubOptions } from 'headwise'

import { filesOf } from './architectures.js'
import { noise, sizeOf } from './tensors.js'

export type Dims = Readonly<Record<string, number[]>>

const block = new Uint8Array(noise([1 << 18], 7).data.map((value) => value * 0.03).buffer)

function header(dims: Dims): Uint8Array {
  let end = 0
  const entries = Object.entries(dims).map(([name, shape]) => {
    const start = end
    end += Float32Array.BYTES_PER_ELEMENT * sizeOf(shape)
    return [name, { dtype: 'F32', shape, data_offsets: [start, end] }] as const
  })
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)))
  const bytes = new Uint8Array(8 + text.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true)
  bytes.set(text, 8)
  return bytes
}

function weights(dims: Dims): Response {
  const first = header(dims)
  let left = Object.values(dims).reduce((sum, shape) => sum + 4 * sizeOf(shape), 0)
  const length = String(first.length + left)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    pull(controller) {
      const part = block.slice(0, Math.min(left, block.length))
      left -= part.length
      if (part.length > 0) controller.enqueue(part)
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'Content-Length': length } })
}

/** Options for `loadModel` with any name of a model. */
export function randomHub(config: object, dims: Dims): HubOptions {
  const { tokenizer } = filesOf('gpt2')
  const files: Record<string, () => Response> = {
    'config.json': () => Response.json(config),
    'tokenizer.json': () => Response.json(tokenizer),
    'model.safetensors': () => weights(dims),
  }
  const missing = () => new Response(null, { status: 404 })
  return { fetch: (url) => Promise.resolve((files[url.split('/').at(-1) ?? ''] ?? missing)()) }
}
