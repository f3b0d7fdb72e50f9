// Ours running the encoder: ids in and the last hidden state out, or a text in and its vector out.

import { openRuntime } from './headwise.js'

/** { model: folder on this server, dtype } and the options of headwise.js */
export async function open({ model, dtype, ...options }) {
  const runtime = await openRuntime(options)
  const loaded = await runtime.loadModel(new URL(model, location.origin), { dtype })
  await loaded.whenLoaded()
  const runs = {
    encode: ({ ids }) => loaded.run(ids).output.data,
    embed: ({ text }) => loaded.embed([text]).data,
  }
  return {
    version: `headwise ${runtime.info.version}`,
    prepare: (shape) => ({ run: () => runs[shape.kind](shape), dispose: () => {} }),
  }
}
