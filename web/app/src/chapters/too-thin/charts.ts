// The charts of chapter 9. Pure.
import type { ChartData, ChartSeries } from '../../figures/chart'
import { count, decimal } from '../../i18n/numbers'
import { divergenceAt, splitsOf } from './budget'
import type { Fit, LengthRank, MatrixKind, NormFit, Spectrum } from './compute'
import type { RankMessages } from './en'

const tones = { scores: 'accent', weights: 'contribution' } as const satisfies Record<
  MatrixKind,
  ChartSeries['tone']
>
const kinds = ['scores', 'weights'] as const

/** At most two digits that count. */
const tick = (value: number): string => String(Number(value.toPrecision(2)))
const whole = (value: number): string => String(Math.round(value))

/** 10⁻³, for axes of many orders of magnitude; what is no power of ten as it is. */
function power(value: number): string {
  const digits = Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹')
  const exponent = Math.round(Math.log10(value))
  if (Math.abs(value / 10 ** exponent - 1) > 1e-6) return String(Number(value.toPrecision(1)))
  const raised = Array.from(String(Math.abs(exponent)), (digit) => digits[Number(digit)]).join('')
  return exponent === 0 ? '1' : `10${exponent < 0 ? '⁻' : ''}${raised}`
}

export function spectrumChart(
  spectrum: Spectrum,
  headDim: number,
  head: string,
  words: RankMessages,
): ChartData {
  return {
    title: words.spectrum.file(head),
    x: { id: 'number', name: words.spectrum.x, print: whole },
    y: {
      id: 'share_of_largest',
      name: words.spectrum.y,
      kind: 'log10',
      print: power,
      printExact: (value) => value.toExponential(1).replace('-', '−'),
    },
    series: kinds.map((kind): ChartSeries => {
      const values = spectrum[kind]
      return {
        id: `${kind}_share`,
        name: words.kinds[kind],
        kind: 'line',
        tone: tones[kind],
        dashed: kind === 'weights',
        points: Array.from(values, (value, place) => ({
          x: place + 1,
          y: value / (values[0] ?? NaN),
        })),
      }
    }),
    rules:
      headDim < spectrum.scores.length
        ? [{ axis: 'x', value: headDim, name: words.spectrum.rule }]
        : [],
  }
}

export function lengthChart(
  ranks: readonly LengthRank[],
  headDim: number,
  head: string,
  words: RankMessages,
): ChartData {
  return {
    title: words.lengths.file(head),
    x: { id: 'tokens', name: words.lengths.x, print: whole },
    y: { id: 'rank', name: words.lengths.y, from: 0, print: whole },
    series: kinds.map((kind): ChartSeries => ({
      id: `rank_${kind}`,
      name: words.kinds[kind],
      kind: 'line',
      tone: tones[kind],
      dashed: kind === 'weights',
      dots: true,
      points: ranks.map((rank) => ({ x: rank.length, y: rank[kind] })),
    })),
    rules: [{ axis: 'y', value: headDim, name: words.lengths.rule }],
  }
}

export function fitChart(
  { dims }: Fit,
  pattern: string,
  norm: number,
  words: RankMessages,
): ChartData {
  const series = (
    id: 'divergence' | 'largestError',
    name: string,
    tone: ChartSeries['tone'],
  ): ChartSeries => ({
    id,
    name,
    kind: 'line',
    tone,
    dashed: id === 'largestError',
    dots: true,
    points: dims.map((fitted) => ({ x: fitted.headDim, y: fitted[id] })),
  })
  return {
    title: words.fits.file(pattern, String(norm)),
    x: { id: 'd_k', name: words.fits.x, print: whole },
    y: {
      id: 'error',
      name: words.fits.y,
      from: 0,
      print: tick,
      printExact: (value) => decimal(value),
    },
    series: [
      series('divergence', words.fits.divergence, 'accent'),
      series('largestError', words.fits.largest, 'contribution'),
    ],
  }
}

/** The dimensions that have a line of their own: the thinnest, the chosen one, and enough for any pattern. */
export function shownHeadDims(headDim: number, length: number): number[] {
  return [...new Set([1, 2, headDim, length - 1])].sort((a, b) => a - b)
}

export function normChart(
  fits: readonly NormFit[],
  headDim: number,
  length: number,
  pattern: string,
  words: RankMessages,
): ChartData {
  const shown = shownHeadDims(headDim, length)
  const others = shown.filter((each) => each !== headDim)
  const tonesOfOthers = ['query', 'contribution', 'muted'] as const
  const toneOf = (each: number): ChartSeries['tone'] =>
    each === headDim ? 'accent' : (tonesOfOthers[others.indexOf(each)] ?? 'muted')
  return {
    title: words.norms.file(pattern),
    x: { id: 'norm', name: words.norms.x, kind: 'log2', print: (value) => String(value) },
    y: {
      id: 'kl_divergence',
      name: words.norms.y,
      from: 0,
      print: tick,
      printExact: (value) => decimal(value),
    },
    series: shown.map((each): ChartSeries => ({
      id: `d_k_${String(each)}`,
      name: words.norms.series(String(each)),
      kind: 'line',
      tone: toneOf(each),
      dashed: each !== headDim,
      dots: true,
      points: fits.map(({ norm, divergences }) => ({ x: norm, y: divergences[each - 1] ?? NaN })),
    })),
  }
}

export function splitChart(
  fit: Fit,
  dModel: number,
  pattern: string,
  words: RankMessages,
): ChartData {
  const divergences = fit.dims.map(({ divergence }) => divergence)
  const splits = splitsOf(dModel)
  return {
    title: words.split.file(pattern),
    x: {
      id: 'heads',
      name: words.split.x,
      kind: 'log2',
      print: count,
      printExact: (heads) => words.split.read(count(heads), String(dModel / heads)),
    },
    y: {
      id: 'kl_divergence',
      name: words.split.y,
      from: 0,
      print: tick,
      printExact: (value) => decimal(value),
    },
    series: [
      {
        id: 'kl_divergence_of_each',
        name: words.split.series,
        kind: 'line',
        tone: 'accent',
        dots: true,
        points: splits.map(({ heads, headDim }) => ({
          x: heads,
          y: divergenceAt(divergences, headDim),
        })),
      },
    ],
    rules: [{ axis: 'x', value: dModel / fit.length, name: words.split.rule }],
  }
}
