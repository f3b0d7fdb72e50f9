// What is wrong with how a model is loaded: success and typed errors are fine, anything else, and memory
// that stays, is a finding.

import { HeadwiseError } from '../../../web/module/dist/errors.js'

const texts = ['the cat sats', ' Thé 🙂 안녕\u0000\n', '']

async function use(hw, files) {
  const given = Object.entries(files).map(([name, bytes]) => new File([bytes], name))
  const model = await hw.loadModel(given)
  try {
    for (const text of texts) {
      model.tokenizer.encode(text)
      if (model.config.kind !== 'vision') model.run(text)
    }
  } finally {
    model.dispose()
  }
}

/** The finding in words; undefined for none. `hw` is a runtime of headwise/core. */
export async function findingOf(hw, files) {
  try {
    await use(hw, files)
  } catch (error) {
    if (!(error instanceof HeadwiseError)) return error.stack ?? String(error)
    if (error.code === 'INTERNAL') return `INTERNAL: ${error.message}`
  }
  const { used } = hw.info.memory
  return used === 0 ? undefined : `${used} bytes of WebAssembly memory are kept`
}
