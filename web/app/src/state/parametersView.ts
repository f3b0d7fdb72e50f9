// What chapter 5 shows, as a part of the view, and its form in the address. Everything has bounds:
// a link that somebody mistyped still opens the chapter. Pure.
import { divisorBelow } from './divisors'

/** What an ablation over h states besides its shape; empty where the reader has not said it. */
export interface AblationView {
  /** Numbers of heads that are compared, as typed. */
  compared: string
  optimiser: string
  rate: string
  /** One learning rate for all, or one tuned for each h. */
  tuned: '' | 'same' | 'each'
  budget: string
  seeds: string
}

export interface ParametersView {
  /** d_model */
  width: number
  /** h */
  heads: number
  /** d_k where it is fixed; null stands for d_model / h. */
  size: number | null
  /** Heads of keys and values; null stands for as many as h. */
  kvHeads: number | null
  /** Keys and values from one latent (MLA). */
  latent: boolean
  bias: boolean
  /** For the methods sentence. */
  layers: number
  dropout: number
  ablation: AblationView
}

export const largestWidth = 65_536

export const defaultParameters: ParametersView = {
  width: 512,
  heads: 8,
  size: null,
  kvHeads: null,
  latent: false,
  bias: false,
  layers: 6,
  dropout: 0.1,
  ablation: {
    compared: '1, 2, 4, 8, 16',
    optimiser: '',
    rate: '',
    tuned: '',
    budget: '',
    seeds: '',
  },
}

/** An integer from 1 to `most`. */
export function sizeFrom<T>(text: string | null, most: number, otherwise: T): number | T {
  if (text === null || !/^\d{1,5}$/.test(text)) return otherwise
  const value = Number(text)
  return value >= 1 && value <= most ? value : otherwise
}

/** A share from 0 to below 1, with at most three decimals. */
export function dropoutFrom(text: string | null, otherwise: number): number {
  return text !== null && /^0(\.\d{1,3})?$/.test(text) ? Number(text) : otherwise
}

/** Heads can share keys and values in equal groups only: the next smaller number of them. */
function kvHeadsFor(heads: number, kvHeads: number | null): number | null {
  const possible = divisorBelow(heads, kvHeads ?? heads)
  return possible === heads ? null : possible
}

const longestEntry = 80
const entry = (text: string | null): string => (text ?? '').slice(0, longestEntry)

export function parseParameters(given: URLSearchParams): ParametersView {
  const { width, layers, dropout, ablation } = defaultParameters
  const heads = sizeFrom(given.get('heads'), largestWidth, defaultParameters.heads)
  const tuned = given.get('tuned')
  return {
    width: sizeFrom(given.get('width'), largestWidth, width),
    heads,
    size: sizeFrom(given.get('size'), largestWidth, null),
    kvHeads: kvHeadsFor(heads, sizeFrom(given.get('kv'), largestWidth, null)),
    latent: given.get('latent') === '1',
    bias: given.get('bias') === '1',
    layers: sizeFrom(given.get('layers'), 999, layers),
    dropout: dropoutFrom(given.get('dropout'), dropout),
    ablation: {
      compared: given.has('compared') ? entry(given.get('compared')) : ablation.compared,
      optimiser: entry(given.get('optimiser')),
      rate: entry(given.get('rate')),
      tuned: tuned === 'same' || tuned === 'each' ? tuned : '',
      budget: entry(given.get('budget')),
      seeds: entry(given.get('seeds')),
    },
  }
}

/** Width and heads always where the chapter is open; the rest where it differs from the default. */
export function writeParameters(view: ParametersView, open: boolean, query: URLSearchParams): void {
  const { ablation } = defaultParameters
  const put = (name: string, value: string | number, usual: string | number): void => {
    if (value !== usual) query.set(name, String(value))
  }
  put('width', view.width, open ? '' : defaultParameters.width)
  put('heads', view.heads, open ? '' : defaultParameters.heads)
  put('size', view.size ?? '', '')
  put('kv', kvHeadsFor(view.heads, view.kvHeads) ?? '', '')
  put('latent', Number(view.latent), 0)
  put('bias', Number(view.bias), 0)
  put('layers', view.layers, defaultParameters.layers)
  put('dropout', view.dropout, defaultParameters.dropout)
  put('compared', view.ablation.compared, ablation.compared)
  put('optimiser', view.ablation.optimiser, '')
  put('rate', view.ablation.rate, '')
  put('tuned', view.ablation.tuned, '')
  put('budget', view.ablation.budget, '')
  put('seeds', view.ablation.seeds, '')
}
