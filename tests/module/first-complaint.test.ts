// Several things wrong at once: every entrance complains of the same one. What is disposed comes
// first, then the arguments, then the signal.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { entrances, type AnyRuntime } from './support/runtimes.js'
import { smallBert } from './support/small-bert.js'
import { filled } from './support/tensors.js'

const one = filled([1, 1, 1, 1], 1)
const matrix = filled([1, 1], 1)
const layerOptions = {
  dModel: 1,
  numHeads: 1,
  weights: { query: matrix, key: matrix, value: matrix, output: matrix },
}
const latentOptions = {
  dModel: 1,
  numHeads: 1,
  nopeDim: 1,
  ropeDim: 0,
  valueHeadDim: 1,
  latentDim: 1,
  weights: {
    query: matrix,
    latent: matrix,
    uk: filled([1, 1, 1], 1),
    uv: filled([1, 1, 1], 1),
    output: matrix,
  },
}
const recurrentOptions = {
  weights: { input: matrix, hidden: matrix, bias: filled([1], 0) },
}
const latentInputs = {
  queryNope: one,
  queryRope: one,
  latent: filled([1, 1, 1], 1),
  keyRope: filled([1, 1, 1], 1),
  weights: { uk: filled([1, 1, 1], 1), uv: filled([1, 1, 1], 1) },
}

/** What a call may be given that is wrong. */
interface Extra {
  signal?: AbortSignal
  mistyped?: true
}
type Call = (extra: Extra) => unknown

/** Every call that takes a signal, by its name, on a runtime and on what it has made. */
async function callsOn(hw: AnyRuntime): Promise<{ calls: Record<string, Call>; made: Made }> {
  const layer = await hw.createMultiHeadAttention(layerOptions)
  const latent = await hw.createLatentAttention(latentOptions)
  const recurrent = await hw.createRecurrentLayer(recurrentOptions)
  const model = await hw.loadModel(smallBert())
  const x = filled([1, 1, 1], 1)
  const calls: Record<string, Call> = {
    attention: (extra) => hw.attention(one, one, one, extra),
    latentAttention: (extra) => hw.latentAttention(latentInputs, extra),
    createMultiHeadAttention: (extra) => hw.createMultiHeadAttention({ ...layerOptions, ...extra }),
    createLatentAttention: (extra) => hw.createLatentAttention({ ...latentOptions, ...extra }),
    createRecurrentLayer: (extra) => hw.createRecurrentLayer({ ...recurrentOptions, ...extra }),
    traceTiles: (extra) =>
      hw.traceTiles(matrix, matrix, matrix, { queryTile: 1, keyTile: 1, ...extra }),
    svd: (extra) => hw.svd(matrix, extra),
    principalComponents: (extra) => hw.principalComponents(filled([2, 1], 1), extra),
    principalAngles: (extra) => hw.principalAngles(filled([2, 1, 1], 1), undefined, extra),
    headSimilarity: (extra) => hw.headSimilarity(filled([2, 1, 1], 1), extra),
    lowRankFit: (extra) => hw.lowRankFit(matrix, { norm: 1, ...extra }),
    loadModel: (extra) => hw.loadModel(smallBert(), extra),
    'layer.forward': (extra) => layer.forward(x, extra),
    'latent.forward': (extra) => latent.forward(x, extra),
    'recurrent.forward': (extra) => recurrent.forward(x, extra),
    'model.run': (extra) => model.run('the cat', extra),
    'model.embed': (extra) => model.embed(['the cat'], extra),
    'model.weight': (extra) => model.weight(model.weightNames[0] ?? '', extra),
  }
  return { calls, made: { layer, latent, recurrent, model } }
}
type Made = Record<'layer' | 'latent' | 'recurrent' | 'model', { dispose(): void }>

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return undefined
}

const names = [
  'attention',
  'latentAttention',
  'createMultiHeadAttention',
  'createLatentAttention',
  'createRecurrentLayer',
  'traceTiles',
  'svd',
  'principalComponents',
  'principalAngles',
  'headSimilarity',
  'lowRankFit',
  'loadModel',
  'layer.forward',
  'latent.forward',
  'recurrent.forward',
  'model.run',
  'model.embed',
  'model.weight',
]
const signal = AbortSignal.abort('changed my mind')
const mistyped = true

describe.each(entrances)('$name', ({ open }) => {
  let hw: AnyRuntime
  let calls: Record<string, Call>
  beforeAll(async () => {
    hw = await open()
    ;({ calls } = await callsOn(hw))
  })
  afterAll(() => hw.dispose())
  const call = (name: string, extra: Extra) => errorOf(() => calls[name]?.(extra))

  test('these are all the calls', () => {
    expect(Object.keys(calls)).toEqual(names)
  })

  test.each(names)('%s: an aborted signal is its reason', async (name) => {
    expect(await call(name, { signal })).toBe('changed my mind')
    expect(await call(name, {})).toBeUndefined()
  })

  test.each(names)('%s: a mistyped option before the signal', async (name) => {
    expect(await call(name, { signal, mistyped })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'options.mistyped',
    })
  })

  test('what is disposed before everything else', async () => {
    const own = await open()
    const { calls: late, made } = await callsOn(own)
    for (const name of ['layer', 'latent', 'recurrent', 'model'] as const) made[name].dispose()
    for (const name of names.filter((each) => each.includes('.'))) {
      expect(await errorOf(() => late[name]?.({ signal, mistyped })), name).toMatchObject({
        code: 'DISPOSED',
      })
    }
    own.dispose()
    for (const name of names) {
      expect(await errorOf(() => late[name]?.({ signal, mistyped })), name).toMatchObject({
        code: 'DISPOSED',
        argument: 'runtime',
      })
    }
  })
})
