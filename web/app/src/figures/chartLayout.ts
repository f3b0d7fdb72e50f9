// Where the parts of a chart stand: the plot, its axes, its legend. Pure.
import type { ChartData } from './chart'
import { heightsOf, scaleOf, widthsOf, type Scale } from './chartScale'
import { roughWidth } from './scene'

export interface ChartLayout {
  width: number
  height: number
  /** The plot. */
  left: number
  right: number
  top: number
  bottom: number
  x: Scale
  y: Scale
  /** Whether labels under the plot are turned to find room. */
  turned: boolean
  /** Where the names of the series begin, in the order of the series. */
  legend: readonly { x: number; y: number }[]
}

export const tickSize = 11
export const nameSize = 12
/** Length of the sample of a line or bar in front of its name. */
export const sampleWidth = 22
const legendLine = 19
const longestTick = 96

export function layoutChart(data: ChartData, width: number): ChartLayout {
  const height = data.height ?? 240
  const y = scaleOf(data.y, heightsOf(data), Math.max(2, Math.floor(height / 48)))
  const widest = Math.max(...y.ticks.map(({ label }) => roughWidth(label, tickSize)), 0)
  const left = Math.ceil(widest) + 10
  const right = width - 14
  const x = xScale(data, Math.max(2, Math.floor((right - left) / 72)))
  const turned = !fits(data, x, right - left)
  const legend = legendPlaces(data, width)
  const rows = legend.length === 0 ? 0 : (legend.at(-1)?.y ?? 0) / legendLine + 1
  const below = turned ? Math.min(longestTick, longestLabel(x) * 0.77) + 16 : 20
  return {
    width,
    height,
    left,
    right,
    top: Math.ceil(rows * legendLine) + 24,
    bottom: Math.floor(height - below - 16),
    x,
    y,
    turned,
    legend,
  }
}

/** Bars of a histogram end at the edge of the plot; linear axes of x begin and end with the data. */
function xScale(data: ChartData, room: number): Scale {
  const values = widthsOf(data)
  if ((data.x.kind ?? 'linear') !== 'linear' || values.length === 0) {
    return scaleOf(data.x, values, room)
  }
  const { from = Math.min(...values), to = Math.max(...values) } = data.x
  return scaleOf({ ...data.x, from, to }, values, room)
}

const longestLabel = ({ ticks }: Scale): number =>
  Math.max(0, ...ticks.map(({ label }) => roughWidth(label, tickSize)))

function fits(data: ChartData, x: Scale, room: number): boolean {
  if (!data.x.ticks) return true
  return (longestLabel(x) + 8) * x.ticks.length <= room
}

/** Names of the series in rows; none where there is a single one, which the title names. */
function legendPlaces({ series }: ChartData, width: number): { x: number; y: number }[] {
  if (series.length < 2) return []
  let [x, y] = [0, 0]
  return series.map(({ name }) => {
    const length = sampleWidth + 7 + roughWidth(name, nameSize) + 18
    if (x > 0 && x + length - 18 > width) [x, y] = [0, y + legendLine]
    const place = { x, y }
    x += length
    return place
  })
}

/** Pixel of a value along x or y; NaN where it lies outside of the plot. */
export function xAt({ x, left, right }: ChartLayout, value: number): number {
  const share = x.at(value)
  return share >= -1e-9 && share <= 1 + 1e-9 ? left + share * (right - left) : NaN
}

export function yAt({ y, top, bottom }: ChartLayout, value: number): number {
  const share = y.at(value)
  return share >= -1e-9 && share <= 1 + 1e-9 ? bottom - share * (bottom - top) : NaN
}

/** The place nearest to a pixel; null where there is none. */
export function nearestPlace(
  layout: ChartLayout,
  places: readonly number[],
  pixel: number,
): number | null {
  let nearest: number | null = null
  let least = Infinity
  for (const x of places) {
    const distance = Math.abs(xAt(layout, x) - pixel)
    if (distance < least) [nearest, least] = [x, distance]
  }
  return nearest
}
