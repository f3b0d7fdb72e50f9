// The numbers of chapter 3 against NumPy in float64 (tests/golden/steps_numpy.py): the tiny layer,
// and a layer of the shipped model, each with and without the mask.
import { readFileSync } from 'node:fs'
import { createRuntime, type Runtime } from 'headwise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tinyShape, type TinyEdits } from '../../state/tinyCells'
import { cutDifference, modelLayer, ownLayer, type LayerNumbers } from './layer'
import { norm, norms } from './matrix'
import { tinyMatrix, tinyWeights } from './tiny'

const golden = (name: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../../tests/golden/steps/${name}.json`, import.meta.url),
      'utf8',
    ),
  )

type Nested = number | null | readonly Nested[]

/** All numbers of nested lists, in order; null stands for -Infinity. */
function flat(values: Nested): number[] {
  if (values === null) return [-Infinity]
  return typeof values === 'number' ? [values] : values.flatMap(flat)
}

function expectClose(got: ArrayLike<number>, expected: Nested, tolerance: number): void {
  const wanted = flat(expected)
  expect(got.length).toBe(wanted.length)
  const scale = Math.max(1, ...wanted.filter(Number.isFinite).map(Math.abs))
  for (const [i, value] of wanted.entries()) {
    if (Number.isFinite(value)) {
      expect(Math.abs((got[i] ?? NaN) - value), `number ${String(i)}`).toBeLessThanOrEqual(
        tolerance * scale,
      )
    } else expect(got[i]).toBe(value)
  }
}

let runtime: Runtime
beforeAll(async () => {
  runtime = await createRuntime({ worker: false })
})
afterAll(() => {
  runtime.dispose()
})

interface TinyCase extends Record<string, Nested | boolean | TinyEdits> {
  edits: TinyEdits
  causal: boolean
}

describe.each(golden('tiny') as TinyCase[])(
  'the tiny layer, causal $causal, edits $edits',
  (one) => {
    it('is what it is on paper', async () => {
      const x = tinyMatrix('x', one.edits)
      expect([...x]).toEqual(flat(one['x'] as Nested))
      const layer = await ownLayer(runtime, tinyWeights(one.edits), x, one.causal)
      const names = [
        'query',
        'key',
        'value',
        'scores',
        'z',
        'parts',
        'output',
        'valueNorms',
      ] as const
      for (const name of names) expectClose(layer[name], one[name] as Nested, 2e-6)
      expectClose(layer.pattern, one['weights'] as Nested, 2e-6)
      expect(layer.tokens).toBe(tinyShape.tokens)
    })

    it('is the same cut out of the big product and alone', async () => {
      const x = tinyMatrix('x', one.edits)
      const layer = await ownLayer(runtime, tinyWeights(one.edits), x, one.causal)
      for (const head of [0, 1]) {
        expect(await cutDifference(runtime, layer, head)).toBeLessThanOrEqual(1e-5)
      }
    })
  },
)

interface LayerCase {
  causal: boolean
  scores: Nested
  weights: Nested
  addNorms: Nested
  biasNorm: number
  outputNorm: number
  contributions: Nested
  output: Nested
  norms: Record<'x' | 'sum' | 'forward' | 'next', number>
}

const [token, layerIndex, head] = [8, 3, 1]
const sentence = 'The cat sat on the mat because it was tired'
const folder = new URL('../../../../models/minilm-l6/', import.meta.url)

describe.each([
  ['float32', 5e-5],
  ['int8', 4e-3],
] as const)('a layer of the model in %s', (dtype, tolerance) => {
  const cases = golden('layer') as LayerCase[]
  const layers: LayerNumbers[] = []
  beforeAll(async () => {
    const model = await runtime.loadModel(folder, { dtype })
    const { ids, typeIds } = await model.tokenizer.encode(sentence)
    for (const { causal } of cases) {
      layers.push(await modelLayer({ model, runtime }, { ids, typeIds }, layerIndex, causal))
    }
    model.dispose()
  })

  it.each([0, 1])('has the numbers of NumPy (case %i)', (place) => {
    const [one, layer] = [cases[place], layers[place]]
    if (!one || !layer) throw new Error('golden: expected two cases')
    const { dModel, heads, outputBias } = layer.weights
    const { tokens } = layer
    const row = (data: Float32Array, at: number): Float32Array =>
      data.subarray((at * tokens + token) * tokens, (at * tokens + token + 1) * tokens)
    expectClose(row(layer.scores, head), one.scores, tolerance)
    expectClose(row(layer.pattern, head), one.weights, tolerance)
    const parts = layer.parts.subarray(token * heads * dModel, (token + 1) * heads * dModel)
    expectClose(norms(parts, dModel), one.addNorms, tolerance)
    expectClose([norm(outputBias ?? new Float32Array())], [one.biasNorm], tolerance)
    const vector = (data: Float32Array): Float32Array =>
      data.subarray(token * dModel, (token + 1) * dModel)
    expectClose([norm(vector(layer.output))], [one.outputNorm], tolerance)
    expectClose(vector(layer.output).subarray(0, 16), one.output, tolerance)
    const contributions = Array.from({ length: heads }, (_, h) =>
      Array.from(row(layer.pattern, h), (weight, key) => {
        return weight * (layer.valueNorms[h * tokens + key] ?? NaN)
      }),
    )
    expectClose(contributions.flat(), one.contributions, tolerance)
    expectClose([norm(vector(layer.x))], [one.norms.x], tolerance)
    for (const name of ['sum', 'forward', 'next'] as const) {
      const data = layer.beyond?.[name] ?? new Float32Array()
      expectClose([norm(vector(data))], [one.norms[name]], tolerance)
    }
  })

  it('a head cut out and alone differ by rounding', async () => {
    for (const layer of layers) {
      expect(await cutDifference(runtime, layer, head)).toBeLessThanOrEqual(1e-5)
    }
  })
})
