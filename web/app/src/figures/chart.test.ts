// Charts: their scales, where marks stand, what is read out and saved.
import { describe, expect, it } from 'vitest'
import { sceneSvg } from '../export/svg'
import { chartRows, chartTable, placesOf, readingAt, type ChartAxis, type ChartData } from './chart'
import { layoutChart, nearestPlace, xAt, yAt } from './chartLayout'
import { scaleOf } from './chartScale'
import { chartScene } from './chartScene'

const axis = (part: Partial<ChartAxis> = {}): ChartAxis => ({
  id: 'x',
  name: 'd_k',
  print: String,
  ...part,
})
const at = (x: number, y: number) => ({ x, y })

const lines: ChartData = {
  title: 'two lines',
  x: axis({ kind: 'log2' }),
  y: axis({ id: 'y', name: 'variance', from: 0, print: (value) => value.toFixed(0) }),
  series: [
    {
      id: 'raw',
      name: 'without the scale',
      kind: 'line',
      tone: 'accent',
      points: [at(1, 1), at(4, 4), at(16, 16)],
    },
    {
      id: 'scaled',
      name: 'divided by the root of d_k',
      kind: 'line',
      tone: 'query',
      dashed: true,
      points: [at(1, 1), at(4, NaN), at(16, 1)],
    },
  ],
  rules: [{ axis: 'y', value: 8, name: 'half' }],
}

