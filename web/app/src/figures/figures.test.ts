// Layout, colours, rasters and scenes.
import { hcl, lab, rgb } from 'd3-color'
import { interpolateLab } from 'd3-interpolate'
import { describe, expect, it } from 'vitest'
import { headColour, palettes, rampOf, rampStep, signedRampOf } from './colour'
import { placeAfter, placeAt } from './cells'
import { tilesGrid, tilesScene } from './tilesScene'
import { gridOf, layoutMap, mapLabel } from './mapLayout'
import { mapScene, type MapData } from './mapScene'
import { rasterise } from './raster'

const themes = ['light', 'dark'] as const
const quantities = ['weight', 'contribution'] as const

function luminance(colour: string): number {
  const { r, g, b } = rgb(colour)
  const [x = 0, y = 0, z = 0] = [r, g, b].map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * x + 0.7152 * y + 0.0722 * z
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

describe('colours', () => {
  for (const theme of themes) {
    for (const quantity of quantities) {
      it(`${theme} ${quantity}: even in lightness, from the background's side to full`, () => {
        const lightness = rampOf(theme, quantity).css.map((colour) => lab(colour).l)
        const [first = 0, last = 0] = [lightness[0], lightness.at(-1)]
        for (const [step, value] of lightness.entries()) {
          expect(Math.abs(value - (first + ((last - first) * step) / 255))).toBeLessThan(1)
        }
        expect(Math.abs(last - first)).toBeGreaterThan(50)
      })

      it(`${theme} ${quantity}: numbers can be read on every step`, () => {
        const { css, ink } = rampOf(theme, quantity)
        for (const [step, colour] of css.entries()) {
          expect(contrast(colour, ink[step] ?? '')).toBeGreaterThanOrEqual(4.5)
        }
      })
    }

    it(`${theme}: text stands at 4.5 to 1 or more`, () => {
      const { background, ink, muted, query, accent } = palettes[theme]
      for (const colour of [ink, muted, query, accent]) {
        expect(contrast(colour, background)).toBeGreaterThanOrEqual(4.5)
      }
    })
  }

  it('the colours are those of d3, to the last digit', () => {
    const hex = (colour: string): string => rgb(colour).formatHex()
    for (const theme of themes) {
      const { ramp, negative } = palettes[theme]
      for (const quantity of quantities) {
        const wanted = interpolateLab(...ramp[quantity])
        const { css, packed } = rampOf(theme, quantity)
        expect(css).toEqual(css.map((_, step) => hex(wanted(step / 255))))
        const { r, g, b } = rgb(css[100] ?? '')
        expect(packed[100]).toBe(255 * 2 ** 24 + b * 2 ** 16 + g * 2 ** 8 + r)
      }
      const below = interpolateLab(ramp.weight[0], negative)
      expect(signedRampOf(theme).css[40]).toBe(hex(below(1 - 80 / 255)))
      for (const head of [0, 1, 11, 71]) {
        const wanted = hcl((40 + head * 137.508) % 360, 48, theme === 'light' ? 48 : 72)
        expect(headColour(theme, head)).toBe(wanted.formatHex())
      }
    }
  })

  it('a value outside 0..1 takes the nearest end; gamma brings out small ones', () => {
    expect([rampStep(-1, 1), rampStep(0.5, 1), rampStep(2, 1)]).toEqual([0, 128, 255])
    expect(rampStep(0.01, 0.5)).toBe(26)
  })
})

describe('raster', () => {
  const ramp = rampOf('light', 'weight')

  it('keeps a thin line of a large map: a pixel takes the largest of its cells', () => {
    const size = 100
    const values = new Float32Array(size * size)
    for (let row = 1; row < size; row++) values[row * size + row - 1] = 1
    const pixels = rasterise({ values, size, top: 1, gamma: 1 }, ramp, 10, 10)
    for (let place = 0; place < 10; place++) {
      expect(pixels[place * 10 + place]).toBe(ramp.packed[255])
    }
    expect(pixels[9]).toBe(ramp.packed[0])
  })

  it('shows the rows and columns that were asked for', () => {
    const values = Float32Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0)
    const source = { values, size: 3, top: 1, gamma: 1, rows: [1], columns: [0, 2] }
    expect([...rasterise(source, ramp, 2, 1)]).toEqual([ramp.packed[0], ramp.packed[255]])
  })
})

