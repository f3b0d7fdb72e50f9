// What may happen while something is computed: the model goes, the runtime goes, an abort comes late.
// Each is said, and nothing else is disturbed.
import { readFileSync } from 'node:fs'
import path from 'node:path'

import { createRuntime, type ModelFiles } from 'headwise'
import { describe, expect, test } from 'vitest'

import { core, withoutWorker, worker, type AnyRuntime } from './support/runtimes.js'

const folder = path.resolve(import.meta.dirname, '../../web/models/novels-lm')
const prompt = Array.from({ length: 200 }, (_, i) => 5 + (i % 50))
const soon = () => new Promise((resolve) => setImmediate(resolve))

type Model = Awaited<ReturnType<AnyRuntime['loadModel']>>
/** The first token of a text, which takes some slices. */
const started = (model: Model) => {
  const parts = model.generate(prompt, { maxTokens: 2 })
  const first = parts.next()
  first.catch(() => undefined)
  return first
}

describe.each([core, worker, withoutWorker])('$name', ({ name, open }) => {
  test.each(['simd', 'threads'] as const)('a model goes while it writes, %s', async (build) => {
    const hw = await open({ build })
    const [model, other] = [await hw.loadModel(folder), await hw.loadModel(folder)]
    const first = started(model)
    await soon()
    model.dispose()
    // With calls that wait for their turn, a call is done when what came behind it is.
    const said = name === core.name ? { code: 'DISPOSED', argument: 'model' } : { done: false }
    expect(await first.catch((error: unknown) => error)).toMatchObject(said)
    await expect(started(other)).resolves.toMatchObject({ done: false })
    hw.dispose()
  })

  test.each(['simd', 'threads'] as const)('a runtime goes while it computes, %s', async (build) => {
    const hw = await open({ build })
    const model = await hw.loadModel(folder)
    const first = started(model)
    await soon()
    hw.dispose()
    await expect(first).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  test('an abort that comes when all is computed, but not read, is heard', async () => {
    const hw = await open({ build: 'simd' })
    const model = await hw.loadModel(folder)
    const controller = new AbortController()
    const reason = new Error('enough')
    const parts = model.generate('The', { maxTokens: 4, signal: controller.signal })
    await parts.next()
    await new Promise((resolve) => setTimeout(resolve, 300))
    controller.abort(reason)
    const rest = async () => {
      for await (const part of parts) expect(part.id).toBeGreaterThanOrEqual(0)
    }
    await expect(rest()).rejects.toBe(reason)
    hw.dispose()
  })
})

describe('a runtime goes while it computes on its own thread, with threads', () => {
  test.each(['run', 'attention', 'svd', 'headImportance'] as const)('%s', async (call) => {
    const hw = await createRuntime({ worker: false, build: 'threads' })
    const model = await hw.loadModel(folder)
    const data = new Float32Array(8 * 1024 * 64).fill(0.5)
    const tensor = { data, dims: [1, 8, 1024, 64] }
    const texts = Array.from({ length: 8 }, (_, i) => `The old man closed door ${String(i)}.`)
    const calls = {
      run: () => model.run(new Int32Array(prompt)),
      attention: () => hw.attention(tensor, tensor, tensor),
      svd: () => hw.svd({ data: data.subarray(0, 512 * 512), dims: [512, 512] }),
      headImportance: () => model.headImportance(texts),
    }
    const answer: Promise<unknown> = calls[call]()
    answer.catch(() => undefined)
    await soon()
    await soon()
    hw.dispose()
    await expect(answer).rejects.toMatchObject({ code: 'DISPOSED' })
  })
})

test('a signal that is kept for many texts is left as it was, read or not', async () => {
  const hw = await worker.open({ build: 'simd' })
  const model = await hw.loadModel(folder)
  const { signal } = new AbortController()
  const added: unknown[] = []
  const listen = signal.addEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof listen>) => {
    added.push(args[1])
    listen(...args)
  }
  for (let i = 0; i < 20; i++) model.generate('The', { signal })
  expect(added).toEqual([])
  hw.dispose()
})

describe('memory of the caller stays the caller’s', () => {
  const read = (name: string) => readFileSync(path.join(folder, name))
  const files = (): ModelFiles & { weights: Buffer } => ({
    config: JSON.parse(read('config.json').toString()) as object,
    weights: read('model.safetensors'),
    tokenizer: JSON.parse(read('tokenizer.json').toString()) as object,
  })

  test.each([core, worker])(
    '$name: a model of the package from memory, twice',
    async ({ open }) => {
      const hw = await open({ build: 'simd' })
      const source = files()
      const { byteLength } = source.weights
      for (let i = 0; i < 2; i++) {
        const model = await hw.loadModel(source)
        expect(model.config.numLayers).toBe(6)
        model.dispose()
      }
      expect(source.weights.byteLength).toBe(byteLength)
      hw.dispose()
    },
  )

  test('a part of a Buffer goes as it is, and the rest stays', async () => {
    const hw = await worker.open({ build: 'simd' })
    const whole = Buffer.alloc(10_000, 1)
    const x = { data: Float32Array.of(1, 2, 3), dims: [1, 1, 3, 1] }
    await hw.attention(x, x, x, { keyMask: { data: whole.subarray(5, 8), dims: [1, 3] } })
    expect(whole.length).toBe(10_000)
    hw.dispose()
  })

  test('what cannot be sent is refused, and the process can end', async () => {
    const hw = await worker.open({ build: 'simd' })
    const model = await hw.loadModel(folder)
    const symbol = Symbol('x') as unknown as string
    await expect(model.run(symbol)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(model.run('The')).resolves.toMatchObject({ tokens: ['<s>', 'The'] })
    hw.dispose()
  })
})
