// What a visitor downloads, compressed with brotli as a good host does.
//
//   node scripts/size.mjs          the module: wasm + JavaScript of each build, against the budget
//   node scripts/size.mjs page     the page: the first view against its budget, and each chapter

import './lib/node-version.mjs'

import path from 'node:path'

import { wasmBuilds } from './lib/cmake.mjs'
import { kilobytes, pageBudget, pageSizes } from './lib/page-sizes.mjs'
import { isMain, root } from './lib/paths.mjs'
import { PlainError, main } from './lib/say.mjs'

/** Kilobytes (1000 bytes) that one build of the module may weigh before a model is asked for. */
const moduleBudget = 150

const moduleDist = path.join(root, 'web/module/dist')

/**
 * Everything the module can load, bundled and minified, each part once: what the page's side and the
 * Worker share would otherwise be counted for both, though a visitor loads it for one of them.
 */
async function bundledModule() {
  const { build } = await import('vite')
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      rollupOptions: {
        input: ['index.js', 'worker.js'].map((name) => path.join(moduleDist, name)),
        preserveEntrySignatures: 'strict',
      },
    },
    plugins: [
      {
        // The Worker's script is an entry, those of threads only name what is counted already.
        name: 'workers-are-no-bundles',
        enforce: 'pre',
        transform: (code) =>
          code.replace(/new URL\("\.\/(worker|thread)\.js",\s*import\.meta\.url\)/g, '"$1.js"'),
      },
    ],
  })
  const atOnce = importedAtOnce(output)
  return output.map((file) => ({
    name: file.fileName,
    contents: file.code ?? file.source,
    isLater: file.type === 'chunk' && !atOnce.has(file.fileName),
  }))
}

/** The chunks that both sides and Emscripten's code need; others come when a model is asked for. */
function importedAtOnce(output) {
  const chunks = new Map(output.map((file) => [file.fileName, file]))
  const found = new Set()
  const visit = (name) => {
    if (found.has(name)) return
    found.add(name)
    chunks.get(name)?.imports?.forEach(visit)
  }
  for (const { fileName, isEntry, name } of output) {
    if (isEntry || /^headwise(-threads)?$/.test(name)) visit(fileName)
  }
  return found
}

/** A .wasm file is that of one build; Emscripten's code is shared by builds; all else serves all. */
function buildsThatNeed(name) {
  if (name.endsWith('.wasm')) {
    // The longest name that fits: 'threads-relaxed' before 'threads'.
    return wasmBuilds.filter((build) => new RegExp(`headwise-${build}[-.]`).test(name)).slice(0, 1)
  }
  if (!/headwise[-.]/.test(name)) return wasmBuilds
  const isThreads = /headwise-threads[-.]/.test(name)
  return wasmBuilds.filter((build) => build.startsWith('threads') === isThreads)
}

/**
 * [{ build, wasm, js, total, models, withinBudget }] of each WebAssembly build, in kilobytes: what
 * attention and layers need, and `models`, the code that comes with the first model.
 */
export async function moduleSizes() {
  const files = (await bundledModule()).map(({ name, contents, isLater }) => ({
    name,
    isLater,
    size: kilobytes(contents),
    needs: buildsThatNeed(name),
  }))
  const total = (chosen) => chosen.reduce((sum, { size }) => sum + size, 0)
  return wasmBuilds.map((build) => {
    const needed = files.filter((file) => file.needs.includes(build))
    const wasm = total(needed.filter(({ name }) => name.endsWith('.wasm')))
    const scripts = needed.filter(({ name }) => name.endsWith('.js'))
    const js = total(scripts.filter(({ isLater }) => !isLater))
    const models = total(scripts.filter(({ isLater }) => isLater))
    if (wasm === 0) throw new PlainError(`the bundled module holds no headwise-${build}.wasm`)
    return { build, wasm, js, total: wasm + js, models, withinBudget: wasm + js <= moduleBudget }
  })
}

function printPageSizes() {
  const { firstView, chapters } = pageSizes()
  const { html, js, css, withinBudget } = firstView
  const row = (name, ...sizes) =>
    `${name.padEnd(26)}${sizes.map((size) => size.toFixed(1).padStart(8)).join('')}`
  console.log('page, brotli, in KB             js     css')
  const remark = withinBudget ? `within ${pageBudget}` : `OVER the budget of ${pageBudget}`
  console.log(`${row('first view', js, css)}   ${remark} (js)`)
  for (const chapter of chapters) {
    const how = chapter.onDemand ? 'on demand' : 'NOT on demand'
    console.log(`${row(`chapter ${chapter.name}`, chapter.js, chapter.css)}   ${how}`)
  }
  console.log(`index.html ${html.toFixed(1)}; files that chapters share are counted for each`)
  return withinBudget && chapters.every(({ onDemand }) => onDemand) ? 0 : 1
}

async function printModuleSizes() {
  const sizes = await moduleSizes()
  console.log('one build, brotli, in KB      wasm      js   total  models')
  for (const { build, wasm, js, total, models, withinBudget } of sizes) {
    const numbers = [wasm, js, total, models].map((size) => size.toFixed(1).padStart(8)).join('')
    const remark = withinBudget ? `within ${moduleBudget}` : `OVER the budget of ${moduleBudget}`
    console.log(`${build.padEnd(26)}${numbers}   ${remark}`)
  }
  return sizes.every(({ withinBudget }) => withinBudget) ? 0 : 1
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const isPage = process.argv.includes('page')
    const [{ build }, { setup }] = await Promise.all([import('./build.mjs'), import('./setup.mjs')])
    await build(await setup('build'), isPage ? undefined : ['wasm', 'module'])
    return isPage ? printPageSizes() : printModuleSizes()
  })
}
