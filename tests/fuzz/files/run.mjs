// Loads changed models, seed after seed from `workerData.seed` on, in a thread that can be ended when
// one of them does not come to its end. Success and typed errors are fine; anything
// else, and memory that stays, is a finding.

import { parentPort, workerData } from 'node:worker_threads'

import { createRuntime, HeadwiseError } from '../../../web/module/dist/core/index.js'
import { caseOf } from './case.mjs'

const texts = ['the cat sats', ' Thé 🙂 안녕\u0000\n', '']

async function outcomeOf(hw, files) {
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

/** What is wrong with the case; undefined for nothing. */
async function findingOf(hw, files) {
  try {
    await outcomeOf(hw, files)
  } catch (error) {
    if (!(error instanceof HeadwiseError)) return error.stack ?? String(error)
    if (error.code === 'INTERNAL') return `INTERNAL: ${error.message}`
  }
  const { used } = hw.info.memory
  return used === 0 ? undefined : `${used} bytes of WebAssembly memory are kept`
}

console.warn = () => undefined // the library's, about patterns that it does not know
const hw = await createRuntime({ build: 'simd', maximumMemory: 2 ** 28 })
for (let seed = workerData.seed; ; seed++) {
  parentPort.postMessage({ begin: seed })
  const finding = await findingOf(hw, caseOf(seed).files)
  if (finding !== undefined) parentPort.postMessage({ seed, finding })
}
