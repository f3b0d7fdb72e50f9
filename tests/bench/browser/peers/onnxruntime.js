// onnxruntime-web on its WebAssembly backend. A call copies its inputs in and its output out.

import { dModel } from '../../cases/attention.js'
import { attentionOnnx } from '../../formats/attention-onnx.js'

const dist = new URL('../../node_modules/onnxruntime-web/dist/', import.meta.url)

export async function loadOnnxRuntime(threads) {
  const ort = await import(new URL('ort.wasm.min.mjs', dist))
  ort.env.wasm.numThreads = threads
  ort.env.wasm.wasmPaths = dist.href
  ort.env.logLevel = 'error'
  return ort
}

export const sessionOptions = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' }

/** { operator: as in formats/attention-onnx.js, threads } */
export async function open({ operator, threads }) {
  const ort = await loadOnnxRuntime(threads)
  const tensor = (data) => new ort.Tensor('float32', data, [1, data.length / dModel, dModel])
  return {
    version: `onnxruntime-web ${ort.env.versions.web}`,
    async prepare(shape, inputs) {
      const model = attentionOnnx(operator, shape, inputs)
      const session = await ort.InferenceSession.create(model, sessionOptions)
      const feeds = Object.fromEntries(
        session.inputNames.map((name) => [name, tensor(inputs[name])]),
      )
      const [output] = session.outputNames
      return {
        run: async () => (await session.run(feeds))[output].data,
        dispose: () => session.release(),
      }
    },
  }
}
