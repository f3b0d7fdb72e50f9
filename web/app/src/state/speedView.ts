// What chapter 11 shows, as a part of the view, and its form in the address. Pure.

import { sizeFrom } from './parametersView'

export interface SpeedView {
  /** Queries and keys in a tile. */
  queryTile: number
  keyTile: number
  /** Tiles that have been worked through. */
  step: number
  causal: boolean
  /** Positions in the benchmark of the device. */
  length: number
  /** A result of the benchmark as a link carries it; empty where there is none. */
  result: string
}

export const benchLengths = [128, 256, 512, 1024, 2048] as const

const largestTile = 512
const mostSteps = 9999
/** Longer ones are no results of ours. */
const longestResult = 1000

export const defaultSpeed: SpeedView = {
  queryTile: 4,
  keyTile: 4,
  step: 5,
  causal: false,
  length: 512,
  result: '',
}

export function parseSpeed(given: URLSearchParams): SpeedView {
  const { queryTile, keyTile, step, length } = defaultSpeed
  const wanted = Number(given.get('n'))
  const result = given.get('result') ?? ''
  return {
    queryTile: sizeFrom(given.get('tileq'), largestTile, queryTile),
    keyTile: sizeFrom(given.get('tilek'), largestTile, keyTile),
    step: given.get('step') === '0' ? 0 : sizeFrom(given.get('step'), mostSteps, step),
    causal: given.get('causal') === '1',
    length: benchLengths.find((each) => each === wanted) ?? length,
    result: result.length <= longestResult && /^[\w.-]*$/.test(result) ? result : '',
  }
}

/** Tiles and step always where the chapter is open; the rest where it differs from the default. */
export function writeSpeed(view: SpeedView, open: boolean, query: URLSearchParams): void {
  const put = (name: string, value: string | number, usual: string | number): void => {
    if (value !== usual) query.set(name, String(value))
  }
  put('tileq', view.queryTile, open ? '' : defaultSpeed.queryTile)
  put('tilek', view.keyTile, open ? '' : defaultSpeed.keyTile)
  put('step', view.step, open ? '' : defaultSpeed.step)
  put('causal', Number(view.causal), 0)
  put('n', view.length, defaultSpeed.length)
  put('result', view.result, '')
}
