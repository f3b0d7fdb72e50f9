// Transformers.js as its documentation uses it: a text in, its mean-pooled, normalised vector out,
// tokenizing included. The WebAssembly is the one that it chooses by itself, read from its package.

const transformers = new URL('../../node_modules/@huggingface/transformers/', import.meta.url)

/** { models: folder on this server, model: folder in it, dtype: 'fp32' | 'q8', threads } */
export async function open({ models, model, dtype, threads }) {
  const { env, pipeline } = await import(new URL('dist/transformers.min.js', transformers))
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.localModelPath = models
  env.useBrowserCache = false
  env.useWasmCache = false
  const runtime = new URL(
    'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify',
    transformers,
  )
  env.backends.onnx.wasm.wasmPaths = { mjs: `${runtime}.mjs`, wasm: `${runtime}.wasm` }
  env.backends.onnx.wasm.numThreads = threads
  const extract = await pipeline('feature-extraction', model, { device: 'wasm', dtype })
  return {
    version: `@huggingface/transformers ${env.version}`,
    prepare: ({ text }) => ({
      run: async () => (await extract(text, { pooling: 'mean', normalize: true })).data,
      dispose: () => {},
    }),
  }
}