describe('the map', () => {
  const labels = ['[CLS]', 'the', 'cat', '[SEP]']
  const data: MapData = {
    values: Float32Array.from({ length: 16 }, (_, cell) => (cell % 5 === 0 ? 1 : 0)),
    labels,
    top: 1,
    quantity: 'weight',
    dimmed: new Set([0]),
    query: 2,
    key: 1,
    gamma: 1,
    title: 'Head 0.0',
  }

  it.each([320, 480, 560])('fits a width of %i', (width) => {
    const layout = layoutMap(labels, width)
    expect(layout.left + layout.cell * 4).toBeLessThanOrEqual(width)
    expect(layout.height).toBeGreaterThan(layout.top + layout.cell * 4 - layout.gap)
  })

  it('finds the cell under a point, and nothing outside', () => {
    const layout = layoutMap(labels, 480)
    const x = layout.left + layout.cell * 3.5
    const y = layout.top + layout.cell * 1.5
    const grid = gridOf(layout)
    expect(placeAt(grid, x, y)).toEqual({ row: 1, column: 3 })
    expect(placeAt(grid, layout.left - 1, y)).toBeNull()
    expect(placeAt(grid, x, layout.top + layout.cell * 4 + 1)).toBeNull()
  })

  it('draws every cell, both labels of every token, the fixed row and its numbers', () => {
    const { marks } = mapScene(data, layoutMap(labels, 480), 'light')
    const rects = marks.filter((mark) => mark.kind === 'rect')
    const texts = marks.filter((mark) => mark.kind === 'text')
    expect(rects).toHaveLength(16 + 1)
    expect(texts.map((mark) => mark.text).filter((text) => text === 'cat')).toHaveLength(2)
    expect(texts.some((mark) => mark.text === '1.0')).toBe(true)
    expect(rects.at(-1)?.stroke).toBe(palettes.light.query)
    expect(rects[1]?.opacity).toBeLessThan(0.5)
    expect(rects[5]?.opacity).toBeUndefined()
  })

  it('a rectangle has labels of its own on each side; barred cells are no cells, later rows faint', () => {
    const rows = ['Le', 'chat', 'dort']
    const wide: MapData = {
      ...data,
      values: new Float32Array(12).fill(0.25),
      labels: rows,
      columns: labels,
      dimmed: new Set(),
      later: 2,
      masked: (query, key) => key > query + 1,
    }
    const layout = layoutMap(rows, 480, labels)
    expect([layout.rows, layout.columns]).toEqual([3, 4])
    const { marks } = mapScene(wide, layout, 'light')
    const cells = marks.filter((mark) => mark.kind === 'rect').slice(0, -1)
    const bars = marks.filter((mark) => mark.kind === 'line')
    expect([cells.length, bars.length]).toEqual([2 + 3 + 4, 2 + 1])
    expect(cells.map(({ opacity = 1 }) => opacity < 1)).toEqual([
      ...Array<boolean>(5).fill(false),
      ...Array<boolean>(4).fill(true),
    ])
    const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    for (const label of [...rows, ...labels]) expect(texts).toContain(label)
  })

  it('shortens a long label, counting characters', () => {
    expect(mapLabel('short')).toBe('short')
    expect(Array.from(mapLabel('😀'.repeat(30)))).toHaveLength(14)
  })
})

describe('the crosshair', () => {
  const grid = { left: 0, top: 0, width: 10, height: 10, rows: 2, columns: 3 }

  it('goes where a key leads, and stays inside', () => {
    const steps: [key: string, row: number, column: number][] = [
      ['ArrowUp', 0, 1],
      ['ArrowDown', 1, 1],
      ['ArrowLeft', 0, 0],
      ['ArrowRight', 0, 2],
      ['Home', 0, 0],
      ['End', 0, 2],
    ]
    for (const [key, row, column] of steps) {
      expect(placeAfter(grid, { row: 0, column: 1 }, key), key).toEqual({ row, column })
    }
    expect(placeAfter(grid, { row: 1, column: 2 }, 'ArrowDown')).toEqual({ row: 1, column: 2 })
    expect(placeAfter(grid, { row: 1, column: 2 }, 'ArrowRight')).toEqual({ row: 1, column: 2 })
    expect(placeAfter(grid, { row: 0, column: 0 }, 'Enter')).toBeNull()
  })
})

describe('tiles of heads', () => {
  const data = {
    values: [1, 2, 3, NaN],
    layers: 2,
    heads: 2,
    top: 3,
    print: String,
    opened: { layer: 1, head: 0 },
    title: 'ranks',
  }

  it('a number on every tile that is known, the opened one framed, all inside', () => {
    const scene = tilesScene(data, 320, 'light')
    const rects = scene.marks.filter((mark) => mark.kind === 'rect')
    const numbers = scene.marks.filter((mark) => mark.kind === 'text').slice(2)
    expect(rects).toHaveLength(4)
    expect(numbers.map(({ text }) => text)).toEqual(['0', '1', '2', '1', '3'])
    expect(rects.filter(({ stroke }) => stroke === palettes.light.accent)).toEqual([rects[2]])
    for (const { x, y, width, height } of rects) {
      expect(x + width).toBeLessThanOrEqual(320)
      expect(y + height).toBeLessThanOrEqual(scene.height)
    }
    expect(placeAt(tilesGrid(data, 320), 319 - 10, scene.height - 10)).toEqual({
      row: 1,
      column: 1,
    })
  })
})
