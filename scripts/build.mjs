// Builds everything that is shipped: the WebAssembly builds, the module in web/module/dist and the
// site in web/app/dist, which is the page with the module's documentation under docs/. Each part is
// skipped while its inputs are unchanged.
//
//   node scripts/build.mjs [wasm] [module] [page] [docs]      (all of them when none is named)

import './lib/node-version.mjs'

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { cmakeBuild, wasmBuilds } from './lib/cmake.mjs'
import { whenChanged } from './lib/content.mjs'
import { isMain, root, shown } from './lib/paths.mjs'
import { run } from './lib/process.mjs'
import { PlainError, main, say, timed } from './lib/say.mjs'
import { buildDocs } from './docs.mjs'
import { setup } from './setup.mjs'

const moduleFolder = path.join(root, 'web/module')
const appFolder = path.join(root, 'web/app')
const wasmFolder = path.join(moduleFolder, 'dist/wasm')

/** Copies only what differs, so that later steps see unchanged files as unchanged. */
function copyIfChanged(from, to) {
  writeIfChanged(to, readFileSync(from))
}

function writeIfChanged(to, contents) {
  if (existsSync(to) && readFileSync(to).equals(contents)) return
  mkdirSync(path.dirname(to), { recursive: true })
  writeFileSync(to, contents)
}

async function buildWasm(toolchain) {
  const { minifySync } = await import('vite') // only now: npm has installed it
  const codes = {}
  for (const build of wasmBuilds) {
    const folder = await cmakeBuild(build, toolchain, ['headwise_module'])
    const wasm = `headwise-${build}.wasm`
    copyIfChanged(path.join(folder, wasm), path.join(wasmFolder, wasm))
    const code = readFileSync(path.join(folder, `headwise-${build}.js`), 'utf8')
    const name = build.startsWith('threads') ? 'headwise-threads.js' : 'headwise.js'
    const shared = minifySync(name, forBundlers(code, build), { module: true }).code
    if ((codes[name] ??= shared) !== shared) {
      throw new PlainError(`the code of ${build} is not that of the builds it shares ${name} with`)
    }
  }
  for (const [name, code] of Object.entries(codes)) {
    writeIfChanged(path.join(wasmFolder, name), Buffer.from(code))
  }
  const products = new Set([...Object.keys(codes), ...wasmBuilds.map((b) => `headwise-${b}.wasm`)])
  // What an earlier version of the sources made must not be packed.
  for (const name of readdirSync(wasmFolder)) {
    if (!products.has(name)) rmSync(path.join(wasmFolder, name))
  }
}

/**
 * Emscripten's code as bundlers for browsers can take it, the same for every build with threads and
 * for every one without. Where it runs in Node it imports modules of Node, which they look for in
 * vain, or awaits them at the top, which a Worker's bundle may not; the process gives the same ones.
 * And it names the .wasm file, which it is given.
 */
function forBundlers(code, build) {
  const wasm = `headwise-${build}.wasm`
  const changes = [
    [
      'const{createRequire}=await import("node:module");var require=createRequire(import.meta.url)',
      'var require=process.getBuiltinModule',
    ],
    ['(await import("node:worker_threads"))', 'process.getBuiltinModule("node:worker_threads")'],
    [`new URL("${wasm}",import.meta.url).href`, '""'],
    [`locateFile("${wasm}")`, '""'],
  ]
  const changed = changes.reduce((text, [its, ours]) => text.replace(its, ours), code)
  const left = /import\("node:[^"]*"\)|headwise-[a-z-]*\.wasm/.exec(changed)
  if (left === null) return changed
  throw new PlainError(
    `headwise-${build}.js of this Emscripten is not as build.mjs knows it: ${left}`,
  )
}

/** The tokenizer library, one file without imports: a page without a bundler knows no packages. */
function copyTokenizers(target) {
  const library = path.join(root, 'node_modules/@huggingface/tokenizers')
  copyIfChanged(path.join(library, 'dist/tokenizers.min.mjs'), path.join(target, 'tokenizers.js'))
  copyIfChanged(path.join(library, 'LICENSE'), path.join(target, 'LICENSE'))
}

