// Engines compile twice, at first in a hurry and later well, and int8 weights have two kernels, chosen
// by the processor: neither may change a result.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('./fixtures/chosen-kernel.mjs', import.meta.url))
const relaxed = process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd'] : []

function patternsOf(flag: string, kernel: 'pairs' | 'quads'): string {
  const { stdout, stderr } = spawnSync(process.execPath, [...relaxed, flag, script, kernel], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return stdout.trim() || stderr
}

test('int8 models give the same bits by every kernel and every compiler of the engine', () => {
  const [, expected] = /^pairs ([\da-f]{64})$/.exec(patternsOf('--no-liftoff', 'pairs')) ?? []
  expect(expected).toBeDefined()
  // The baseline compiler of V8 11.3 has no quads to rely on without VNNI; the other one always has.
  expect(patternsOf('--no-liftoff', 'quads')).toBe(`quads ${expected}`)
  expect(patternsOf('--liftoff-only', 'pairs')).toBe(`pairs ${expected}`)
  expect(patternsOf('--liftoff-only', 'quads')).toMatch(
    new RegExp(`^(quads|no quads) ${expected}$`),
  )
}, 300_000)
