// What a token takes with keys and values kept, and without, as a chart. Pure.
import { mean } from 'd3-array'
import type { ChartData, ChartSeries } from '../../figures/chart'
import { decimal } from '../../i18n/numbers'
import type { CrossMessages } from './en'
import type { Times } from './next.svelte'

const series = (
  id: string,
  name: string,
  values: readonly number[],
  look: Pick<ChartSeries, 'tone' | 'dashed'>,
): ChartSeries[] =>
  values.length === 0
    ? []
    : [
        {
          id,
          name,
          kind: 'line',
          dots: true,
          ...look,
          points: values.map((y, x) => ({ x: x + 1, y })),
        },
      ]

/** `length`: tokens that there will be, so that the axis stands still while they come. */
export function timesChart(
  { kept, anew }: Pick<Times, 'kept' | 'anew'>,
  length: number,
  words: CrossMessages['next']['times'],
): ChartData {
  return {
    title: words.fileTitle,
    x: { id: 'token', name: words.x, from: 1, to: length, print: String },
    y: {
      id: 'milliseconds',
      name: words.y,
      from: 0,
      print: (value) => decimal(value, 1),
      printExact: (value) => decimal(value, 2),
    },
    series: [
      ...series('kept', words.kept, kept, { tone: 'accent' }),
      ...series('anew', words.anew, anew, { tone: 'query', dashed: true }),
    ],
  }
}

/** Mean of the tokens behind the first one, which reads the whole prompt; empty where there are none. */
export function meanTime(times: readonly number[]): string {
  const later = mean(times.slice(1))
  return later === undefined ? '' : decimal(later, 1)
}
