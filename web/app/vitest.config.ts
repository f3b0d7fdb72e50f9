// Tests of the page's pure parts: state, measures, colours, exports, catalogues.
import { defineConfig } from 'vitest/config'
import { tex } from './vite/tex.ts'

export default defineConfig({
  plugins: [tex()],
  test: { include: ['src/**/*.test.ts', 'vite/**/*.test.ts'] },
})
