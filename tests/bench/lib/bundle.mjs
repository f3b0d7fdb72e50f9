// Bundles the built module as a user's bundler does, into build/bench/headwise: core.js and async.js
// with the .wasm files beside them, loadable in a page and in a Worker.

import path from 'node:path'

import { build } from 'vite'

import { root } from '../../../scripts/lib/paths.mjs'

const dist = path.join(root, 'web/module/dist')

export async function bundleModule() {
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    worker: { format: 'es' },
    build: {
      outDir: path.join(root, 'build/bench/headwise'),
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: false,
      rollupOptions: {
        input: { core: path.join(dist, 'core/index.js'), async: path.join(dist, 'index.js') },
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js' },
      },
    },
  })
}