describe('scales', () => {
  it('linear: round ends, round ticks', () => {
    const scale = scaleOf(axis(), [0.3, 9.7], 5)
    expect([scale.at(0), scale.at(5), scale.at(10)]).toEqual([0, 0.5, 1])
    expect(scale.ticks.map(({ value }) => value)).toEqual([0, 2, 4, 6, 8, 10])
  })

  it('linear: given ends are kept, one single value has room around it', () => {
    expect(scaleOf(axis({ from: 0, to: 1 }), [0.2, 7], 5).at(0.25)).toBe(0.25)
    const single = scaleOf(axis(), [3, 3], 5)
    expect(single.at(3)).toBeGreaterThan(0)
    expect(single.at(3)).toBeLessThan(1)
    expect(scaleOf(axis({ from: 0 }), [0], 4).at(0)).toBe(0)
    expect(scaleOf(axis(), [], 4).at(0)).toBe(0)
  })

  it('log2: whole powers, thinned to the room there is', () => {
    const scale = scaleOf(axis({ kind: 'log2' }), [1, 512], 12)
    expect(scale.ticks.map(({ value }) => value)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    expect(scale.at(1)).toBe(0)
    expect(scale.at(512)).toBe(1)
    expect(scale.at(32)).toBeCloseTo(5 / 9, 12)
    expect(scaleOf(axis({ kind: 'log2' }), [1, 512], 4).ticks.length).toBeLessThanOrEqual(5)
  })

  it('log10: ends at powers of ten, 2 and 5 between where they are few, nothing below 0', () => {
    const scale = scaleOf(axis({ kind: 'log10' }), [0, 3, 70], 9)
    expect(scale.ticks.map(({ value }) => value)).toEqual([1, 2, 5, 10, 20, 50, 100])
    expect(scale.at(0)).toBeNaN()
    expect(scale.at(-1)).toBeNaN()
    expect(scale.at(10)).toBeCloseTo(0.5, 12)
    const wide = scaleOf(axis({ kind: 'log10' }), [1e-3, 1e6], 5)
    expect(wide.ticks.map(({ label }) => label)).toEqual(['0.001', '0.1', '10', '1000', '100000'])
  })
})

describe('a chart of lines', () => {
  const layout = layoutChart(lines, 480)
  const { marks } = chartScene(lines, layout, 'light')

  it('has its points where the values are', () => {
    const [x1, x4, x16] = [1, 4, 16].map((x) => xAt(layout, x))
    expect(x4).toBeCloseTo(((x1 ?? 0) + (x16 ?? 0)) / 2, 6)
    const drawn = marks.filter((mark) => mark.kind === 'line' && mark.strokeWidth === 2)
    const line = drawn.find((mark) => mark.kind === 'line' && mark.points.length === 3)
    if (line?.kind !== 'line') throw new Error('expected the line of three points')
    expect(line.points.map(([x]) => x)).toEqual([x1, x4, x16])
    const [first, second, third] = line.points.map(([, y]) => y)
    expect(((first ?? 0) - (second ?? 0)) / ((first ?? 0) - (third ?? 0))).toBeCloseTo(3 / 15, 6)
  })

  it('leaves a gap where nothing is known, with dots for what stands alone', () => {
    const hollow = marks.filter((mark) => mark.kind === 'rect' && mark.radius !== undefined)
    expect(hollow).toHaveLength(2)
  })

  it('draws rules, the names of axes and a legend that fits', () => {
    const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    for (const text of ['half', 'd_k', 'variance', 'without the scale']) {
      expect(texts).toContain(text)
    }
    for (const width of [480, 240]) {
      const narrow = layoutChart(lines, width)
      for (const { x } of narrow.legend) expect(x).toBeLessThan(width)
      expect(narrow.top).toBeGreaterThan((narrow.legend.at(-1)?.y ?? 0) + 19)
    }
    expect(layoutChart(lines, 200).legend[1]?.y).toBeGreaterThan(0)
  })

  it('finds the nearest place under the pointer', () => {
    const places = placesOf(lines)
    expect(places).toEqual([1, 4, 16])
    expect(nearestPlace(layout, places, xAt(layout, 4) + 3)).toBe(4)
    expect(nearestPlace(layout, places, -100)).toBe(1)
    expect(nearestPlace(layout, [], 5)).toBeNull()
  })

  it('reads out every series that has a value there', () => {
    expect(readingAt(lines, 16).map(({ value }) => value)).toEqual(['16', '1'])
    expect(readingAt(lines, 4)).toHaveLength(1)
  })

  it('becomes a file: symbols with their index, dashes', () => {
    const svg = sceneSvg(chartScene(lines, layout, 'dark'), [])
    expect(svg).toMatch(/<tspan[^>]*font-style="italic"[^>]*>d<\/tspan><tspan[^>]*>k<\/tspan>/)
    expect(svg).toContain('stroke-dasharray="6 4"')
    expect(svg.match(/<polyline /g)?.length).toBeGreaterThan(4)
  })
})

describe('a chart of bars', () => {
  const bars: ChartData = {
    title: 'a row',
    x: axis({
      id: 'key',
      name: 'key',
      ticks: ['the', 'cat', 'sat'].map((label, value) => ({ value, label })),
    }),
    y: axis({ id: 'y', name: 'weight', print: (value) => value.toFixed(2) }),
    series: ['before', 'after'].map((id, place) => ({
      id,
      name: id,
      kind: 'bar',
      tone: 'accent',
      dashed: place === 1,
      points: [at(0, 0.2), at(1, 0.5), at(2, 0.3)],
    })),
  }
  const layout = layoutChart(bars, 400)
  const rects = chartScene(bars, layout, 'light').marks.filter((mark) => mark.kind === 'rect')

  it('puts the series side by side, in proportion to the values, from 0', () => {
    const drawn = rects.filter(({ height }) => height > 11)
    expect(drawn).toHaveLength(6)
    const [low, high] = [drawn[0], drawn[1]]
    expect((high?.height ?? 0) / (low?.height ?? 1)).toBeCloseTo(2.5, 6)
    for (const bar of drawn) expect(bar.y + bar.height).toBeCloseTo(yAt(layout, 0), 6)
    const edges = drawn
      .map(({ x, width }) => [x, x + width])
      .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
    for (const [place, edge] of edges.slice(1).entries()) {
      expect(edge[0]).toBeGreaterThanOrEqual((edges[place]?.[1] ?? 0) - 1e-9)
    }
    expect(Math.min(...drawn.map(({ x }) => x))).toBeGreaterThanOrEqual(layout.left - 1e-9)
  })

  it('turns labels that have no room', () => {
    expect(layout.turned).toBe(false)
    expect(layoutChart(bars, 100).turned).toBe(true)
  })

  it('names its places in table and files, with whole numbers kept whole', () => {
    const { columns, rows } = chartRows(bars, 1)
    expect(columns).toEqual(['key', 'before', 'after'])
    expect(rows[1]).toEqual({ id: 1, chosen: true, cells: ['cat', '0.50', '0.50'] })
    const table = chartTable(bars, [['model', 'm']])
    expect(table.columns).toEqual(['key', 'key_label', 'before', 'after'])
    expect(table.rows[2]).toEqual([2, 'sat', 0.3, 0.3])
  })
})