/**
 * Half the bytes to install and, without a bundler, to fetch. Files are named in quotes, as bundlers
 * look for them.
 */
async function minifyCode(dist) {
  const { minifySync } = await import('vite')
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!name.endsWith('.js') || name.startsWith('wasm')) continue
    const file = path.join(dist, name)
    const { code } = minifySync(name, readFileSync(file, 'utf8'), { module: true })
    writeFileSync(file, code.replace(/\b(import\(|new URL\()`(\.[^`$\\]*)`/g, '$1"$2"'))
  }
}

async function buildModule() {
  const inputs = ['src', 'package.json', 'tsconfig.json'].map((name) =>
    path.join(moduleFolder, name),
  )
  inputs.push(path.join(root, 'tsconfig.base.json'), path.join(root, 'package-lock.json'))
  const dist = path.join(moduleFolder, 'dist')
  const product = path.join(dist, 'index.js')
  const ran = await whenChanged('module', { inputs, product }, async () => {
    // Files whose sources are gone must not be packed.
    for (const name of existsSync(dist) ? readdirSync(dist) : []) {
      if (name !== 'wasm') rmSync(path.join(dist, name), { recursive: true })
    }
    await run('npm', ['run', '--silent', 'build', '--workspace', 'headwise'], { cwd: root })
    await minifyCode(dist)
    copyTokenizers(path.join(dist, 'tokenizers'))
  })
  if (!ran) say('the module is up to date')
}

async function buildPage() {
  const inputs = [
    appFolder,
    path.join(root, 'web/models'),
    path.join(root, 'package-lock.json'),
    ...['src', 'package.json'].map((name) => path.join(moduleFolder, name)),
    ...['headwise.js', 'headwise-threads.js'].map((name) => path.join(wasmFolder, name)),
    ...wasmBuilds.map((build) => path.join(wasmFolder, `headwise-${build}.wasm`)),
  ]
  const product = path.join(appFolder, 'dist/index.html')
  const ran = await whenChanged('page', { inputs, product }, () =>
    run('npm', ['run', '--silent', 'build', '--workspace', 'web/app'], { cwd: root }),
  )
  if (!ran) say('the page is up to date')
}

/** After the page, which empties the folder: what it keeps for use without a network has no docs. */
async function buildDocumentation() {
  const inputs = [
    path.join(root, 'typedoc.json'),
    path.join(root, 'scripts/docs.mjs'),
    path.join(root, 'package-lock.json'),
    ...['src', 'README.md', 'package.json'].map((name) => path.join(moduleFolder, name)),
  ]
  const folder = path.join(appFolder, 'dist/docs')
  const product = path.join(folder, 'index.html')
  const ran = await whenChanged('docs', { inputs, product }, () => buildDocs(folder))
  if (!ran) say('the documentation is up to date')
}

const parts = {
  wasm: { title: `WebAssembly builds (${wasmBuilds.join(', ')})`, build: buildWasm },
  module: { title: 'module', build: buildModule },
  page: { title: 'page', build: buildPage },
  docs: { title: 'documentation', build: buildDocumentation },
}

/** Builds the named parts in their order. */
export async function build(toolchain, names = Object.keys(parts)) {
  const firstTime = wasmBuilds.some((name) => !existsSync(path.join(root, 'build', name)))
  if (names.includes('wasm') && firstTime) {
    say('the first WebAssembly build takes some minutes: Emscripten compiles its own libraries too')
  }
  for (const name of Object.keys(parts).filter((part) => names.includes(part))) {
    await timed(`building the ${parts[name].title}`, () => parts[name].build(toolchain))
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const names = process.argv.slice(2)
    const unknown = names.find((name) => !(name in parts))
    if (unknown) {
      throw new PlainError(`unknown part '${unknown}', expected ${Object.keys(parts).join(', ')}`)
    }
    await build(await setup('build'), names.length > 0 ? names : undefined)
    say(`built: ${shown(path.join(moduleFolder, 'dist'))}, ${shown(path.join(appFolder, 'dist'))}`)
  })
}
