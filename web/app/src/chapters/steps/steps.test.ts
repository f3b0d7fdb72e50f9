// The equations of chapter 3: that their matrices fit each other, that every sum is right, that they
// find room on screen; the cells of the tiny layer; the two catalogues.
import { createRuntime, type Runtime } from 'headwise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rampOf, signedRampOf, signedStep } from '../../figures/colour'
import { rasteriseSigned } from '../../figures/raster'
import { plain } from '../../i18n/inline'
import { parseSteps, projections, stageIds, writeSteps } from '../../state/stepsView'
import { cellsFrom, cellsText, cellValue } from '../../state/tinyCells'
import { steps as english } from './en'
import { areaOf, cellUnder, layoutEquation } from './equationLayout'
import { equationScene, shortNumber } from './equationScene'
import { steps as korean } from './ko'
import { ownLayer, type LayerNumbers } from './layer'
import { magnitudeAt, viewOf } from './matrix'
import { equationOf, hasCell, matrixOf, resultOf, type Focus } from './stages'
import { sumOf } from './sums'
import { tinyLabels, tinyMatrix, tinyWeights, withEdit } from './tiny'

let runtime: Runtime
let open: LayerNumbers
let masked: LayerNumbers
beforeAll(async () => {
  runtime = await createRuntime({ worker: false })
  const x = tinyMatrix('x', {})
  open = await ownLayer(runtime, tinyWeights({}), x, false)
  masked = await ownLayer(runtime, tinyWeights({}), x, true)
})
afterAll(() => {
  runtime.dispose()
})

const focuses: Focus[] = stageIds.flatMap((stage) =>
  projections.flatMap((part) =>
    [false, true].flatMap((whole) => [0, 1].map((head) => ({ stage, part, whole, head }))),
  ),
)

describe('the equations', () => {
  it('every number of every result is what its operands come to', () => {
    for (const layer of [open, masked]) {
      for (const focus of focuses) {
        const matrix = resultOf(focus)
        const { rows, columns } = matrixOf(layer, matrix, focus)
        for (let row = 0; row < rows; row++) {
          for (let column = 0; column < columns; column++) {
            const cell = { matrix, row, column }
            expect(hasCell(layer, cell, focus)).toBe(true)
            const sum = sumOf(layer, cell, focus)
            expect(sum.value).toBe(matrixOf(layer, matrix, focus).at(row, column))
            if (sum.kind === 'products') expect(sum.total).toBeCloseTo(sum.value, 5)
            if (sum.kind === 'softmax') expect(sum.terms.weight).toBeCloseTo(sum.value, 6)
            if (sum.kind === 'hidden') expect(column).toBeGreaterThan(row)
            if (sum.kind === 'moved') {
              expect(sum.value).toBe(layer.z[row * 4 + sum.head * 2 + sum.column])
            }
            expect(sum.kind).not.toBe('given')
          }
        }
      }
    }
  })

  it('a number explains itself in later stages too, from the operands it was made of', () => {
    const focus: Focus = { stage: 'scores', part: 'query', whole: false, head: 1 }
    const key = sumOf(open, { matrix: 'key', row: 1, column: 2 }, focus)
    expect(key.kind === 'products' && key.total).toBeCloseTo(open.key[2 * 4 + 2 + 1] ?? NaN, 6)
    expect(key.value).toBeCloseTo(open.key[2 * 4 + 2 + 1] ?? NaN, 6)
  })

  it('what the mask hides is hidden; what it leaves sums to 1', () => {
    const focus: Focus = { stage: 'weights', part: 'query', whole: false, head: 0 }
    const weights = matrixOf(masked, 'weights', focus)
    expect([weights.at(0, 0), weights.at(0, 1), weights.at(0, 2)]).toEqual([1, 0, 0])
    expect(matrixOf(masked, 'scores', focus).at(0, 1)).toBe(-Infinity)
    expect(sumOf(masked, { matrix: 'weights', row: 0, column: 1 }, focus).kind).toBe('hidden')
    expect(weights.at(1, 0) + weights.at(1, 1)).toBeCloseTo(1, 6)
    const ids = equationOf(masked, { ...focus, stage: 'scores' }).map((item) =>
      item.kind === 'matrix' ? item.id : item.text,
    )
    expect(ids).toEqual(['query', '×', 'key', '÷ √2', '+', 'mask', '=', 'scores'])
  })

  it('the slice of a head in the whole product is the head’s own', () => {
    for (const part of projections) {
      const alone = matrixOf(open, part, { stage: 'project', part, whole: false, head: 1 })
      const whole = matrixOf(open, part, { stage: 'project', part, whole: true, head: 1 })
      expect([alone.columns, whole.columns]).toEqual([2, 4])
      for (const [row, column] of [
        [0, 0],
        [2, 1],
      ] as const) {
        expect(whole.at(row, 2 + column)).toBe(alone.at(row, column))
      }
    }
  })
})

