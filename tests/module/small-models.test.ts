// The translator and the language model made here: activations and greedy decoding against NumPy
// float64 (tests/golden/small-models), and what cross-attention says of word alignment.
import { readFileSync } from 'node:fs'

import type { Encoding, Model, Tensor } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { SafetensorsReader } from '../../web/module/dist/model/safetensors.js'
import alignments from './support/alignments.json' with { type: 'json' }
import { core, type AnyRuntime } from './support/runtimes.js'

const tolerance = 2e-5
const folderOf = (name: string) => new URL(`../../web/models/${name}/`, import.meta.url)
const golden = new URL('../golden/small-models/', import.meta.url)

interface Continuation {
  text: string
  ids: number[]
  generated: number[]
  said: string
}

function readTensors(
  name: string,
): Map<string, { dims: number[]; data: Float32Array | Int32Array }> {
  const reader = new SafetensorsReader(name)
  const tensors = new Map<string, { dims: number[]; data: Float32Array | Int32Array }>()
  const file = readFileSync(new URL(`${name}.safetensors`, golden))
  for (const { name: own, dtype, dims, bytes } of reader.push(file)) {
    const data = dtype === 'I32' ? new Int32Array(bytes.buffer) : new Float32Array(bytes.buffer)
    tensors.set(own, { dims, data })
  }
  reader.end()
  return tensors
}

/** How far values are from the golden ones, as a share of what is above 1; hidden scores are -inf. */
function largestDifference(got: Float32Array, expected: ArrayLike<number>): number {
  return got.reduce((most, value, i) => {
    const wanted = expected[i] ?? NaN
    if (value === wanted) return most
    return Math.max(most, Math.abs(value - wanted) / Math.max(1, Math.abs(wanted)))
  }, 0)
}

let hw: AnyRuntime
beforeAll(async () => {
  hw = await core.open()
})
afterAll(() => hw.dispose())

describe.each(['translate-en-fr', 'novels-lm'])('%s in float32', (name) => {
  let model: Model
  beforeAll(async () => {
    model = await hw.loadModel(folderOf(name), { dtype: 'float32' })
  })
  afterAll(() => model.dispose())

  test('every activation is the golden one', async () => {
    const tensors = readTensors(name)
    const hooks = [...tensors.keys()].filter((key) => key.includes('hook_'))
    const [ids, decoderIds] = ['ids', 'decoder_ids'].map((key) => tensors.get(key)?.data)
    const { cache } = await model.run(
      { ids: [...(ids ?? [])] },
      { names: ['*'], ...(decoderIds && { decoderIds: [...decoderIds] }) },
    )
    expect([...cache.names].sort()).toEqual(hooks.sort())
    for (const hook of hooks) {
      const [got, expected] = [cache.get(hook), tensors.get(hook)]
      expect(got.dims, hook).toEqual(expected?.dims)
      expect(largestDifference(got.data, expected?.data ?? []), hook).toBeLessThanOrEqual(tolerance)
    }
  })

  const continuations = JSON.parse(
    readFileSync(new URL(`${name}.json`, golden), 'utf8'),
  ) as Continuation[]

  test.each(continuations)('greedy, token for token: $text', async ({ text, ids, generated }) => {
    expect([...(await model.tokenizer.encode(text)).ids]).toEqual(ids)
    const got: number[] = []
    const options = { maxTokens: generated.length }
    for await (const { id } of model.generate(text, options)) got.push(id)
    // The end token is the last of the golden ones, where there was an end.
    const ends = model.config.generation?.endIds ?? []
    expect(got).toEqual(generated.filter((id) => !ends.includes(id)))
  })

  test('causal maps are exactly 0 in the future; every row of every map sums to 1', async () => {
    const isPair = model.config.kind === 'encoder-decoder'
    const text = 'The cat sleeps on the chair.'
    const { ids } = await model.tokenizer.encode(text)
    const decoderIds = [...(model.config.generation?.startIds ?? []), ...ids]
    const options = { names: ['*hook_pattern'], ...(isPair && { decoderIds }) }
    const { cache } = await model.run(text, options)
    const { numLayers, decoderLayers } = model.config
    expect(cache.names).toHaveLength(isPair ? numLayers + 2 * decoderLayers : numLayers)
    for (const hook of cache.names) {
      const isCausal = /^(blocks|decoder\.\d+\.attn|decoder\.blocks\.\d+\.attn)/.test(hook)
      checkRows(cache.get(hook), isCausal)
    }
  })
})

