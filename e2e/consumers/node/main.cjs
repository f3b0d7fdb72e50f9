// Node 20.19 and later load ES modules with `require`.
const { createRuntime } = require('headwise')
const { createRuntime: createCoreRuntime } = require('headwise/core')

async function main() {
  const { task } = await import('./task.js')
  const { pathToFileURL } = require('node:url')
  const model = new URL('public/model/', pathToFileURL(__filename))
  const reports = {
    headwise: await task(createRuntime, model),
    'headwise/core': await task(createCoreRuntime, model),
  }
  console.log(JSON.stringify(reports))
}
main()
