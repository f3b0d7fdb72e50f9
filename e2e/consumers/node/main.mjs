import { createRuntime } from 'headwise'
import { createRuntime as createCoreRuntime } from 'headwise/core'

import { task } from './task.js'

const model = new URL('public/model/', import.meta.url)
const reports = {
  headwise: await task(createRuntime, model),
  'headwise/core': await task(createCoreRuntime, model),
}
console.log(JSON.stringify(reports))
