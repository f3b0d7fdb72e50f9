// The figures of chapter 4 as charts. Pure.
import { bin } from 'd3-array'
import type { ChartAxis, ChartData, ChartPoint, ChartSeries } from '../../figures/chart'
import { decimal } from '../../i18n/numbers'
import { defaultScale, headDims } from '../../state/scaleView'
import type { ScaleMessages } from './en'
import { keyCount, type HeadAt, type HeadSweep, type Pairing } from './measure'

type Words = ScaleMessages

const bins = 41

/** Shares of the scores in `bins` equal bins from -reach to reach. */
export function histogram(scores: Float32Array, reach: number): ChartPoint[] {
  const width = (2 * reach) / bins
  const edges = Array.from({ length: bins - 1 }, (_, place) => -reach + (place + 1) * width)
  const counted = bin<number, number>().domain([-reach, reach]).thresholds(edges)(
    Array.from(scores),
  )
  return counted.map(({ length }, place) => ({
    x: -reach + (place + 0.5) * width,
    y: length / scores.length,
  }))
}

/** What a normal distribution puts into the same bins, by its density in the middle of each. */
function normalShares(reach: number, variance: number): ChartPoint[] {
  const width = (2 * reach) / bins
  return Array.from({ length: bins }, (_, place) => {
    const x = -reach + (place + 0.5) * width
    return {
      x,
      y: (width * Math.exp(-(x ** 2) / (2 * variance))) / Math.sqrt(2 * Math.PI * variance),
    }
  })
}

export function scoresChart({ headDim, without, with: scaled }: Pairing, words: Words): ChartData {
  const far = [without.scores, scaled.scores].map((scores) =>
    scores.reduce((most, score) => Math.max(most, Math.abs(score)), 0),
  )
  const reach = Math.max(...far) * 1.0001
  const share = (value: number): string => decimal(value, 2)
  return {
    title: words.scores.file(String(headDim)),
    x: {
      id: 'score',
      name: words.scores.x,
      print: (value) => decimal(value, reach < 5 ? 1 : 0),
      printExact: (value) => decimal(value, 2),
    },
    y: {
      id: 'share',
      name: words.scores.y,
      from: 0,
      print: share,
      printExact: (value) => decimal(value),
    },
    barWidth: (2 * reach) / bins,
    series: [
      {
        id: 'without_scale',
        name: words.without,
        kind: 'bar',
        tone: 'accent',
        points: histogram(without.scores, reach),
      },
      {
        id: 'with_scale',
        name: words.with,
        kind: 'line',
        tone: 'query',
        points: histogram(scaled.scores, reach),
      },
      {
        id: 'normal',
        name: words.normal,
        kind: 'line',
        tone: 'muted',
        dashed: true,
        points: normalShares(reach, headDim),
      },
    ],
  }
}

const weightAxis = (name: string): ChartAxis => ({
  id: 'weight',
  name,
  from: 0,
  to: 1,
  print: (value) => decimal(value, 1),
  printExact: (value) => decimal(value),
})

function bars(
  id: string,
  name: string,
  weights: Float32Array,
  tone: ChartSeries['tone'],
  dashed: boolean,
): ChartSeries {
  const points = Array.from(weights, (y, x) => ({ x, y }))
  return { id, name, kind: 'bar', tone, points, dashed }
}

export function rowChart({ headDim, without, with: scaled }: Pairing, words: Words): ChartData {
  return {
    title: words.row.file(String(headDim)),
    x: { id: 'key', name: words.row.x, print: (value) => decimal(value, 0) },
    y: weightAxis(words.row.y),
    series: [
      bars('without_scale', words.without, without.weights.subarray(0, keyCount), 'accent', false),
      bars('with_scale', words.with, scaled.weights.subarray(0, keyCount), 'query', true),
    ],
  }
}

const dimAxis = (): ChartAxis => ({
  id: 'd_k',
  name: 'd_k',
  kind: 'log2',
  from: headDims[0],
  to: headDims.at(-1) ?? 512,
  print: String,
})

type Quantity = 'variance' | 'entropy' | 'gradient'

