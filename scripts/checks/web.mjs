// Runs Vitest (module and page) and Playwright (the page in Chromium) and reads their JSON reports.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'

import { buildFolder, root } from '../lib/paths.mjs'
import { exitCode } from '../lib/process.mjs'
import { nothing, withExitCode } from './result.mjs'

const bin = (name) => path.join(root, 'node_modules/.bin', name)

function freshReport(name) {
  const report = path.join(buildFolder, 'reports', `${name}.json`)
  mkdirSync(path.dirname(report), { recursive: true })
  rmSync(report, { force: true })
  return report
}

function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
}

/** All of Vitest's projects, or those named. `long` asks the tests for their long forms. */
export async function vitest({ long = false, projects = [] } = {}) {
  const report = freshReport('vitest')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const env = { ...(long && { HEADWISE_LONG: '1' }) }
  const chosen = projects.map((name) => `--project=${name}`)
  const code = await exitCode(bin('vitest'), ['run', ...reporters, ...chosen], { cwd: root, env })
  const about = read(report)
  const result = about && {
    passed: about.numPassedTests,
    failed: about.numFailedTests,
    skipped: about.numPendingTests + about.numTodoTests,
  }
  return withExitCode(result ?? nothing, code)
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Tests tagged @all belong to the long run alone. */
export async function playwright({ long = false } = {}) {
  const report = freshReport('playwright')
  const selection = long ? ['--grep', '@all', '--pass-with-no-tests'] : ['--grep-invert', '@all']
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    HEADWISE_E2E_PORT: String(await freePort()),
    ...(long && { HEADWISE_LONG: '1' }),
  }
  const args = ['test', '--reporter=line,json', ...selection]
  const code = await exitCode(bin('playwright'), args, { cwd: root, env })
  const stats = read(report)?.stats
  const result = stats && {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }
  return withExitCode(result ?? nothing, code)
}
