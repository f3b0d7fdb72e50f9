// Importing the module does nothing: no file is fetched, nothing compiled, no thread started. Pages
// have e2e/lifetime.spec.ts.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

test('importing alone starts nothing, and Node ends', () => {
  const script = fileURLToPath(new URL('./fixtures/imports-only.mjs', import.meta.url))
  const { stdout, status } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  const { started, resources, before } = JSON.parse(stdout) as Record<string, string[]>
  expect(started).toEqual([])
  expect(resources).toEqual(before)
  expect(status).toBe(0)
})
