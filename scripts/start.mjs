// `npm start`: sets up what is missing, builds what changed, serves the page and prints its address.
// Takes serve.mjs's options --port and --host.

import './lib/node-version.mjs'

import path from 'node:path'
import { parseArgs } from 'node:util'

import { build } from './build.mjs'
import { root } from './lib/paths.mjs'
import { main, say, seconds } from './lib/say.mjs'
import { serve } from './serve.mjs'
import { setup } from './setup.mjs'

await main(async () => {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, host: { type: 'string' } },
  })
  await build(await setup('build'))
  const { url } = await serve({
    folder: path.join(root, 'web/app/dist'),
    exactPort: values.port !== undefined,
    ...(values.port && { port: Number(values.port) }),
    ...(values.host && { host: values.host }),
  })
  say(`ready after ${seconds(performance.now())}; Ctrl-C ends it`)
  console.log(`\n  Headwise is at ${url}\n`)
})
