// Builds and runs the GoogleTest program of a preset: natively, under sanitizers, or as WebAssembly
// in Node. The counts are read from GoogleTest's own JSON report.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

import { cmakeBuild } from '../lib/cmake.mjs'
import { buildFolder } from '../lib/paths.mjs'
import { exitCode } from '../lib/process.mjs'
import { say } from '../lib/say.mjs'
import { nothing, withExitCode } from './result.mjs'

function counts(reportFile) {
  if (!existsSync(reportFile)) return nothing
  const report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const tests = report.testsuites.flatMap((suite) => suite.testsuite)
  const failed = tests.filter((test) => test.failures?.length > 0).length
  const skipped = tests.filter((test) => test.result !== 'COMPLETED').length
  return { passed: tests.length - failed - skipped, failed, skipped }
}

/** Runs the tests of one preset. */
export async function cppTests(preset, toolchain) {
  const folder = await cmakeBuild(preset, toolchain, ['headwise_tests'])
  const report = path.join(buildFolder, 'reports', `cpp-${preset}.json`)
  mkdirSync(path.dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const isWasm = preset !== 'native' && preset !== 'sanitize'
  // Node 20 hides relaxed SIMD, and its baseline compiler cannot do the dots of int8 weights.
  const flags = preset.includes('relaxed')
    ? ['--experimental-wasm-relaxed-simd', '--no-liftoff']
    : []
  const program = path.join(folder, isWasm ? 'headwise_tests.cjs' : 'headwise_tests')
  const [command, ...args] = isWasm ? [process.execPath, ...flags, program] : [program]
  const options = [`--gtest_output=json:${report}`, '--gtest_brief=1']
  const code = await exitCode(command, [...args, ...options])
  const result = withExitCode(counts(report), code)
  if (result.passed + result.failed === 0) {
    say(`${preset}: no test ran`)
    return { ...result, failed: 1 }
  }
  return result
}
