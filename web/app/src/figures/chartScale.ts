// From values to places along an axis and back, and where its ticks stand. Pure.
import { max, min, nice, ticks } from 'd3-array'
import type { ChartAxis, ChartData } from './chart'

export interface Scale {
  /** 0 at the axis' start, 1 at its end; outside of it for what lies beyond, NaN for what has no place. */
  at: (value: number) => number
  ticks: readonly { value: number; label: string }[]
}

/** The scale of an axis; `room` is how many ticks there is room for. */
export function scaleOf(axis: ChartAxis, values: readonly number[], room: number): Scale {
  const kind = axis.kind ?? 'linear'
  return kind === 'linear'
    ? linearScale(axis, values, room)
    : logScale(axis, values, room, kind === 'log2' ? 2 : 10)
}

function linearScale(axis: ChartAxis, values: readonly number[], room: number): Scale {
  const known = values.filter(Number.isFinite)
  let [from, to] = [axis.from ?? min(known) ?? 0, axis.to ?? max(known) ?? 1]
  if (from === to) [from, to] = axis.from === undefined ? [from - 0.5, to + 0.5] : [from, from + 1]
  const [niceFrom, niceTo] = nice(from, to, room)
  const start = axis.from ?? niceFrom
  const end = axis.to ?? niceTo
  return {
    at: (value) => (value - start) / (end - start),
    ticks: axis.ticks ?? labelled(ticks(start, end, room), axis),
  }
}

function logScale(axis: ChartAxis, values: readonly number[], room: number, base: 2 | 10): Scale {
  const log = base === 2 ? Math.log2 : Math.log10
  const known = values.filter((value) => Number.isFinite(value) && value > 0)
  const from = log(axis.from ?? min(known) ?? 1)
  const to = log(axis.to ?? max(known) ?? base)
  // Whole powers at the ends that are not given.
  const start = axis.from === undefined ? Math.floor(from + 1e-9) : from
  const wanted = axis.to === undefined ? Math.ceil(to - 1e-9) : to
  const end = wanted > start ? wanted : start + 1
  return {
    at: (value) => (value > 0 ? (log(value) - start) / (end - start) : NaN),
    ticks: axis.ticks ?? labelled(powers(start, end, room, base), axis),
  }
}

/** Powers of the base, some left out where there is no room; 2 and 5 times ten's where they are few. */
function powers(start: number, end: number, room: number, base: 2 | 10): number[] {
  const first = Math.ceil(start - 1e-9)
  const last = Math.floor(end + 1e-9)
  const step = Math.max(1, Math.ceil((last - first) / room))
  const count = Math.max(0, Math.floor((last - first) / step) + 1)
  const whole = Array.from({ length: count }, (_, place) => base ** (first + place * step))
  if (base !== 10 || count > room / 3) return whole
  const between = Array.from({ length: last - first + 2 }, (_, place) => first - 1 + place)
  return between
    .flatMap((power) => [1, 2, 5].map((times) => times * 10 ** power))
    .filter((value) => Math.log10(value) >= start - 1e-9 && Math.log10(value) <= end + 1e-9)
}

function labelled(values: readonly number[], axis: ChartAxis): { value: number; label: string }[] {
  return values.map((value) => ({ value, label: axis.print(value) }))
}

/** Every value the y axis has to hold: bars and rules too. */
export function heightsOf({ series, rules = [], y }: ChartData): number[] {
  const bars = series.some(({ kind }) => kind === 'bar') && (y.kind ?? 'linear') === 'linear'
  return [
    ...series.flatMap(({ points }) => points.map((point) => point.y)),
    ...rules.flatMap(({ axis, value }) => (axis === 'y' ? [value] : [])),
    ...(bars ? [0] : []),
  ]
}

/** Every value the x axis has to hold: bars with their whole width. */
export function widthsOf(data: ChartData): number[] {
  const half = data.series.some(({ kind }) => kind === 'bar') ? (data.barWidth ?? 0.8) / 2 : 0
  const places = data.series.flatMap(({ points }) => points.map(({ x }) => x))
  return places.flatMap((x) => (half === 0 ? [x] : [x - half, x + half]))
}