describe('the layout', () => {
  const large = { tokens: 12, model: 384, head: 32, heads: 384, one: 1 }
  const labels = Array.from({ length: 12 }, (_, place) => `token${String(place)}`)

  it.each([328, 700, 1120])('has room for everything at %i px', (width) => {
    for (const focus of focuses) {
      const items = equationOf(open, focus)
      const layout = layoutEquation(items, large, labels, width)
      expect(layout.boxes).toHaveLength(items.filter(({ kind }) => kind === 'matrix').length)
      for (const box of layout.boxes) {
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(width + 0.5)
        expect(box.y + box.height).toBeLessThanOrEqual(layout.height)
      }
    }
  })

  it('finds every cell again under its middle', () => {
    const focus: Focus = { stage: 'project', part: 'query', whole: false, head: 0 }
    const layout = layoutEquation(equationOf(open, focus), large, labels, 900)
    for (const box of layout.boxes) {
      const [row, column] = [box.rows - 1, Math.floor(box.columns / 2)]
      const { x, y, width, height } = areaOf(box, row, column)
      const found = cellUnder(layout, x + width / 2, y + height / 2)
      expect(found).toEqual({ box, row, column })
    }
    expect(cellUnder(layout, -1, -1)).toBeNull()
  })

  it('small matrices are drawn with their numbers, large ones as pictures', () => {
    const sizes = { tokens: 3, model: 4, head: 2, heads: 4, one: 1 }
    const focus: Focus = { stage: 'weights', part: 'query', whole: false, head: 0 }
    const items = equationOf(masked, focus)
    const data = {
      matrixOf: (id: Parameters<typeof matrixOf>[1]) => matrixOf(masked, id, focus),
      labels: tinyLabels,
      token: 2,
      heads: 2,
      head: 0,
      title: 'A',
    }
    const drawn = equationScene(layoutEquation(items, sizes, tinyLabels, 600), data, 'light').marks
    const texts = drawn.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    expect(texts.filter((text) => text === '−∞')).toHaveLength(3)
    expect(texts).toContain('1')
    const condensed = layoutEquation(items, { ...sizes, model: 384 }, tinyLabels, 600)
    const { marks } = equationScene(condensed, data, 'light')
    expect(marks.filter((mark) => mark.kind === 'image')).toHaveLength(2)
  })
})

describe('signed colours', () => {
  const ramp = signedRampOf('light')

  it('positive numbers have the colours of weights, zero the neutral', () => {
    const weights = rampOf('light', 'weight')
    expect(ramp.css[signedStep(1)]).toBe(weights.css[255])
    expect(signedStep(0)).toBe(128)
    expect(signedStep(-1)).toBe(0)
    expect(signedStep(7)).toBe(255)
  })

  it('a pixel takes the largest magnitude of its cells, with its sign; hidden cells are hidden', () => {
    const values = Float32Array.of(0.1, -0.9, 0.2, 0.3, -Infinity, -Infinity)
    const matrix = viewOf(values, [1, 6], 0, [6, 1])
    const pixels = rasteriseSigned({ ...matrix, top: 0.9 }, ramp, 3, 1, 7)
    expect([...pixels]).toEqual([ramp.packed[0], ramp.packed[signedStep(1 / 3)], 7])
  })

  it('outliers do not leave a large matrix pale', () => {
    const values = Float32Array.from({ length: 1000 }, (_, i) => (i === 3 ? 90 : (i % 10) / 10))
    expect(magnitudeAt(viewOf(values, [10, 100], 0, [100, 1]), 0.99)).toBeCloseTo(0.9, 6)
  })
})

describe('cells of the tiny layer', () => {
  it('are restored from the address, and only what makes sense', () => {
    const edits = withEdit(withEdit({}, 'x', 0, 1, 3), 'q', 1, 2, -1.5)
    expect(cellsText(edits)).toBe('x01_3*q12_-1.5')
    expect(cellsFrom(cellsText(edits))).toEqual(edits)
    expect(cellsFrom('x31_1*z00_1*q00_abc*v99_1*o33_2')).toEqual({ o33: 2 })
  })

  it('a cell that gets its first number back is unchanged', () => {
    expect(withEdit({ x01: 3 }, 'x', 0, 1, 0)).toEqual({})
  })

  it.each([
    ['3', 3],
    ['−1,5', -1.5],
    [' .25 ', 0.25],
    ['-0', 0],
    ['', null],
    ['1e3', null],
    ['100', null],
    ['1.2345', null],
    ['NaN', null],
  ])('%j is read as %j', (text, value) => {
    expect(cellValue(text)).toBe(value)
  })

  it('a link that makes no sense takes the defaults', () => {
    const given = new URLSearchParams('preset=huge&stage=9&cell=foo.1.2&tinyhead=7&edits=zz')
    const query = new URLSearchParams()
    writeSteps(parseSteps(given), false, query)
    expect(query.toString()).toBe('')
  })

  it('whole numbers are written whole', () => {
    expect([shortNumber(-3), shortNumber(4.2426), shortNumber(-Infinity)]).toEqual([
      '−3',
      '4.24',
      '−∞',
    ])
  })
})

describe('the two catalogues', () => {
  it('refer to the same parts of the figure, in the same paragraphs', () => {
    const facts = { layer: 3, heads: '12', head: '3.1', token: 'it', own: '2.13', sum: '5.64' }
    const partsOf = (words: typeof english) =>
      [words.answer(facts), words.four(), words.whole(384, 12), words.beyond.text()].map(
        (inlines) =>
          inlines.flatMap((each) =>
            typeof each !== 'string' && each.kind === 'part' ? [each.part] : [],
          ),
      )
    expect(partsOf(korean)).toEqual(partsOf(english))
    expect(plain(english.answer(facts))).toContain('a sum of 12 vectors')
  })
})
