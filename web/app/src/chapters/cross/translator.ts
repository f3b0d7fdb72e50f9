// Asks the translator: its tokens of a sentence, what could come next, and the weights of every head
// in the three places where it attends. Knows the model, and nothing of what is shown.
import type { Candidate, Encoding, Model } from 'headwise'
import type { Weights } from './alignment'
import type { Ends, Next } from './decoding'

/** Where the translator attends. */
export const places = ['encoder', 'decoder', 'cross'] as const
export type PlaceId = (typeof places)[number]

/** Candidates of each step that are shown. */
export const shownCandidates = 8

/** A sentence without end is no sentence: so many tokens for each of the source, and some. */
const stepsFor = (length: number): number => 2 * length + 8

export interface Source extends Encoding {
  text: string
  /** Tokens at the end that the model cannot take. */
  left: number
}

/** Tokens of the sentence; what the model cannot take is cut, its closing token kept. */
export async function sourceOf(model: Model, text: string, signal: AbortSignal): Promise<Source> {
  const encoding = await model.tokenizer.encode(text, undefined, { signal })
  const { maxPositions } = model.config
  const most = maxPositions > 0 ? maxPositions : Infinity
  const left = Math.max(0, encoding.ids.length - most)
  const keep = <T>(all: readonly T[]): readonly T[] =>
    left === 0 ? all : [...all.slice(0, most - 1), ...all.slice(-1)]
  return {
    text,
    left,
    ids: keep(encoding.ids),
    tokens: keep(encoding.tokens),
    spans: keep(encoding.spans),
    typeIds: keep(encoding.typeIds),
  }
}

export function endsOf({ config }: Model, { ids }: Source): Ends {
  const { startIds = [], endIds = [] } = config.generation ?? {}
  const room = config.maxPositions > 0 ? config.maxPositions - startIds.length : Infinity
  return { start: startIds, end: endIds, most: Math.min(stepsFor(ids.length), room) }
}

/** What the decoder could write, remembered: going back and forth asks the model nothing twice. */
export function nextFor(model: Model, { ids }: Source): Next {
  const known = new Map<string, readonly Candidate[]>()
  return async (decoderIds, signal) => {
    const key = decoderIds.join(' ')
    const before = known.get(key)
    if (before) return before
    const options = { decoderIds, candidates: shownCandidates, maxTokens: 1, signal }
    for await (const { candidates = [] } of model.generate(ids, options)) known.set(key, candidates)
    return known.get(key) ?? []
  }
}

const nameOf = (place: PlaceId, layer: number): string => {
  const stack = place === 'encoder' ? 'encoder' : 'decoder'
  return `${stack}.${String(layer)}.${place === 'cross' ? 'cross_attn' : 'attn'}.hook_pattern`
}

export const layersOf = ({ config }: Model, place: PlaceId): number =>
  place === 'encoder' ? config.numLayers : config.decoderLayers

/** Every map of one sentence and its translation: by place, layer and head. */
export type Maps = Readonly<Record<PlaceId, readonly (readonly Weights[])[]>>

/** Runs both texts once; row t of the decoder's maps is the step that writes token t. */
export async function mapsOf(
  model: Model,
  source: Source,
  written: readonly number[],
  signal: AbortSignal,
): Promise<Maps> {
  const { start } = endsOf(model, source)
  const decoderIds = [...start, ...written.slice(0, -1)]
  const layers = (place: PlaceId) => Array.from({ length: layersOf(model, place) }, (_, at) => at)
  const names = places.flatMap((place) => layers(place).map((layer) => nameOf(place, layer)))
  const run = await model.run({ ids: source.ids }, { decoderIds, names, output: false, signal })
  const of = (place: PlaceId) =>
    layers(place).map((layer) => headsOf(run.cache.get(nameOf(place, layer))))
  return { encoder: of('encoder'), decoder: of('decoder'), cross: of('cross') }
}

/** [1, heads, rows, columns], a map for each head. */
function headsOf({ data, dims }: { data: Float32Array; dims: readonly number[] }): Weights[] {
  const [, heads = 0, rows = 0, columns = 0] = dims
  const cells = rows * columns
  return Array.from({ length: heads }, (_, head) => ({
    values: data.subarray(head * cells, (head + 1) * cells),
    rows,
    columns,
  }))
}
