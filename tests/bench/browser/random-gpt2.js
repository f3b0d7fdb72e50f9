// A hub with one model on it, whose weights are made up while they are read: half a gigabyte that
// nobody keeps.

import { gpt2 } from '../cases/generate.js'

const { n_embd: width, n_layer: layers, n_positions: positions, vocab_size: vocabulary } = gpt2

/** A tokenizer with as many words as the model; the benchmark gives ids. */
const tokenizer = {
  version: '1.0',
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  model: { type: 'WordLevel', unk_token: 'w0', vocab: { w0: 0 } },
}

function tensorDims() {
  const dims = { 'wte.weight': [vocabulary, width], 'wpe.weight': [positions, width] }
  const pair = (name, ...sizes) => {
    dims[`${name}.weight`] = sizes
    dims[`${name}.bias`] = [sizes.at(-1)]
  }
  for (let i = 0; i < layers; i++) {
    pair(`h.${i}.ln_1`, width)
    pair(`h.${i}.attn.c_attn`, width, 3 * width)
    pair(`h.${i}.attn.c_proj`, width, width)
    pair(`h.${i}.ln_2`, width)
    pair(`h.${i}.mlp.c_fc`, width, 4 * width)
    pair(`h.${i}.mlp.c_proj`, 4 * width, width)
  }
  pair('ln_f', width)
  return dims
}

const sizeOf = (dims) => 4 * dims.reduce((product, dim) => product * dim, 1)

function headerOf(dims) {
  let end = 0
  const entries = Object.entries(dims).map(([name, shape]) => {
    const offsets = [end, (end += sizeOf(shape))]
    return [name, { dtype: 'F32', shape, data_offsets: offsets }]
  })
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)))
  const header = new Uint8Array(8 + text.length)
  new DataView(header.buffer).setBigUint64(0, BigInt(text.length), true)
  header.set(text, 8)
  return { header, size: header.length + end }
}

function weights() {
  const dims = tensorDims()
  const { header, size } = headerOf(dims)
  const rest = Object.values(dims).map(sizeOf)
  let state = 1
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(header),
    pull(controller) {
      while (rest[0] === 0) rest.shift()
      if (rest.length === 0) return controller.close()
      const values = new Float32Array(Math.min(rest[0], 1 << 20) / 4)
      rest[0] -= values.byteLength
      for (let i = 0; i < values.length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0
        values[i] = state * 2 ** -31 * 0.035
      }
      controller.enqueue(new Uint8Array(values.buffer))
    },
  })
  return new Response(body, { headers: { 'Content-Length': String(size), ETag: '"random"' } })
}

/** The `fetch` of a hub that has this model under every name. */
export async function randomGpt2(url) {
  if (url.endsWith('config.json')) return Response.json(gpt2)
  if (url.endsWith('tokenizer.json')) return Response.json(tokenizer)
  if (url.endsWith('model.safetensors')) return weights()
  return new Response(null, { status: 404 })
}
