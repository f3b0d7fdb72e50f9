// A model's weights by name: dims and layout as TransformerLens has them, values as the products use
// them, through every entrance, while a model streams and when it is gone.
import type { Tensor } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { FileServer } from './support/file-server.js'
import { configurations, core, usedMemory, worker, type AnyRuntime } from './support/runtimes.js'
import { safetensors } from './support/safetensors.js'
import {
  config,
  int8Matrix,
  smallBert,
  tensors,
  tokenizer,
  withMatrix,
} from './support/small-bert.js'

const [numHeads, headDim, dModel, dMlp] = [4, 4, 16, 24]

/** The stored matrix, [out, in], by its name in the file. */
function stored(name: string): {
  dims: readonly number[]
  at: (row: number, column: number) => number
} {
  const { array, dims } = tensors[name] ?? { array: [], dims: [] }
  return { dims, at: (row, column) => array[row * (dims[1] ?? 0) + column] ?? NaN }
}

/** The dims of `tensor`, and that each of its numbers is what `expected` says for its indices. */
function expectTensor(tensor: Tensor, dims: number[], expected: (...at: number[]) => number): void {
  expect(tensor.dims).toEqual(dims)
  expect(tensor.data).toHaveLength(dims.reduce((a, b) => a * b, 1))
  tensor.data.forEach((value, index) => {
    const at: number[] = []
    let rest = index
    for (const dim of [...dims].reverse()) {
      at.unshift(rest % dim)
      rest = Math.floor(rest / dim)
    }
    expect(value, at.join(', ')).toBe(expected(...at))
  })
}