function checkRows({ data, dims }: Tensor, isCausal: boolean): void {
  const [queries = 0, keys = 0] = dims.slice(-2)
  for (let row = 0; row < data.length / keys; row++) {
    const weights = [...data.subarray(row * keys, (row + 1) * keys)]
    expect(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1)).toBeLessThan(1e-5)
    const future = isCausal ? weights.slice((row % queries) + 1) : []
    expect(future.every((weight) => weight === 0)).toBe(true)
  }
}

/** The positions of the tokens that share a letter with the first `word` in `text`. */
function positionsOf(word: string, text: string, { spans }: Encoding): number[] {
  const from = text.indexOf(word)
  if (from < 0) throw new Error(`no ${word} in ${text}`)
  const to = from + word.length
  const found = spans.flatMap((span, position) => {
    const [start, end] = span ?? [0, 0]
    return end > start && start < to && end > from ? [position] : []
  })
  if (found.length === 0) throw new Error(`no token of ${word} in ${text}`)
  return found
}

describe('word alignment by cross-attention', () => {
  const links: { english: number[]; queries: number[]; words: number[][]; rows: number }[] = []
  const maps: Tensor[][] = []
  let model: Model
  beforeAll(async () => {
    model = await hw.loadModel(folderOf('translate-en-fr'))
    for (const { english, french, links: pairs } of alignments) {
      const [source, target] = [
        await model.tokenizer.encode(english),
        await model.tokenizer.encode(french),
      ]
      const decoderIds = [...(model.config.generation?.startIds ?? []), ...target.ids].slice(0, -1)
      const run = await model.run(english, { decoderIds, names: ['*cross_attn.hook_pattern'] })
      const words = [...english.matchAll(/[\p{L}\p{N}]+/gu)].map((match) =>
        positionsOf(match[0], english, source),
      )
      maps.push(run.cache.names.map((name) => run.cache.get(name)))
      for (const [from = '', to = ''] of pairs) {
        links.push({
          english: positionsOf(to, english, source),
          // Row i chooses token i of the French sentence: the row before the one that reads it.
          queries: positionsOf(from, french, target),
          words,
          rows: maps.length - 1,
        })
      }
    }
  })
  afterAll(() => model.dispose())

  test('the best head agrees with at least 80 % of the content words; uniform and diagonal do not', () => {
    const first = maps[0] ?? []
    const scores: number[] = []
    for (const [layer, { dims }] of first.entries()) {
      for (let head = 0; head < (dims[1] ?? 0); head++)
        scores.push(agreement(weightOf(layer, head)))
    }
    const best = Math.max(...scores)
    const diagonal = agreement((link, key) => {
      const { dims } = maps[link.rows]?.[0] ?? { dims: [] }
      const [queries = 1, keys = 1] = dims.slice(-2)
      return -Math.abs(((link.queries[0] ?? 0) + 0.5) / queries - (key + 0.5) / keys)
    })
    // A uniform map prefers no word: it is right as often as a draw.
    const uniform = links.reduce((sum, { words }) => sum + 1 / words.length, 0) / links.length
    console.log({ best, diagonal, uniform, links: links.length })
    expect(best).toBeGreaterThanOrEqual(0.8)
    expect(diagonal).toBeLessThan(best)
    expect(uniform).toBeLessThan(best)
  })

  type Weight = (link: (typeof links)[number], key: number) => number

  function weightOf(layer: number, head: number): Weight {
    return ({ queries, rows }, key) => {
      const { data, dims } = maps[rows]?.[layer] ?? { data: new Float32Array(), dims: [] }
      const [, , height = 0, width = 0] = dims
      return queries.reduce((sum, row) => sum + (data[(head * height + row) * width + key] ?? 0), 0)
    }
  }

  /** The share of links whose French word has its largest weight on the right English word. */
  function agreement(weight: Weight): number {
    const right = links.filter((link) => {
      const of = (positions: readonly number[]) =>
        Math.max(...positions.map((position) => weight(link, position)))
      const others = link.words.filter((word) => word[0] !== link.english[0])
      return others.every((word) => of(word) < of(link.english))
    })
    return right.length / links.length
  }
})
