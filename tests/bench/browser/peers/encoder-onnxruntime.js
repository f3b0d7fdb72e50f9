// onnxruntime-web running the encoder from its ONNX file: ids in, last hidden state out.

import { loadOnnxRuntime, sessionOptions } from './onnxruntime.js'

/** { file: path of the ONNX file on this server, threads } */
export async function open({ file, threads }) {
  const ort = await loadOnnxRuntime(threads)
  const session = await ort.InferenceSession.create(file, sessionOptions)
  const tensorOf = (numbers) =>
    new ort.Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length])
  return {
    version: `onnxruntime-web ${ort.env.versions.web}`,
    prepare({ ids }) {
      const feeds = {
        input_ids: tensorOf(ids),
        attention_mask: tensorOf(ids.map(() => 1)),
        token_type_ids: tensorOf(ids.map(() => 0)),
      }
      return {
        run: async () => (await session.run(feeds)).last_hidden_state.data,
        dispose: () => {},
      }
    },
  }
}
