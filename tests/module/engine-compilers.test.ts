// Engines compile twice, at first in a hurry and later well, and a clock chooses between two kernels
// of int8 weights: neither may change a result.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('./fixtures/favoured-kernel.mjs', import.meta.url))
const relaxed = process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd'] : []

function patternsOf(flag: string, kernel: 'pairs' | 'quads'): string {
  const { stdout, stderr } = spawnSync(process.execPath, [...relaxed, flag, script, kernel], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return stdout.trim() || stderr
}

test('int8 models give the same bits by every kernel and every compiler of the engine', () => {
  const expected = patternsOf('--no-liftoff', 'pairs')
  expect(expected).toMatch(/^[\da-f]{64}$/)
  for (const flag of ['--liftoff-only', '--no-liftoff']) {
    for (const kernel of ['pairs', 'quads'] as const) {
      expect({ flag, kernel, sum: patternsOf(flag, kernel) }).toEqual({
        flag,
        kernel,
        sum: expected,
      })
    }
  }
}, 300_000)
