// The translator and the language model made here: activations and greedy decoding against NumPy
// float64 (tests/golden/small-models), and what cross-attention says of word alignment.
import { readFileSync } from 'node:fs'

import type { Tensor } from 'headwise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import {
  align,
  mergePieces,
  wordsOf,
  type Join,
  type Weights,
  type Words,
} from '../../web/app/src/chapters/cross/alignment.js'
import { SafetensorsReader } from '../../web/module/dist/model/safetensors.js'
import alignments from './support/alignments.json' with { type: 'json' }
import { core, type AnyRuntime } from './support/runtimes.js'

type Model = Awaited<ReturnType<AnyRuntime['loadModel']>>

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
    expect(got).toEqual(generated)
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

describe('word alignment by cross-attention, as chapter 12 joins words', () => {
  interface Sentence {
    english: Words
    french: Words
    /** By layer and head, all of one sentence. */
    maps: Weights[]
    /** French and English words, by their place in the sentence. */
    links: [row: number, column: number][]
  }
  const sentences: Sentence[] = []
  let model: Model
  beforeAll(async () => {
    model = await hw.loadModel(folderOf('translate-en-fr'))
    for (const { english, french, links } of alignments) {
      const [source, target] = [await wordsIn(english), await wordsIn(french)]
      const decoderIds = [...(model.config.generation?.startIds ?? []), ...target.ids].slice(0, -1)
      const { cache } = await model.run(english, {
        decoderIds,
        names: ['*cross_attn.hook_pattern'],
      })
      sentences.push({
        english: source.words,
        french: target.words,
        // Row i chooses token i of the French sentence.
        maps: cache.names.flatMap((name) => headsOf(cache.get(name))),
        links: links.map(([from = '', to = '']) => [placeOf(from, target), placeOf(to, source)]),
      })
    }
  })
  afterAll(() => model.dispose())

  async function wordsIn(text: string): Promise<{ ids: readonly number[]; words: Words }> {
    const { ids, tokens, spans } = await model.tokenizer.encode(text)
    const special = new Set(tokens.filter((_, place) => spans[place] === null))
    return { ids, words: wordsOf(tokens, (piece) => special.has(piece)) }
  }

  function placeOf(word: string, { words }: { words: Words }): number {
    const place = words.labels.indexOf(word)
    if (place < 0) throw new Error(`no word ${word} in ${words.labels.join(' ')}`)
    return place
  }

  function headsOf({ data, dims }: Tensor): Weights[] {
    const [, heads = 0, rows = 0, columns = 0] = dims
    return Array.from({ length: heads }, (_, head) => {
      const start = head * rows * columns
      return { values: data.slice(start, start + rows * columns), rows, columns }
    })
  }

  /** The share of the links that an alignment of every sentence has. */
  function rightOf(joinsOf: (sentence: Sentence) => readonly Join[]): number {
    let [right, all] = [0, 0]
    for (const sentence of sentences) {
      const column = new Map(joinsOf(sentence).map((join) => [join.row, join.column]))
      right += sentence.links.filter(([row, wanted]) => column.get(row) === wanted).length
      all += sentence.links.length
    }
    return right / all
  }

  test('the best head has 80 % of the content words, and more than the diagonal or a draw', () => {
    const heads = sentences[0]?.maps.map((_, head) =>
      rightOf(({ maps, french, english }) => {
        const map = maps[head]
        return map ? align(mergePieces(map, french, english), french, english) : []
      }),
    )
    const best = Math.max(...(heads ?? []))
    const diagonal = rightOf(({ french, english, links }) =>
      links.map(([row]) => {
        const place = ((row + 0.5) * english.labels.length) / french.labels.length
        return { row, column: Math.floor(place), weight: 1 }
      }),
    )
    // A uniform map prefers no word: it is right as often as a draw.
    const draws = sentences.flatMap(({ english, links }) =>
      links.map(() => 1 / (english.labels.length - english.special.size)),
    )
    const uniform = draws.reduce((sum, chance) => sum + chance, 0) / draws.length
    expect(best).toBeGreaterThanOrEqual(0.8)
    expect(diagonal).toBeLessThan(best)
    expect(uniform).toBeLessThan(diagonal)
  })
})
