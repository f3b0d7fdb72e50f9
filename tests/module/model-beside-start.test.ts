// The option `model` of createRuntime: a model that is loaded while the runtime starts.
import { createRuntime, HeadwiseError, type Runtime } from 'headwise'
import { afterEach, describe, expect, test } from 'vitest'

import './support/runtimes.js'
import { noise } from './support/tensors.js'

const source = new URL('../../web/models/minilm-l6/', import.meta.url)
const text = 'The cat sat on the mat because it was tired'
const pattern = 'blocks.3.attn.hook_pattern'
const small = noise([1, 2, 8, 4])

let hw: Runtime
afterEach(() => {
  hw.dispose()
})

async function errorOf(promise: Promise<unknown> | undefined): Promise<unknown> {
  return promise?.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each([{ where: {} }, { where: { worker: false as const } }])('$where', ({ where }) => {
  test.each([true, false])(
    'it is the one that loadModel gives, streaming: %s',
    async (streaming) => {
      const files = new Set<string>()
      const onProgress = ({ file }: { file: string }) => files.add(file)
      hw = await createRuntime({ ...where, model: { source, streaming, onProgress } })
      const model = await hw.model
      const run = await model?.run(text, { names: [pattern] })
      await model?.whenLoaded()
      expect(model?.loaded.complete).toBe(true)
      expect(files).toContain('model.safetensors')
      const other = await hw.loadModel(source)
      const expected = await other.run(text, { names: [pattern] })
      expect(run?.cache.get(pattern)).toEqual(expected.cache.get(pattern))
    },
  )

  test('one that cannot be had rejects; the runtime is there', async () => {
    const missing = new URL('no-such-folder/', source)
    hw = await createRuntime({ ...where, model: { source: missing } })
    const error = await errorOf(hw.model)
    expect(error).toBeInstanceOf(HeadwiseError)
    expect(error).toMatchObject({ code: 'NETWORK' })
    expect((await hw.attention(small, small, small)).output.dims).toEqual(small.dims)
    const model = await hw.loadModel(source)
    expect(model.loaded.complete).toBe(true)
  })

  test('its options are judged as those of loadModel', async () => {
    const model = { source, dtype: 'int4' as 'int8' }
    hw = await createRuntime({ ...where, model })
    expect(await errorOf(hw.model)).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'dtype' })
  })

  test('its signal stops it, and nothing else', async () => {
    const abort = new AbortController()
    const opening = createRuntime({ ...where, model: { source, signal: abort.signal } })
    abort.abort(new Error('another page'))
    hw = await opening
    expect(await errorOf(hw.model)).toEqual(new Error('another page'))
    expect(hw.info.memory.used).toBe(0)
    expect((await hw.attention(small, small, small)).output.dims).toEqual(small.dims)
  })

  test('without the option there is none', async () => {
    hw = await createRuntime(where)
    expect(hw.model).toBeUndefined()
  })
})

test('what is no source with options is refused', async () => {
  hw = await createRuntime()
  for (const model of ['./models/minilm-l6', {}, null, 3]) {
    const error = await errorOf(createRuntime({ model: model as never }))
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'model' })
  }
})
