import { createRuntime } from './node_modules/headwise/dist/index.js'
import { show, task } from './task.js'

const build = new URLSearchParams(location.search).get('build') ?? 'auto'
void show(task(createRuntime, new URL('public/model/', document.baseURI), { build }))
