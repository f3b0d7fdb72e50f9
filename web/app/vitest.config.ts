// Tests of the page's pure parts: state, measures, colours, exports, catalogues.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { tex } from './vite/tex.ts'

export default defineConfig({
  plugins: [svelte(), tex()],
  test: { include: ['src/**/*.test.ts', 'vite/**/*.test.ts'] },
})
