// `vitest run` at the root runs the module's tests and the page's unit tests in one go.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'module',
          include: ['module', 'conformance', 'scripts'].map((name) => `tests/${name}/**/*.test.ts`),
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'properties',
          include: ['tests/properties/**/*.test.ts'],
          testTimeout: 3_600_000, // the long form is millions of small calls
        },
      },
      './web/app/vitest.config.ts',
    ],
  },
})
