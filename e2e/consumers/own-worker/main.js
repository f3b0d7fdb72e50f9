import { show } from './task.js'

const worker = new Worker(new URL('./compute.js', import.meta.url), { type: 'module' })
const report = new Promise((resolve, reject) => {
  worker.addEventListener('message', ({ data }) => resolve(data))
  worker.addEventListener('error', ({ message }) => reject(new Error(message)))
})
worker.postMessage(new URL('model/', document.baseURI).href)
void show(report)
