// Gets the WebAssembly toolchain and says where it is. `--print` writes the environment as shell
// lines instead, for building by hand: eval "$(node scripts/toolchain.mjs --print)".

import './lib/node-version.mjs'

import { main, say } from './lib/say.mjs'
import { toolchain } from './lib/toolchain.mjs'

function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

await main(async () => {
  const found = await toolchain()
  if (!process.argv.includes('--print')) {
    say(`Emscripten ${found.version} at ${found.origin}`)
    return
  }
  for (const [name, value] of Object.entries(found.env)) {
    process.stdout.write(`export ${name}=${shellQuoted(value)}\n`)
  }
})
