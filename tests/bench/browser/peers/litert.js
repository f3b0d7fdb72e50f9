// LiteRT.js (TensorFlow Lite with XNNPACK) on its WebAssembly accelerator, in its build with relaxed
// SIMD. Tensors are made and freed by hand; in a decode, key and value stay with the runtime.

import { dModel } from '../../cases/attention.js'
import { attentionTflite } from '../../formats/attention-tflite.js'

const packages = new URL('../../node_modules/', import.meta.url)

/** { threads } */
export async function open({ threads }) {
  const litert = await import('@litertjs/core')
  const flatbuffers = await import(new URL('flatbuffers/mjs/flatbuffers.js', packages))
  const wasm = new URL('@litertjs/core/wasm/', packages)
  await litert.loadLiteRt(wasm.pathname, { threads: threads > 1 })
  const tensor = (data) => new litert.Tensor(data, [1, data.length / dModel, dModel])
  return {
    version: '@litertjs/core',
    async prepare(shape, inputs) {
      const bytes = attentionTflite(flatbuffers, shape, inputs)
      const compiled = { accelerator: 'wasm', cpuOptions: { numThreads: threads } }
      const model = await litert.loadAndCompile(bytes, compiled)
      const given = shape.kind === 'block' ? [inputs.x] : Object.values(inputs)
      const resident = shape.kind === 'decode' ? given.splice(1).map(tensor) : []
      return {
        run: async () => {
          const fresh = given.map(tensor)
          const outputs = await model.run([...fresh, ...resident])
          const data = new Float32Array(outputs[0].toTypedArray())
          for (const used of [...fresh, ...outputs]) if (!used.deleted) used.delete()
          return data
        },
        dispose: () => {
          for (const kept of resident) kept.delete()
          model.delete()
        },
      }
    },
  }
}
