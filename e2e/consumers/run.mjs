// Builds the projects and looks at each as its user would, then prints a table of what was seen.

import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { filesUnder, hashOf } from '../../scripts/lib/content.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { capture } from '../../scripts/lib/process.mjs'
import { say, seconds } from '../../scripts/lib/say.mjs'
import { openChromium, openFirefox } from './browser.mjs'
import { faultsOf } from './judge.mjs'
import { nodeRows } from './node.mjs'
import { projects } from './projects.mjs'
import { serveVisit } from './servers.mjs'
import { installTools, layOut, smallModel, workplace } from './workplace.mjs'

const resultsFile = path.join(workplace, 'results.json')

function versionOf(tool) {
  const file = path.join(workplace, 'node_modules', tool, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

function headersOf({ isolation, csp }) {
  return [isolation && 'COOP+COEP', csp && 'CSP'].filter(Boolean).join(', ') || 'none'
}

/** What of WebAssembly a page has fetched: as many files as `faultsOf` has counted. */
function fetchedText({ build }, files = 1) {
  const name = `headwise-${build}.wasm`
  const { size } = statSync(path.join(root, 'web/module/dist/wasm', name))
  return files === 1 ? `${(size / 1000).toFixed(0)} KB` : `${files} files`
}

/** One row of the table. */
async function see(browser, { name, tool }, folder, visit) {
  const row = {
    project: name,
    tool: tool === undefined ? browser.name : `${tool.replace(/\d+$/, '')} ${versionOf(tool)}`,
    mode: visit.mode ?? (tool === undefined ? 'as it is' : 'build'),
    headers: headersOf(visit),
  }
  const server = await serveVisit(folder, visit)
  try {
    const seen = await browser.visit(server.url)
    const faults = faultsOf(seen, visit)
    if (faults.length > 0) return { ...row, build: seen.report.build ?? '-', faults }
    const fetched = fetchedText(seen.report, visit.files)
    return { ...row, build: seen.report.build, fetched, faults }
  } catch (error) {
    return { ...row, build: '-', faults: [String(error)] }
  } finally {
    await server.close()
  }
}

async function rowsOf(browser, project, { tarball, model }) {
  const folder = await layOut(project.name, tarball, model)
  if (project.tool !== undefined) {
    const env = { NEXT_TELEMETRY_DISABLED: '1' }
    const { code, stdout, stderr } = await capture('npm', ['run', 'build'], { cwd: folder, env })
    if (code !== 0) {
      const faults = [`npm run build failed:\n${(stdout + stderr).slice(-3000)}`]
      const tool = `${project.tool} ${versionOf(project.tool)}`
      return [{ project: project.name, tool, mode: 'build', headers: '-', build: '-', faults }]
    }
  }
  const rows = []
  for (const visit of project.visits) rows.push(await see(browser, project, folder, visit))
  return rows
}

async function firefoxRows({ tarball, model }) {
  const firefox = await openFirefox(workplace)
  if (firefox === undefined) {
    say('Firefox is not installed: the plain script is not seen in it')
    return [{ project: 'plain-script', tool: 'Firefox', skipped: 'not installed', faults: [] }]
  }
  try {
    const project = projects.find(({ name }) => name === 'plain-script')
    return await rowsOf(firefox, project, { tarball, model })
  } finally {
    await firefox.close()
  }
}

function printTable(rows) {
  const heads = ['project', 'tool', 'mode', 'headers', 'build', 'fetched', 'result']
  const cells = rows.map(({ faults, skipped, ...row }) => ({
    ...row,
    result: skipped ? `skipped (${skipped})` : faults.length === 0 ? 'passed' : 'FAILED',
  }))
  const widths = heads.map((head) =>
    Math.max(head.length, ...cells.map((row) => (row[head] ?? '').length)),
  )
  const line = (row) => heads.map((head, i) => (row[head] ?? '').padEnd(widths[i])).join('  ')
  console.log(`\n${line(Object.fromEntries(heads.map((head) => [head, head])))}`)
  for (const row of cells) console.log(line(row))
  for (const { project, mode, headers, faults } of rows) {
    for (const fault of faults) console.log(`\n${project}, ${mode}, ${headers}: ${fault}`)
  }
}

/** What an interrupted run has seen of the same files. */
function earlierResults(key) {
  try {
    const earlier = JSON.parse(readFileSync(resultsFile, 'utf8'))
    return earlier.key === key ? earlier.results : {}
  } catch {
    return {}
  }
}

/** All projects with `long`, else Node and the plain script. Resolves to the rows. */
export async function runConsumers({ tarball, long, only = [] }) {
  if (long) await installTools()
  const key = hashOf([tarball, ...filesUnder(path.join(root, 'e2e/consumers'))], String(long))
  const results = earlierResults(key)
  const browser = await openChromium()
  try {
    const given = { tarball, model: await smallModel() }
    const works = [
      ['node', () => nodeRows(given)],
      ...projects
        .filter((project) => long || !project.long)
        .map((project) => [project.name, () => rowsOf(browser, project, given)]),
      ...(long ? [['firefox', () => firefoxRows(given)]] : []),
    ]
    for (const [name, work] of works) {
      if (only.length > 0 && !only.includes(name)) continue
      if (results[name] === undefined) {
        const start = performance.now()
        results[name] = await work()
        say(`${name}: seen in ${seconds(performance.now() - start)}`)
        writeFileSync(resultsFile, JSON.stringify({ key, results }))
      } else say(`${name}: seen before the interruption`)
    }
  } finally {
    await browser.close()
  }
  rmSync(resultsFile, { force: true })
  const rows = Object.values(results).flat()
  printTable(rows)
  return rows
}