describe.each(configurations)('$name', ({ open }) => {
  let hw: AnyRuntime
  beforeAll(async () => {
    hw = await open()
  })
  afterAll(() => hw.dispose())

  test('one matrix a head, [in, out]; the rest as it is', async () => {
    const model = await hw.loadModel(smallBert())
    const layer = 'encoder.layer.1.'
    for (const [letter, name] of [
      ['Q', 'query'],
      ['K', 'key'],
      ['V', 'value'],
    ] as const) {
      const matrix = stored(`${layer}attention.self.${name}.weight`)
      const bias = tensors[`${layer}attention.self.${name}.bias`]?.array
      expectTensor(
        await model.weight(`blocks.1.attn.W_${letter}`),
        [numHeads, dModel, headDim],
        (head, i, j) => matrix.at(head * headDim + j, i),
      )
      expectTensor(
        await model.weight(`blocks.1.attn.b_${letter}`),
        [numHeads, headDim],
        (head, j) => bias?.[head * headDim + j] ?? NaN,
      )
    }
    const output = stored(`${layer}attention.output.dense.weight`)
    expectTensor(
      await model.weight('blocks.1.attn.W_O'),
      [numHeads, headDim, dModel],
      (head, j, m) => output.at(m, head * headDim + j),
    )
    const into = stored(`${layer}intermediate.dense.weight`)
    expectTensor(await model.weight('blocks.1.mlp.W_in'), [dModel, dMlp], (i, o) => into.at(o, i))
    const out = stored(`${layer}output.dense.weight`)
    expectTensor(await model.weight('blocks.1.mlp.W_out'), [dMlp, dModel], (i, o) => out.at(o, i))
    const same: [string, string][] = [
      ['blocks.1.attn.b_O', `${layer}attention.output.dense.bias`],
      ['blocks.1.ln1.w', `${layer}attention.output.LayerNorm.weight`],
      ['blocks.1.ln1.b', `${layer}attention.output.LayerNorm.bias`],
      ['blocks.1.mlp.b_in', `${layer}intermediate.dense.bias`],
      ['blocks.1.mlp.b_out', `${layer}output.dense.bias`],
      ['blocks.1.ln2.w', `${layer}output.LayerNorm.weight`],
      ['blocks.1.ln2.b', `${layer}output.LayerNorm.bias`],
      ['embed.embed.W_E', 'embeddings.word_embeddings.weight'],
      ['embed.pos_embed.W_pos', 'embeddings.position_embeddings.weight'],
      ['embed.token_type_embed.W_token_type', 'embeddings.token_type_embeddings.weight'],
      ['embed.ln.w', 'embeddings.LayerNorm.weight'],
      ['embed.ln.b', 'embeddings.LayerNorm.bias'],
    ]
    for (const [name, file] of same) {
      const weight = await model.weight(name)
      expect(weight.data, name).toEqual(tensors[file]?.array)
      expect(weight.dims, name).toEqual(tensors[file]?.dims)
    }
    model.dispose()
  })

  test('every name is there, and all of them are the parameters', async () => {
    const model = await hw.loadModel(smallBert())
    const used = await usedMemory(hw)
    expect(model.weightNames).toHaveLength(5 + 2 * 16)
    let count = 0
    for (const name of model.weightNames) count += (await model.weight(name)).data.length
    expect(count).toBe(model.parameters)
    expect(await usedMemory(hw)).toBe(used)
    model.dispose()
  })

  test('int8 weights are widened, with their outliers', async () => {
    const { name, stored, widened } = int8Matrix()
    const files = { ...smallBert(), weights: withMatrix(name, stored) }
    for (const dtype of ['int8', 'float32'] as const) {
      const model = await hw.loadModel(files, { dtype })
      expectTensor(
        await model.weight('blocks.0.mlp.W_out'),
        [dMlp, dModel],
        (i, o) => widened.array[o * dMlp + i] ?? NaN,
      )
      model.dispose()
    }
  })

  test('an unknown name is refused with near ones', async () => {
    const model = await hw.loadModel(smallBert())
    const calls: [() => unknown, string][] = [
      [() => model.weight('blocks.0.attn.W_q0'), 'blocks.0.attn.W_Q'],
      [() => model.weight('blocks.2.ln1.w'), 'model.weightNames'],
      [() => model.weight(3 as never), 'a string'],
      [() => model.weight('embed.ln.w', { sginal: 1 } as never), 'signal'],
    ]
    for (const [call, word] of calls) {
      const error = await Promise.resolve()
        .then(call)
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' })
      expect((error as Error).message).toContain(word)
    }
    await expect(async () =>
      model.weight('embed.ln.w', { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough')
    model.dispose()
    await expect(async () => model.weight('embed.ln.w')).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})

test('a projection with the weights is the activation that the model gives', async () => {
  const hw = await core.open()
  const model = await hw.loadModel(smallBert())
  const layer = 'blocks.0.'
  const run = await model.run('the cat sat', { names: [`${layer}*`] })
  const activation = (name: string) => run.cache.get(layer + name)
  const [x, q] = [activation('hook_resid_pre'), activation('attn.hook_q')]
  const weight = await model.weight('blocks.0.attn.W_Q')
  const bias = await model.weight('blocks.0.attn.b_Q')
  for (let token = 0; token < 5; token++) {
    for (let head = 0; head < numHeads; head++) {
      for (let j = 0; j < headDim; j++) {
        let sum = bias.data[head * headDim + j] ?? NaN
        for (let i = 0; i < dModel; i++) {
          const w = weight.data[(head * dModel + i) * headDim + j] ?? NaN
          sum += (x.data[token * dModel + i] ?? NaN) * w
        }
        expect(q.data[(token * numHeads + head) * headDim + j]).toBeCloseTo(sum, 5)
      }
    }
  }
  hw.dispose()
})

describe('a model that is still streaming', () => {
  const weights = safetensors(tensors)
  const serve = () =>
    FileServer.start({
      'config.json': { body: JSON.stringify(config) },
      'tokenizer.json': { body: JSON.stringify(tokenizer) },
      'model.safetensors': { body: weights, held: weights.length - 100 },
    })
  const words = 'embed.embed.W_E' // the last in the file

  test('headwise waits for a weight, and hears the abort while it does', async () => {
    const [hw, server] = [await worker.open(), await serve()]
    const model = await hw.loadModel(server.url, { streaming: true })
    expect((await model.weight('blocks.1.attn.W_O')).dims).toEqual([numHeads, headDim, dModel])
    const abort = new AbortController()
    const aborted = Promise.resolve(model.weight(words, { signal: abort.signal }))
    const waiting = Promise.resolve(model.weight(words))
    abort.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    expect(model.loaded.complete).toBe(false)
    server.release()
    expect((await waiting).data).toEqual(tensors['embeddings.word_embeddings.weight']?.array)
    hw.dispose()
    server.stop()
  })

  test('headwise/core says that it has not arrived', async () => {
    const [hw, server] = [await core.open(), await serve()]
    const model = await hw.loadModel(server.url, { streaming: true })
    while (model.loaded.blocks < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await model.weight('blocks.1.ln2.b')).dims).toEqual([dModel])
    const early = expect.objectContaining({ code: 'UNSUPPORTED' }) as Error
    expect(() => model.weight(words)).toThrow(early)
    server.release()
    await model.whenLoaded()
    expect((await model.weight(words)).dims).toEqual(
      tensors['embeddings.word_embeddings.weight']?.dims,
    )
    hw.dispose()
    server.stop()
  })
})
