// Answers calls of the page from a Worker: { id, target, method, args } -> { id, value | error }.

import { openLimits } from '../../../web/app/src/limits/limits.js'
import { Session } from './session.js'

const session = new Session()
let limits

const targets = {
  session,
  limits: {
    open: async () => {
      limits = await openLimits()
    },
    measure: (milliseconds) => limits.measure(milliseconds),
  },
}

onmessage = async ({ data: { id, target, method, args } }) => {
  try {
    postMessage({ id, value: await targets[target][method](...args) })
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) })
  }
}
