import { createRuntime } from 'headwise'
import { show, task } from './task.js'

// esbuild does not look for Workers: the package's files are copied beside the page.
const worker = new URL('headwise/worker.js', document.baseURI)
void show(task(createRuntime, new URL('model/', document.baseURI), { worker }))
