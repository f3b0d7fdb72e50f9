// What takes part in `encode`: ours with float32 and with int8 weights in the fastest builds, and the
// two runtimes that run the same weights from ONNX files.

import path from 'node:path'

import { isBuilt, ours } from '../lib/peers.mjs'
import { root } from '../../../scripts/lib/paths.mjs'
import { modelFolder } from './weights.mjs'
import { onnxFolder } from './onnx.mjs'

/** The path under which the benchmark's server has a folder of the checkout. */
const served = (folder) => `/${path.relative(root, folder).split(path.sep).join('/')}/`

function headwise(build, precision, threads) {
  const options = { model: served(modelFolder), dtype: precision }
  const peer = ours(`${build} ${precision}`, build, threads, options)
  return { ...peer, module: 'encoder-headwise.js', precision }
}

function onnxRuntime(precision, file, threads) {
  const options = { file: `${served(onnxFolder)}onnx/${file}`, threads }
  const name = `onnxruntime ${precision}`
  return { name, group: name, module: 'encoder-onnxruntime.js', precision, options }
}

function transformers(precision, dtype, threads) {
  const models = served(path.dirname(onnxFolder))
  const options = { models, model: path.basename(onnxFolder), dtype, threads }
  const name = `transformers.js ${precision}`
  return { name, group: name, module: 'encoder-transformers.js', precision, options }
}

/** kind 'encode': ids to hidden states; kind 'embed': a text to its vector. */
export function encoderPeers(kind, threads) {
  const builds = threads > 1 ? ['threads-relaxed', 'threads'] : ['relaxed', 'simd']
  const others =
    kind === 'encode'
      ? [
          onnxRuntime('float32', 'model.onnx', threads),
          onnxRuntime('int8', 'model_quantized.onnx', threads),
        ]
      : [transformers('float32', 'fp32', threads), transformers('int8', 'q8', threads)]
  return [
    ...builds
      .filter(isBuilt)
      .flatMap((build) => ['float32', 'int8'].map((dtype) => headwise(build, dtype, threads))),
    ...others,
  ]
}
