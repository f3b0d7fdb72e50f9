// The module comes from another origin, from which no Worker can be started. Either the module
// computes on the page's thread, or the page makes a Worker that imports the script.
import { show, task } from './task.js'

const query = new URLSearchParams(location.search)
const cdn = query.get('cdn')

function workerOf(address) {
  const script = `import ${JSON.stringify(address)}`
  return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
}

async function run() {
  const { createRuntime } = await import(new URL('index.js', cdn))
  const worker = query.has('worker') && workerOf(new URL('worker.js', cdn).href)
  return task(createRuntime, new URL('public/model/', document.baseURI), worker ? { worker } : {})
}

void show(run())
