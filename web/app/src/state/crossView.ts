// What chapter 12 shows besides the text, as a part of the view, and its form in the address. Pure.
import { sizeFrom } from './parametersView'

/** Whose weights join the words: the chosen head's, the mean of its layer, the mean of all heads. */
export const joinIds = ['head', 'layer', 'all'] as const
export type JoinId = (typeof joinIds)[number]

/** 1 is greedy decoding. */
export const beamWidths = [1, 2, 4] as const

/** Written in place of the likeliest token of a step. */
export interface Choice {
  step: number
  id: number
}

/** The language model: what it continues, and how the next token is drawn. */
export interface NextView {
  prompt: string
  /** 0 takes the likeliest token. */
  temperature: number
  /** Null: all tokens. */
  topK: number | null
  topP: number
  seed: number
  /** Tokens to write. */
  length: number
  /** Keep keys and values of earlier tokens. */
  cache: boolean
  /** The token that is looked at; null stands for the first one. */
  at: number | null
}

export interface CrossView {
  layer: number
  head: number
  /** The English token whose row is looked at. */
  token: number
  /** The step that is looked at; null stands for the last one. */
  step: number | null
  choices: readonly Choice[]
  beams: number
  join: JoinId
  next: NextView
}

export const largestNextSeed = 9999
export const mostNextTokens = 120
export const hottest = 3
const mostTopK = 4096
/** Values that the slider has; null keeps all tokens. */
export const topKs = [1, 2, 3, 5, 10, 20, 40, 100, 400, null] as const
const longestPrompt = 2000
const mostChoices = 60

export const defaultNext: NextView = {
  prompt: 'The old house at the end of the road',
  temperature: 0.8,
  topK: 40,
  topP: 1,
  seed: 1,
  length: 32,
  cache: true,
  at: null,
}

export const defaultCross: CrossView = {
  layer: 1,
  head: 0,
  token: 1,
  step: null,
  choices: [],
  beams: 1,
  join: 'head',
  next: defaultNext,
}

/** A whole number from 0. */
function place<T>(text: string | null, otherwise: T): number | T {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : otherwise
}

/** A share or a temperature with at most two decimals. */
function decimalFrom(text: string | null, most: number, otherwise: number): number {
  const value = text !== null && /^\d(\.\d{1,2})?$/.test(text) ? Number(text) : otherwise
  return value <= most ? value : otherwise
}

/** `2.451_5.89`: step and token. */
function choicesFrom(text: string): Choice[] {
  const found = [...text.matchAll(/(\d{1,3})\.(\d{1,6})(?:_|$)/g)].slice(0, mostChoices)
  return found.map(([, step, id]) => ({ step: Number(step), id: Number(id) }))
}

/** Steps before the new choice stay; what came behind it was written after something else. */
export function choose(choices: readonly Choice[], choice: Choice): Choice[] {
  return [...choices.filter(({ step }) => step < choice.step), choice]
}

function parseNext(given: URLSearchParams): NextView {
  const { prompt, temperature, topK, topP, seed, length } = defaultNext
  return {
    prompt: (given.get('prompt') ?? prompt).slice(0, longestPrompt),
    temperature: decimalFrom(given.get('heat'), hottest, temperature),
    topK: given.get('topk') === 'all' ? null : sizeFrom(given.get('topk'), mostTopK, topK),
    topP: decimalFrom(given.get('topp'), 1, topP),
    seed: sizeFrom(given.get('dice'), largestNextSeed, seed),
    length: sizeFrom(given.get('write'), mostNextTokens, length),
    cache: given.get('kept') !== '0',
    at: place(given.get('at'), null),
  }
}

export function parseCross(given: URLSearchParams): CrossView {
  const { layer, head, token } = defaultCross
  return {
    layer: place(given.get('tlayer'), layer),
    head: place(given.get('thead'), head),
    token: place(given.get('ttoken'), token),
    step: place(given.get('tstep'), null),
    choices: choicesFrom(given.get('take') ?? ''),
    beams: beamWidths.find((each) => String(each) === given.get('beams')) ?? defaultCross.beams,
    join: joinIds.find((each) => each === given.get('join')) ?? defaultCross.join,
    next: parseNext(given),
  }
}

/** Layer and head always where the chapter is open; the rest where it differs from the default. */
export function writeCross(view: CrossView, open: boolean, query: URLSearchParams): void {
  const put = (name: string, value: string | number, usual: string | number): void => {
    if (value !== usual) query.set(name, String(value))
  }
  const { next } = view
  put('tlayer', view.layer, open ? '' : defaultCross.layer)
  put('thead', view.head, open ? '' : defaultCross.head)
  put('ttoken', view.token, defaultCross.token)
  put('tstep', view.step ?? '', '')
  put('take', view.choices.map(({ step, id }) => `${String(step)}.${String(id)}`).join('_'), '')
  put('beams', view.beams, defaultCross.beams)
  put('join', view.join, defaultCross.join)
  put('prompt', next.prompt, defaultNext.prompt)
  put('heat', next.temperature, defaultNext.temperature)
  put('topk', next.topK ?? 'all', defaultNext.topK ?? 'all')
  put('topp', next.topP, defaultNext.topP)
  put('dice', next.seed, defaultNext.seed)
  put('write', next.length, defaultNext.length)
  put('kept', Number(next.cache), 1)
  put('at', next.at ?? '', '')
}
