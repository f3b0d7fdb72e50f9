// The synchronous entrance, on a thread that may block.
import { createRuntime } from 'headwise/core'
import { task } from './task.js'

addEventListener('message', async ({ data: model }) => {
  postMessage(await task(createRuntime, model).catch((error) => ({ failure: String(error) })))
})
