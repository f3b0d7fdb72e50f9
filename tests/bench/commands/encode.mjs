// `npm run bench -- encode`: a whole encoder, MiniLM, on sentences of 16 to 512 tokens. First ids in
// and hidden states out, beside onnxruntime-web; then a text in and its vector out, beside
// Transformers.js. All run the weights of web/models/minilm-l6.

import { encoderCases, hiddenSummary, pooled } from '../cases/encoder.js'
import { writeEncoderModels } from '../encoder/onnx.mjs'
import { encoderPeers } from '../encoder/peers.mjs'
import { keptHiddenState } from '../encoder/reference.mjs'
import { readJson, readWeights } from '../encoder/weights.mjs'
import { largestError } from '../lib/compare.mjs'
import {
  fastestOf,
  limitsLine,
  medianOf,
  oursVerified,
  remarks,
  timesTable,
} from '../lib/comparison.mjs'
import { chosen } from '../lib/peers.mjs'
import { digits, factor, report, table } from '../lib/report.mjs'
import { measure } from '../lib/rounds.mjs'

/** float32 results differ by less; int8 activations are judged by the direction of the vector. */
const tolerance = 1e-4
const leastCosine = 0.98

function cosine(a, b) {
  const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

function unit(vector) {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}

/** What `measure` must know of a kind: 'encode' or 'embed'. */
function taskOf(kind, shapes, weights, config) {
  const { hidden_size: width, intermediate_size: inner, num_hidden_layers: layers } = config
  return {
    warmUp: shapes.find(({ tokens }) => tokens === 128),
    expected(shape) {
      const hidden = keptHiddenState(weights, config, shape.ids)
      if (kind === 'encode') return hiddenSummary(shape, hidden)
      return [...unit(pooled(hidden, shape.tokens))]
    },
    judge({ precision }, summary, expected) {
      const error = largestError(summary, expected)
      // The pooled vector is the last part of either summary.
      const direction = cosine(summary.slice(-width), expected.slice(-width))
      const verified = precision === 'float32' ? error <= tolerance : direction >= leastCosine
      return { error, cosine: direction, verified }
    },
    flops: ({ tokens }) =>
      layers * (2 * tokens * (4 * width * width + 2 * width * inner) + 4 * tokens ** 2 * width),
  }
}

/** Each of ours: speed, accuracy, and how many times as fast as each of the others. */
function ratiosTable(cases) {
  const all = cases.flatMap(({ results }) => results)
  const others = [...new Set(all.map(({ group }) => group))].filter((name) => name !== 'headwise')
  const rows = cases.flatMap(({ shape, results }) =>
    results
      .filter(({ verified, group }) => verified && group === 'headwise')
      .map((entry) => [
        `${shape.name} ${entry.peer}`,
        digits(entry.gigaflops),
        ...others.map((group) => factor(fastestOf(results, group) / medianOf(entry))),
        entry.error.toExponential(1),
        entry.cosine.toFixed(5),
      ]),
  )
  const heads = others.map((name) => `vs ${name}`)
  return table(['tokens', 'GFLOP/s', ...heads, 'error', 'cosine'], rows)
}

/** The accuracy of the others, once for each. */
function accuracyTable(cases) {
  const rows = cases.flatMap(({ shape, results }) =>
    results
      .filter(({ cosine: direction, group }) => direction !== undefined && group !== 'headwise')
      .map(({ peer, error, cosine: direction }) => [
        `${shape.name} ${peer}`,
        error.toExponential(1),
        direction.toFixed(5),
      ]),
  )
  return table(['tokens', 'error', 'cosine'], rows)
}

const titles = { encode: 'ids to hidden states', embed: 'text to vector' }

export async function encode({ run, browser, options, effort }) {
  await writeEncoderModels()
  const [weights, config] = [readWeights(), readJson('config.json')]
  const { vocab } = readJson('tokenizer.json').model
  // Large modules need longer until the engine has compiled them for speed.
  const patient = { ...effort, firstWarmUp: 2 * effort.firstWarmUp, warmUp: 2 * effort.warmUp }
  const sections = []
  const data = []
  for (const threads of options.threads) {
    for (const kind of Object.keys(titles)) {
      const all = encoderCases(kind, vocab)
      const task = taskOf(kind, all, weights, config)
      const peers = chosen(encoderPeers(kind, threads), options.peers, 'peer')
      const shapes = chosen(all, options.shapes, 'shape')
      const measured = await measure(browser, { task, peers, shapes, effort: patient })
      const { cases } = measured
      sections.push(`## ${titles[kind]}, threads: ${threads}`)
      sections.push(limitsLine(cases), timesTable(cases))
      sections.push(ratiosTable(cases), accuracyTable(cases))
      if (remarks(measured)) sections.push(remarks(measured))
      data.push({ kind, threads, ...measured })
    }
  }
  const title = 'Encoder: all-MiniLM-L6-v2, one sentence, median ms'
  report('encode', { title, run, sections, data: { measured: data } })
  return data.every(oursVerified) ? 0 : 1
}
