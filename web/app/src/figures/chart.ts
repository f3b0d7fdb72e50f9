// A small chart as data: series of points over one axis, as lines or bars. What it holds, how its
// numbers are read out, and what goes into files; where it is drawn is chartScene.ts. Pure.
import type { DataTable, Header } from '../export/table'
import type { DataRow } from './types'

export interface ChartAxis {
  /** Name of the column in files. */
  id: string
  /** What is measured, with its unit; symbols such as d_k are set with their index. */
  name: string
  /** Logarithmic axes leave out what is not above 0. */
  kind?: 'linear' | 'log2' | 'log10'
  /** Ends; taken from the data where they are left out. */
  from?: number
  to?: number
  /** Where there are ticks, with their labels, in place of round numbers: names of tokens, say. */
  ticks?: readonly { value: number; label: string }[]
  /** How a value is written at a tick. */
  print: (value: number) => string
  /** How it is read out and stands in the table, where that is more exact. */
  printExact?: (value: number) => string
}

/** Colours come second: series also differ in dashes, dots, place and name. */
export type Tone = 'accent' | 'contribution' | 'query' | 'muted'

export interface ChartPoint {
  x: number
  /** NaN where nothing is known: a gap in a line, no bar. */
  y: number
}

export interface ChartSeries {
  /** Name of the column in files. */
  id: string
  name: string
  kind: 'line' | 'bar'
  tone: Tone
  /** In ascending order of x. */
  points: readonly ChartPoint[]
  dashed?: boolean
  /** A dot on every point of a line. */
  dots?: boolean
}

/** A thin line across the chart at a value that matters. */
export interface ChartRule {
  axis: 'x' | 'y'
  value: number
  name: string
}

export interface ChartData {
  /** What is seen, in a line. */
  title: string
  x: ChartAxis
  y: ChartAxis
  series: readonly ChartSeries[]
  rules?: readonly ChartRule[]
  /** Width of the bars at one place together, in units of x; 0.8 where it is left out. */
  barWidth?: number
  /** Of the picture, in pixels. */
  height?: number
}

/** Every x at which some series has a point, in ascending order. */
export function placesOf({ series }: ChartData): number[] {
  const all = series.flatMap(({ points }) => points.map(({ x }) => x))
  return [...new Set(all)].sort((a, b) => a - b)
}

/** The value of a series at exactly x; NaN where it has none. */
export function valueAt({ points }: ChartSeries, x: number): number {
  return points.find((point) => point.x === x)?.y ?? NaN
}

export function printX({ x: axis }: ChartData, x: number): string {
  const tick = axis.ticks?.find(({ value }) => value === x)
  return tick?.label ?? (axis.printExact ?? axis.print)(x)
}

export function printY({ y: axis }: ChartData, y: number): string {
  return Number.isNaN(y) ? '' : (axis.printExact ?? axis.print)(y)
}

/** What is known at one place, series by series. */
export function readingAt(data: ChartData, x: number): { name: string; value: string }[] {
  return data.series.flatMap((series) => {
    const value = printY(data, valueAt(series, x))
    return value === '' ? [] : [{ name: series.name, value }]
  })
}

/** Columns and rows of the table view. */
export function chartRows(
  data: ChartData,
  chosen: number | null,
): { columns: string[]; rows: DataRow[] } {
  return {
    columns: [data.x.name, ...data.series.map(({ name }) => name)],
    rows: placesOf(data).map((x, place) => ({
      id: place,
      chosen: x === chosen,
      cells: [printX(data, x), ...data.series.map((series) => printY(data, valueAt(series, x)))],
    })),
  }
}

/** The same numbers, unrounded, for files; labels of places stand in a column of their own. */
export function chartTable(data: ChartData, header: Header): DataTable {
  const labels = data.x.ticks
  return {
    header,
    columns: [
      data.x.id,
      ...(labels ? [`${data.x.id}_label`] : []),
      ...data.series.map(({ id }) => id),
    ],
    rows: placesOf(data).map((x) => [
      x,
      ...(labels ? [labels.find(({ value }) => value === x)?.label ?? ''] : []),
      ...data.series.map((series) => valueAt(series, x)),
    ]),
  }
}
