// What a visitor of the page downloads, in kilobytes (1000 bytes) of brotli: the JavaScript of the
// first view against its budget, and what each chapter adds when it is opened. Read from the
// manifest that the build writes.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

import { root } from './paths.mjs'
import { PlainError } from './say.mjs'

/** Kilobytes of JavaScript that the first view may need, the model apart. */
export const pageBudget = 150

const site = path.join(root, 'web/app/dist')

export function kilobytes(contents) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(contents, { params }).length / 1000
}

function readManifest() {
  const file = path.join(site, '.vite/manifest.json')
  if (!existsSync(file)) throw new PlainError(`${file} is missing: npm run build`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Files that these sources need at once: their own, and what they import statically. */
function filesOf(manifest, sources) {
  const files = new Set()
  const seen = new Set()
  const visit = (key) => {
    if (seen.has(key)) return
    seen.add(key)
    const entry = manifest[key]
    if (!entry) throw new PlainError(`${key} is not in the manifest of the page`)
    for (const file of [entry.file, ...(entry.css ?? [])]) files.add(file)
    for (const each of entry.imports ?? []) visit(each)
  }
  for (const source of sources) visit(source)
  return files
}

/** Not needed for the first view: analyses, what writes texts, other architectures, and the glue of builds that have less of it. */
const laterInWorker =
  /^(head-analyses|analysed-model|generation|gpt2|llama|vit|bart|t5|hub|kept-files|headwise-(?!threads-))/

/** What runs in the module's Worker once the model is there. Manifests say nothing of Workers. */
function workerFiles() {
  const assets = path.join(site, 'assets')
  const read = (name) => readFileSync(path.join(assets, name), 'utf8')
  const found = new Set()
  const visit = (name) => {
    if (found.has(name) || laterInWorker.test(name)) return
    found.add(name)
    for (const [, next] of read(name).matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)) visit(next)
  }
  const workers = readdirSync(assets).filter((name) => /^worker-[\w-]{8}\.js$/.test(name))
  workers.filter((name) => read(name).includes('./models-')).forEach(visit)
  if (found.size === 0) throw new PlainError('no Worker of the page loads models')
  return [...found].map((name) => `assets/${name}`)
}

function sizeOf(files, extension) {
  let total = 0
  for (const file of files) {
    if (file.endsWith(extension)) total += kilobytes(readFileSync(path.join(site, file)))
  }
  return total
}

/** The page's side of a model, which the first view asks for. */
const modelSide = '../module/dist/async/model.js'

/** { firstView: { html, js, css, withinBudget }, chapters: [{ name, js, css }] } */
export function pageSizes() {
  const manifest = readManifest()
  const chapter = (name) => `src/chapters/${name}/open.ts`
  const language = (name) => `src/chapters/${name}/en.ts`
  const common = filesOf(manifest, ['index.html', 'src/i18n/frame.en.ts'])
  const first = new Set([
    ...common,
    ...filesOf(manifest, [chapter('look'), language('look'), modelSide]),
    ...workerFiles(),
  ])
  const js = sizeOf(first, '.js')
  const names = Object.keys(manifest).flatMap((key) => {
    const name = /^src\/chapters\/([\w-]+)\/open\.ts$/.exec(key)?.[1]
    return name ? [name] : []
  })
  return {
    firstView: {
      html: sizeOf(['index.html'], '.html'),
      js,
      css: sizeOf(first, '.css'),
      withinBudget: js <= pageBudget,
    },
    chapters: names.map((name) => {
      const files = filesOf(manifest, [chapter(name), language(name)])
      const added = [...files].filter((file) => !common.has(file))
      return {
        name,
        js: sizeOf(added, '.js'),
        css: sizeOf(added, '.css'),
        // A chapter that the entry imports would burden every visit.
        onDemand: !common.has(manifest[chapter(name)].file),
      }
    }),
  }
}
