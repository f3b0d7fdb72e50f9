// Loads changed models, seed after seed from `workerData.seed` on, in a thread that can be ended when
// one of them does not come to its end.

import { parentPort, workerData } from 'node:worker_threads'

import { createRuntime } from '../../../web/module/dist/core/index.js'
import { caseOf } from './case.mjs'
import { findingOf } from './finding.mjs'

console.warn = () => undefined // the library's, about patterns that it does not know
const hw = await createRuntime({ build: 'simd', maximumMemory: 2 ** 28 })
for (let seed = workerData.seed; ; seed++) {
  parentPort.postMessage({ begin: seed })
  const finding = await findingOf(hw, caseOf(seed).files)
  if (finding !== undefined) parentPort.postMessage({ seed, finding })
}
