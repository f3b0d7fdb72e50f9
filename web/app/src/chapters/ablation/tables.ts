// The long measurements of chapter 8 as data. Pure.
import type { HeadImportance, PruningCurve, PruningCurves } from 'headwise'

export const importanceColumns = [
  'attention',
  'head',
  'change',
  'low',
  'high',
  'selection',
  'exact_match_change',
] as const

export function importanceRows(ranks: HeadImportance): (string | number)[][] {
  const { attentions, change, low, high, selection, exactMatch } = ranks
  const [, heads = 1] = change.dims
  return Array.from(change.data, (value, index) => [
    attentions[Math.floor(index / heads)] ?? '',
    index % heads,
    value,
    low.data[index] ?? NaN,
    high.data[index] ?? NaN,
    selection.data[index] ?? NaN,
    exactMatch?.change.data[index] ?? NaN,
  ])
}

export const pruningColumns = [
  'curve',
  'gone',
  'loss',
  'change_low',
  'change_high',
  'accuracy',
  'exact_match',
  'kept_head',
] as const

/** One line for each point of each curve, then attentions without all or all but one of their heads. */
export function pruningRows(curves: PruningCurves): (string | number)[][] {
  const { attentions, importance, random, greedy, layers, keepOne } = curves
  const points = (name: string, curve: PruningCurve): (string | number)[][] =>
    Array.from(curve.pruned, (gone, place) => [
      name,
      gone,
      curve.loss[place] ?? NaN,
      curve.changeLow[place] ?? NaN,
      curve.changeHigh[place] ?? NaN,
      curve.accuracy[place] ?? NaN,
      curve.exactMatch?.[place] ?? NaN,
      '',
    ])
  const perLayer = (
    name: string,
    of: PruningCurves['layers'],
    kept: (layer: number) => string | number,
  ): (string | number)[][] =>
    Array.from(of.loss, (loss, layer) => [
      `${name} ${attentions[layer] ?? ''}`,
      '',
      loss,
      of.changeLow[layer] ?? NaN,
      of.changeHigh[layer] ?? NaN,
      of.accuracy[layer] ?? NaN,
      of.exactMatch?.[layer] ?? NaN,
      kept(layer),
    ])
  return [
    ...points('importance', importance),
    ...random.flatMap((curve, place) => points(`random ${String(place)}`, curve)),
    ...(greedy ? points('greedy', greedy) : []),
    ...perLayer('all of', layers, () => ''),
    ...perLayer('all but one of', keepOne, (layer) => keepOne.head[layer] ?? ''),
  ]
}
