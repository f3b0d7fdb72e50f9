// The measurements of chapter 11 as charts: time as the text grows, speed against FLOP per byte, and
// memory as the text grows. Pure.
import type { ChartData, ChartPoint, ChartSeries } from '../../figures/chart'
import type { DepthResult, GrowthResult, RoofPointId, RoofResult } from './measure/results'
import { gigaflops, operandBytes } from './measure/shapes'
import { bytesText, milliseconds } from './words'

const whole = (value: number): string => value.toLocaleString('en-US')
/** 0.5, 2, 64: no more digits than an axis needs. */
const short = (value: number): string => String(Number(value.toPrecision(3)))

export interface DepthWords {
  title: string
  length: string
  time: string
  recurrent: string
  attention: string
  parallel: (threads: string) => string
}

export function depthChart({ lines, threads }: DepthResult, words: DepthWords): ChartData {
  const of = (id: 'recurrent' | 'attention' | 'parallel'): ChartSeries['points'] =>
    lines.map((line) => ({ x: line.length, y: line[id]?.median ?? NaN }))
  const parallel: ChartSeries[] =
    threads > 1
      ? [
          {
            ...{ id: 'attention_threads_ms', kind: 'line', tone: 'contribution', dots: true },
            name: words.parallel(String(threads)),
            points: of('parallel'),
          },
        ]
      : []
  return {
    title: words.title,
    x: { id: 'positions', name: words.length, kind: 'log2', print: whole },
    y: {
      ...{ id: 'ms', name: words.time, kind: 'log10' },
      print: (value) => short(value),
      printExact: milliseconds,
    },
    series: [
      {
        ...{ id: 'recurrent_ms', kind: 'line', tone: 'query', dots: true, dashed: true },
        name: words.recurrent,
        points: of('recurrent'),
      },
      {
        ...{ id: 'attention_ms', kind: 'line', tone: 'accent', dots: true },
        name: words.attention,
        points: of('attention'),
      },
      ...parallel,
    ],
    height: 280,
  }
}

export interface RoofWords {
  title: string
  intensity: string
  speed: string
  roof: string
  decode: string
  prefill: string
  points: Record<RoofPointId, string>
}

/** The roof from `least` to `most` FLOP per byte: bytes a second times those, up to the limit. */
export function roofPoints(
  limit: number,
  memory: number,
  least: number,
  most: number,
): ChartSeries['points'] {
  const corner = limit / memory
  return [least, corner, most]
    .filter((x, place) => place !== 1 || (corner > least && corner < most))
    .map((x) => ({ x, y: Math.min(limit, memory * x) }))
}

export const intensityOf = ({ flops, bytes }: RoofResult['points'][number]): number => flops / bytes

const measuredPoint = (point: RoofResult['points'][number]): ChartPoint => ({
  x: intensityOf(point),
  y: gigaflops(point.flops, point.time.median),
})

export function roofChart({ limits, points }: RoofResult, words: RoofWords): ChartData {
  const limit = Math.max(limits.relaxedMultiplyAdd ?? 0, limits.multiplyThenAdd)
  const [least, most] = [0.25, 512]
  return {
    title: words.title,
    x: {
      ...{ id: 'flop_per_byte', name: words.intensity, kind: 'log2', from: least, to: most },
      print: short,
    },
    y: {
      ...{ id: 'gflops', name: words.speed, kind: 'log10' },
      print: short,
      printExact: (value) => value.toFixed(1),
    },
    series: [
      {
        ...{ id: 'roof', kind: 'line', tone: 'muted', dashed: true },
        name: words.roof,
        points: roofPoints(limit, limits.memory, least, most),
      },
      {
        ...{ id: 'decode', kind: 'line', tone: 'accent', dots: true },
        name: words.decode,
        points: points.filter(({ id }) => id !== 'prefill').map(measuredPoint),
      },
      {
        ...{ id: 'prefill', kind: 'line', tone: 'contribution', dots: true },
        name: words.prefill,
        points: points.filter(({ id }) => id === 'prefill').map(measuredPoint),
      },
    ],
    rules: points.map((point) => ({
      axis: 'x',
      value: intensityOf(point),
      name: words.points[point.id],
    })),
    height: 280,
  }
}

export interface GrowthWords {
  title: string
  length: string
  bytes: string
  matrixFormula: string
  tilesFormula: string
  matrix: string
  tiles: string
}

/** One head of this width, as measured. */
export const growthWidth = 64
const growthLengths = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]

/** Queries, keys, values and outputs; and the matrix beside them. */
export const tilesMemory = (length: number): number => operandBytes(length, growthWidth)
export const matrixMemory = (length: number): number => tilesMemory(length) + 4 * length ** 2

export function growthChart(result: GrowthResult | null, words: GrowthWords): ChartData {
  const measured = (id: 'tiles' | 'matrix'): ChartSeries['points'] =>
    (result?.lines ?? []).map((line) => ({ x: line.length, y: line[id] }))
  const formula = (bytes: (length: number) => number): ChartSeries['points'] =>
    growthLengths.map((length) => ({ x: length, y: bytes(length) }))
  const dots: ChartSeries[] = result
    ? [
        {
          ...{ id: 'matrix_measured_bytes', kind: 'line', tone: 'query', dots: true },
          name: words.matrix,
          points: measured('matrix'),
        },
        {
          ...{ id: 'tiles_measured_bytes', kind: 'line', tone: 'accent', dots: true },
          name: words.tiles,
          points: measured('tiles'),
        },
      ]
    : []
  return {
    title: words.title,
    x: { id: 'positions', name: words.length, kind: 'log2', print: whole },
    y: { id: 'bytes', name: words.bytes, kind: 'log10', print: bytesText },
    series: [
      {
        ...{ id: 'matrix_bytes', kind: 'line', tone: 'query', dashed: true },
        name: words.matrixFormula,
        points: formula(matrixMemory),
      },
      {
        ...{ id: 'tiles_bytes', kind: 'line', tone: 'accent', dashed: true },
        name: words.tilesFormula,
        points: formula(tilesMemory),
      },
      ...dots,
    ],
    height: 280,
  }
}
