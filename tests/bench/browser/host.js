// The page's side: `window.bench.call` reaches a session in this page, or one in a Worker of it.

import { Session } from './session.js'

function workerCalls() {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  const waiting = new Map()
  worker.onmessage = ({ data: { id, value, error } }) => {
    const { resolve, reject } = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) resolve(value)
    else reject(new Error(error))
  }
  worker.onerror = ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(message ?? 'the Worker failed'))
    waiting.clear()
  }
  let next = 0
  return (target, method, args) =>
    new Promise((resolve, reject) => {
      const id = next++
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, target, method, args })
    })
}

const session = new Session()
let inWorker

window.bench = {
  call: ({ worker, target, method, args }) => {
    if (!worker) return session[method](...args)
    inWorker ??= workerCalls()
    return inWorker(target, method, args)
  },
}
