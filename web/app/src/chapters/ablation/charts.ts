// Pruning as a chart. Pure.
import type { PruningCurve, PruningCurves } from 'headwise'
import { max, mean, min } from 'd3-array'
import type { ChartData, ChartPoint, ChartSeries } from '../../figures/chart'
import { decimal } from '../../i18n/numbers'
import type { AblationMessages } from './en'

const pointsOf = ({ pruned, loss }: PruningCurve): ChartPoint[] =>
  Array.from(pruned, (x, place) => ({ x, y: loss[place] ?? NaN }))

/** What several curves have at each number of heads, in one. */
function together(
  curves: readonly PruningCurve[],
  of: (values: number[]) => number | undefined,
): ChartPoint[] {
  const [first] = curves
  if (!first) return []
  return Array.from(first.pruned, (x, place) => {
    const values = curves.map(({ loss }) => loss[place] ?? NaN)
    // A mean over fewer orders than there will be would move.
    return { x, y: values.some(Number.isNaN) ? NaN : (of(values) ?? NaN) }
  })
}

export function pruningChart(curves: PruningCurves, words: AblationMessages['pruning']): ChartData {
  const { importance, random, greedy, base } = curves
  const line = { kind: 'line' } as const
  const muted = { ...line, tone: 'muted' } as const
  const series: ChartSeries[] = [
    {
      ...line,
      tone: 'accent',
      id: 'importance',
      name: words.importance,
      points: pointsOf(importance),
      dots: true,
    },
    {
      ...muted,
      id: 'random_mean',
      name: words.randomMean,
      points: together(random, mean),
      dots: true,
    },
    {
      ...muted,
      id: 'random_low',
      name: words.randomLow,
      points: together(random, (values) => min(values)),
      dashed: true,
    },
    {
      ...muted,
      id: 'random_high',
      name: words.randomHigh,
      points: together(random, (values) => max(values)),
      dashed: true,
    },
    ...(greedy
      ? [
          {
            ...line,
            tone: 'contribution' as const,
            id: 'greedy',
            name: words.greedyCurve,
            points: pointsOf(greedy),
            dots: true,
          },
        ]
      : []),
  ]
  return {
    title: words.fileTitle,
    x: { id: 'heads_gone', name: words.x, print: (value) => String(value) },
    y: {
      id: 'loss',
      name: words.y,
      from: 0,
      print: (value) => decimal(value, 1),
      printExact: (value) => decimal(value, 3),
    },
    series,
    rules: [{ axis: 'y', value: base.loss, name: words.base }],
  }
}

/** The point of a curve with so many heads gone, or the nearest number that was measured. */
function pointAt({ pruned }: PruningCurve, gone: number): number {
  let best = 0
  for (const [place, each] of pruned.entries()) {
    if (Math.abs(each - gone) < Math.abs((pruned[best] ?? 0) - gone)) best = place
  }
  return best
}

export function lossAt(curve: PruningCurve, gone: number): { gone: number; loss: number } {
  const point = pointAt(curve, gone)
  return { gone: curve.pruned[point] ?? 0, loss: curve.loss[point] ?? NaN }
}

/** The share of samples translated as one of the answers. */
export function matchAt(curve: PruningCurve, gone: number): number {
  return curve.exactMatch?.[pointAt(curve, gone)] ?? NaN
}
