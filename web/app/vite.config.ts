// How the page is built: for any sub-path, with nothing inline that a strict
// Content-Security-Policy would refuse, formulas rendered beforehand, models beside it.
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { exampleIds } from './src/i18n/examples.ts'
import { models } from './vite/models.ts'
import { offline } from './vite/offline.ts'
import { tex } from './vite/tex.ts'

const modelFolder = fileURLToPath(new URL('../models', import.meta.url))
const serviceWorker = fileURLToPath(new URL('offline/service-worker.ts', import.meta.url))

/** Of 14 places that load code: the page itself and 13 chapters. */
const mostChapters = 10

export default defineConfig({
  base: './',
  plugins: [
    svelte(),
    tex(),
    models({ from: modelFolder, exampleIds }),
    offline({ source: serviceWorker, name: 'service-worker.js' }),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    // What most chapters use, the first one too, is one file: it is packed better than thirty small
    // ones, and there are fewer names to list and files to ask for.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: mostChapters }] } },
    },
  },
  worker: { format: 'es' },
  // The module finds its worker and its WebAssembly beside its own code.
  optimizeDeps: { exclude: ['headwise'] },
})
