// Ours running the head lab, beside the encoder alone on the same sentences, one after the other.

import { openRuntime } from './headwise.js'

/** { model: folder on this server } and the options of headwise.js */
export async function open({ model, ...options }) {
  const runtime = await openRuntime(options)
  const loaded = await runtime.loadModel(new URL(model, location.origin))
  await loaded.whenLoaded()
  const runs = {
    encode: ({ texts }) => loaded.embed(texts),
    roles: ({ sentences }) => loaded.headRoles(sentences),
    importance: ({ pairs }) => loaded.headImportance(pairs),
  }
  return {
    version: `headwise ${runtime.info.version}`,
    prepare: (shape) => ({ run: () => runs[shape.name](shape), dispose: () => {} }),
  }
}
