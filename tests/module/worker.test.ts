// The asynchronous entrance: aborts, lost Workers, fallback, what is copied and what changes hands.
import { createRuntime, HeadwiseError, type Runtime } from 'headwise'
import { afterEach, describe, expect, test, vi } from 'vitest'

import './support/runtimes.js'
import { noise } from './support/tensors.js'

const small = noise([1, 2, 8, 4])
/** Some seconds of work, in many slices. */
const large = noise([1, 8, 6144, 64])
const largeLatents = {
  queryNope: large,
  queryRope: noise([1, 8, 6144, 16]),
  latent: noise([1, 6144, 96]),
  keyRope: noise([1, 6144, 16]),
  weights: { uk: noise([8, 96, 64]), uv: noise([8, 96, 64]) },
}

let hw: Runtime
afterEach(() => {
  hw.dispose()
})

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each([{ worker: undefined }, { worker: false as const }])('worker: $worker', (given) => {
  const open = async () => {
    hw = await createRuntime(given.worker === undefined ? {} : { worker: given.worker })
    return hw
  }

  test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ['attention', (signal) => hw.attention(large, large, large, { signal })],
    ['latentAttention', (signal) => hw.latentAttention(largeLatents, { signal })],
  ])('an aborted call of %s rejects with the reason before its work is done', async (_, run) => {
    await open()
    const abort = new AbortController()
    const call = errorOf(run(abort.signal))
    setTimeout(() => abort.abort(new Error('changed my mind')), 20)
    expect(await call).toEqual(new Error('changed my mind'))
    const { output } = await hw.attention(small, small, small)
    expect(output.dims).toEqual(small.dims)
    expect(hw.info.memory.used).toBe(0)
  })

  test('a signal that is aborted already keeps the call from starting', async () => {
    await open()
    const signal = AbortSignal.abort('no')
    expect(await errorOf(hw.attention(small, small, small, { signal }))).toBe('no')
  })

  test('arrays may be changed as soon as the call is made', async () => {
    await open()
    const value = { data: small.data.slice(), dims: small.dims }
    const before = await hw.attention(small, small, value)
    const call = hw.attention(small, small, value)
    value.data.fill(0)
    expect((await call).output.data).toEqual(before.output.data)
  })

  test('calls in flight together each get their own answer', async () => {
    await open()
    const inputs = [1, 2, 3, 4, 5].map((seed) => noise([1, 1, 4, 4], seed))
    const alone = []
    for (const input of inputs) alone.push(await hw.attention(input, input, input))
    const together = await Promise.all(inputs.map((input) => hw.attention(input, input, input)))
    expect(together).toEqual(alone)
  })

  test('after dispose every call rejects, and disposing again does nothing', async () => {
    await open()
    hw.dispose()
    hw.dispose()
    const error = await errorOf(hw.attention(small, small, small))
    expect(error).toMatchObject({ code: 'DISPOSED', argument: 'runtime' })
  })
})

test('calls in flight reject when the runtime is disposed', async () => {
  hw = await createRuntime()
  const call = errorOf(hw.attention(large, large, large))
  hw.dispose()
  expect(await call).toMatchObject({ code: 'DISPOSED' })
})

test('a lost Worker: calls and handles say so, the next stateless call works', async () => {
  hw = await createRuntime({ worker: new URL('./fixtures/dying-worker.mjs', import.meta.url) })
  const cache = await hw.createKeyValueCache({ batch: 1, kvHeads: 2, headDim: 4, capacity: 16 })
  const { output } = await hw.attention(small, small, small, { cache })
  expect(cache.length).toBe(8)

  const waiting = errorOf(hw.attention(large, large, large))
  const lost = await errorOf(cache.keys())
  expect(lost).toBeInstanceOf(HeadwiseError)
  expect(lost).toMatchObject({ code: 'WORKER_LOST' })
  expect(await waiting).toMatchObject({ code: 'WORKER_LOST' })
  expect(await errorOf(cache.values())).toMatchObject({ code: 'WORKER_LOST' })
  expect(await errorOf(hw.attention(small, small, small, { cache }))).toMatchObject({
    code: 'WORKER_LOST',
  })

  const again = await hw.attention(small, small, small)
  expect(again.output.data).toEqual(output.data)
})

test('a Worker that cannot start falls back to this thread with one warning', async () => {
  const onWarning = vi.fn()
  hw = await createRuntime({ worker: new URL('./no-such-file.js', import.meta.url), onWarning })
  expect((await hw.attention(small, small, small)).output.dims).toEqual(small.dims)
  expect(onWarning).toHaveBeenCalledTimes(1)
  expect(onWarning.mock.calls[0]?.[0]).toContain('no Worker could be started')
})

test('transfer hands over arrays that fill their buffer, and copies views', async () => {
  hw = await createRuntime()
  const expected = await hw.attention(small, small, small)
  const query = { data: small.data.slice(), dims: small.dims }
  const buffer = new Float32Array(small.data.length + 1)
  buffer.set(small.data, 1)
  const key = { data: buffer.subarray(1), dims: small.dims }
  const { output } = await hw.attention(query, key, key, { transfer: true })
  expect(output.data).toEqual(expected.output.data)
  expect(query.data.length).toBe(0)
  expect(key.data.length).toBe(small.data.length)
})

test('shared memory is read in place', async () => {
  hw = await createRuntime()
  const expected = await hw.attention(small, small, small)
  const shared = new Float32Array(new SharedArrayBuffer(small.data.byteLength))
  shared.set(small.data)
  const tensor = { data: shared, dims: small.dims }
  const { output } = await hw.attention(tensor, tensor, tensor)
  expect(output.data).toEqual(expected.output.data)
})

test('a tensor object of another library passes as it is', async () => {
  hw = await createRuntime()
  class ForeignTensor {
    readonly type = 'float32'
    get data() {
      return small.data
    }
    get dims() {
      return small.dims
    }
  }
  const foreign = new ForeignTensor()
  const { output } = await hw.attention(foreign, foreign, foreign)
  expect(output.data).toEqual((await hw.attention(small, small, small)).output.data)
})
