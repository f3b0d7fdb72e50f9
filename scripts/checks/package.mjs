// What a user of the npm package gets: the tarball holds all that is needed and nothing else, is put
// together as its package.json says, has types that resolve in every mode, documentation that can be
// made without a warning, and one build of it stays within its size; and that the page's first view
// does, with its chapters fetched on demand.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { neededFiles } from '../lib/module-files.mjs'
import { packModule } from '../lib/pack.mjs'
import { pageSizes } from '../lib/page-sizes.mjs'
import { buildFolder, root } from '../lib/paths.mjs'
import { exitCode, run } from '../lib/process.mjs'
import { say } from '../lib/say.mjs'
import { moduleSizes } from '../size.mjs'
import { sum, verdict } from './result.mjs'

/** Bytes that the tarball may take unpacked, with every build in it. */
const unpackedBudget = 1.5e6

/** What npm adds, or the licences ask for. */
const besides = [
  'LICENSE',
  'README.md',
  'THIRD-PARTY-NOTICES.md',
  'package.json',
  'dist/tokenizers/LICENSE',
]

const moduleFolder = path.join(root, 'web/module')

async function tool(name, ...args) {
  const code = await exitCode(path.join(root, 'node_modules/.bin', name), args, { cwd: root })
  return verdict(code === 0)
}

function says(holds, text) {
  say(`${holds ? '' : 'FAILED: '}${text}`)
  return verdict(holds)
}

/** Exactly the files that something reaches. */
function checkFiles({ files }) {
  const packed = new Set(files.map((file) => file.path))
  const wanted = new Set([
    ...besides,
    ...neededFiles(path.join(moduleFolder, 'dist')).map((name) => `dist/${name}`),
  ])
  const missing = [...wanted].filter((name) => !packed.has(name))
  const needless = [...packed].filter((name) => !wanted.has(name))
  return says(
    missing.length + needless.length === 0,
    `the tarball has ${packed.size} files; missing: ${missing.join(', ') || 'none'}; ` +
      `needless: ${needless.join(', ') || 'none'}`,
  )
}

/** A package that is installed must not hide what this one needs: nothing is imported by name. */
function checkImports({ files }) {
  const foreign = files
    .filter((file) => file.path.endsWith('.js'))
    .filter((file) => {
      const code = readFileSync(path.join(moduleFolder, file.path), 'utf8')
      return /(?:\bfrom|\bimport)\s*\(?\s*["'](?!\.)[^"']+["']\s*\)?/.test(withoutComments(code))
    })
    .map((file) => file.path)
  return says(foreign.length === 0, `files that import a package: ${foreign.join(', ') || 'none'}`)
}

function withoutComments(code) {
  return code.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
}

function checkSize({ unpacked, packed }) {
  const [whole, squeezed] = [unpacked, packed].map((bytes) => `${(bytes / 1000).toFixed(0)} KB`)
  return says(unpacked < unpackedBudget, `the tarball: ${squeezed}, unpacked ${whole}`)
}

/** A project with the oldest `lib` that has all the module needs, which checks what it installs. */
async function checkTypes(tarball) {
  const folder = path.join(buildFolder, 'package-types')
  const installed = path.join(folder, 'node_modules/headwise')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', tarball.file, '-C', installed, '--strip-components=1'])
  const write = (name, text) => writeFileSync(path.join(folder, name), text)
  write('package.json', '{ "type": "module" }')
  write('main.ts', "export * as whole from 'headwise'\nexport * as core from 'headwise/core'\n")
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['main.ts'] }))
  return tool('tsc', '--project', folder)
}

export async function packageChecks() {
  const tarball = await packModule()
  const results = [checkFiles(tarball), checkImports(tarball), checkSize(tarball)]
  results.push(await checkTypes(tarball))
  results.push(await tool('publint', 'run', tarball.file, '--strict'))
  // CommonJS gets the ES module: Node 20.19, the oldest that this package supports, can require it.
  results.push(
    await tool(
      'attw',
      tarball.file,
      '--ignore-rules',
      'cjs-resolves-to-esm',
      '--exclude-entrypoints',
      './worker.js',
      '--no-emoji',
    ),
  )
  results.push(await tool('typedoc', '--emit', 'none'))
  const sizes = await moduleSizes()
  for (const { build, total, withinBudget } of sizes) {
    results.push(says(withinBudget, `${build}: ${total.toFixed(1)} KB, wasm + JavaScript`))
  }
  const { firstView, chapters } = pageSizes()
  const script = `page: ${firstView.js.toFixed(1)} KB of JavaScript in the first view`
  results.push(says(firstView.withinBudget, script))
  return sum([...results, ...chapters.map(({ onDemand }) => verdict(onDemand))])
}
