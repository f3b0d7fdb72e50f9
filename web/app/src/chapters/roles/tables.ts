// The figures of chapter 7 as data. Pure.
import type { CoreferenceScores, HeadRoles } from 'headwise'
import type { DataTable, Header } from '../../export/table'
import { boundOf, measureIds, shapeOf, type Badge } from './badges'
import type { ExampleLine } from './examples'

export function badgesTable(header: Header, badges: readonly Badge[]): DataTable {
  return {
    header,
    columns: ['layer', 'head', 'role', 'direction', 'score', 'low', 'high', 'to_beat', 'n'],
    rows: badges.map((badge) => [
      badge.layer,
      badge.head,
      badge.role,
      badge.kind === 'relation' ? directionOf(badge.upward) : '',
      badge.score,
      badge.low,
      badge.high,
      badge.baseline,
      badge.n,
    ]),
  }
}

const directionOf = (upward: boolean): string =>
  upward ? 'dependent-to-head' : 'head-to-dependent'

export const relationColumns = [
  'role',
  'direction',
  'layer',
  'head',
  'n_selection',
  'n_report',
  'selection',
  'score',
  'low',
  'high',
  'gain_low',
  'gain_high',
  'baseline_offset',
  'baseline',
] as const

/** One line for every role of every head, measured or not: relations, then what needs no labels. */
export function everyRow(roles: HeadRoles): (string | number)[][] {
  const { heads } = shapeOf(roles)
  const place = (index: number): [number, number] => [Math.floor(index / heads), index % heads]
  const relations = roles.relations.flatMap((scores) =>
    Array.from(scores.accuracy.data, (accuracy, index) => [
      scores.relation,
      scores.direction,
      ...place(index),
      scores.n.selection,
      scores.n.report,
      scores.selection.data[index] ?? NaN,
      accuracy,
      scores.low.data[index] ?? NaN,
      scores.high.data[index] ?? NaN,
      scores.gainLow.data[index] ?? NaN,
      scores.gainHigh.data[index] ?? NaN,
      scores.baseline.offset,
      scores.baseline.accuracy,
    ]),
  )
  const measures = measureIds.flatMap((measure) => {
    const { mean, error, rows } = roles.measures[measure]
    return Array.from(mean.data, (value, index) => {
      const spread = 1.96 * (error.data[index] ?? NaN)
      const interval = [value, value - spread, value + spread]
      const bound = boundOf(roles, measure)
      return [measure, 'rows', ...place(index), 0, rows, NaN, ...interval, NaN, NaN, NaN, bound]
    })
  })
  return [...relations, ...measures]
}

export const coreferenceColumns = [
  'layer',
  'head',
  'accuracy',
  'low',
  'high',
  'control',
  'excess_low',
  'excess_high',
  'most_attended',
  'weight',
  'other_weight',
] as const

export function coreferenceRows(scores: CoreferenceScores): number[][] {
  const [, heads = 1] = scores.accuracy.dims
  const columns = [
    scores.accuracy,
    scores.low,
    scores.high,
    scores.control,
    scores.excessLow,
    scores.excessHigh,
    scores.mostAttended,
    scores.weight,
    scores.otherWeight,
  ]
  return Array.from(scores.accuracy.data, (_, index) => [
    Math.floor(index / heads),
    index % heads,
    ...columns.map(({ data }) => data[index] ?? NaN),
  ])
}

export function examplesTable(header: Header, lines: readonly ExampleLine[]): DataTable {
  return {
    header,
    columns: ['sentence', 'from', 'looked', 'wanted', 'right'],
    rows: lines.map(({ text, from, looked, wanted, right }) => [
      text,
      from,
      looked,
      wanted,
      right ? 1 : 0,
    ]),
  }
}
