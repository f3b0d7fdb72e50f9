// The built page in Chromium, served as scripts/serve.mjs serves it: cross-origin isolated and under
// the strict Content-Security-Policy. `npm test` builds first; by hand: npm run build.

import { defineConfig } from '@playwright/test'

import { chromiumLaunchOptions } from './scripts/lib/chromium.mjs'

const port = Number(process.env['HEADWISE_E2E_PORT'] ?? 4317)
const baseURL = `http://localhost:${port}/`

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  workers: 2,
  // A machine that stood still for a while is no fault of the page; what needed a second try is named.
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: 20_000 }, // what is awaited may share its processor with another test
  reporter: 'list',
  use: {
    baseURL,
    launchOptions: chromiumLaunchOptions(),
    trace: 'off', // it makes every test slower; `--trace on` shows what failed
    // What a service worker answers is out of a test's sight; offline.spec.ts allows it.
    serviceWorkers: 'block',
  },
  webServer: {
    command: `node scripts/serve.mjs --port ${port}`,
    url: baseURL,
    reuseExistingServer: process.env['CI'] === undefined,
  },
})