export function sweepChart(all: readonly Pairing[], what: Quantity, words: Words): ChartData {
  const text = words[what]
  const points = (kind: 'without' | 'with'): ChartPoint[] =>
    all.map((pairing) => ({ x: pairing.headDim, y: pairing[kind][what] }))
  const shared = { kind: 'line', dots: true } as const
  const series: ChartSeries[] = [
    {
      ...shared,
      id: 'without_scale',
      name: words.without,
      tone: 'accent',
      points: points('without'),
    },
    {
      ...shared,
      id: 'with_scale',
      name: words.with,
      tone: 'query',
      dashed: true,
      points: points('with'),
    },
  ]
  const expected: ChartSeries = {
    id: 'formula',
    name: words.variance.expected,
    kind: 'line',
    tone: 'muted',
    points: all.map(({ headDim }) => ({ x: headDim, y: headDim })),
  }
  const median: ChartSeries = {
    id: 'without_scale_median',
    name: words.gradient.median,
    kind: 'line',
    tone: 'muted',
    points: all.map(({ headDim, without }) => ({ x: headDim, y: without.medianGradient })),
  }
  return {
    title: text.file,
    x: dimAxis(),
    y: {
      id: what,
      name: text.y,
      ...(what === 'variance' ? { kind: 'log2' as const } : { from: 0 }),
      print: (value) => decimal(value, what === 'gradient' ? 2 : value % 1 === 0 ? 0 : 1),
      printExact: (value) => decimal(value),
    },
    series: [
      ...series,
      ...(what === 'variance' ? [expected] : []),
      ...(what === 'gradient' ? [median] : []),
    ],
    ...(what === 'entropy'
      ? {
          rules: [
            {
              axis: 'y' as const,
              value: Math.log(keyCount),
              name: words.entropy.rule(String(keyCount)),
            },
          ],
        }
      : {}),
    height: 260,
  }
}

/** 5.66, 0.25: what the trained scale is multiplied with. */
export function factorText(power: number): string {
  const factor = 2 ** power
  return Number.isInteger(factor) ? String(factor) : factor.toFixed(factor < 0.2 ? 3 : 2)
}

export function factorChart(
  sweep: HeadSweep,
  at: { power: number; means: HeadAt['means'] } | null,
  what: 'entropy' | 'gradient',
  head: string,
  words: Words,
): ChartData {
  const text = words.model[what]
  // The chosen factor may lie between the steps of the sweep.
  const chosen = at && !sweep.powers.some(({ power }) => power === at.power) ? [at] : []
  const points = [
    ...sweep.powers.map((each) => ({ x: 2 ** each.power, y: each[what] })),
    ...chosen.map(({ power, means }) => ({ x: 2 ** power, y: means[what] })),
  ].sort((a, b) => a.x - b.x)
  return {
    title: text.file(head),
    x: {
      id: 'factor',
      name: words.model.entropy.x,
      kind: 'log2',
      print: (value) => factorText(Math.log2(value)),
    },
    y: {
      id: what,
      name: text.y,
      from: 0,
      print: (value) => decimal(value, what === 'gradient' ? 2 : 1),
      printExact: (value) => decimal(value),
    },
    series: [{ id: what, name: text.y, kind: 'line', tone: 'accent', dots: true, points }],
    rules: [
      { axis: 'x', value: 1, name: words.model.trained },
      { axis: 'x', value: 2 ** defaultScale.power, name: words.model.without },
    ],
    height: 220,
  }
}

/** At most so many keys have a bar of their own: those with the largest weights. */
const mostKeys = 40

export function modelRowChart(
  { trained, changed }: HeadAt,
  labels: readonly string[],
  head: string,
  power: number,
  words: Words,
): ChartData {
  const larger = (place: number): number => Math.max(trained[place] ?? 0, changed[place] ?? 0)
  const shown = labels
    .map((_, place) => place)
    .sort((a, b) => larger(b) - larger(a))
    .slice(0, mostKeys)
    .sort((a, b) => a - b)
  const pick = (weights: Float32Array): Float32Array =>
    Float32Array.from(shown, (place) => weights[place] ?? 0)
  return {
    title: words.model.row.file(head),
    x: {
      id: 'key',
      name: words.model.row.x,
      print: String,
      ticks: shown.map((place, value) => ({ value, label: labels[place] ?? '' })),
    },
    y: weightAxis(words.model.row.y),
    series: [
      bars('trained_scale', words.model.trained, pick(trained), 'query', true),
      bars(
        'changed_scale',
        words.model.row.changed(factorText(power)),
        pick(changed),
        'accent',
        false,
      ),
    ],
  }
}
