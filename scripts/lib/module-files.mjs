// Which files of the built module anything can reach: what a user of the package loads, and the types
// of that. Modules that held types only and types of inner parts are not among them.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Where users come in. */
const entries = [
  'index.js',
  'core/index.js',
  'worker.js',
  'command/analyze.js',
  'index.d.ts',
  'core/index.d.ts',
]

const named = [
  /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g, // import and export, static and dynamic
  /new URL\(\s*['"](\.[^'"]+)['"],\s*import\.meta\.url\s*\)/g,
]

function targetsOf(file) {
  // What Emscripten has written names its .wasm file alone, which our own code names too.
  if (!/\.(js|d\.ts)$/.test(file) || file.includes('/wasm/')) return []
  const text = readFileSync(file, 'utf8')
  return named.flatMap((pattern) => [...text.matchAll(pattern)].map(([, target]) => target))
}

/** Paths, relative to `dist` and in order, of every file that the entries reach. */
export function neededFiles(dist) {
  const needed = new Set()
  const visit = (name) => {
    const file = path.join(dist, name)
    if (needed.has(name) || !existsSync(file)) return
    needed.add(name)
    for (const target of targetsOf(file)) {
      const next = path.posix.join(path.posix.dirname(name), target)
      visit(name.endsWith('.d.ts') ? next.replace(/\.js$/, '.d.ts') : next)
    }
  }
  entries.forEach(visit)
  return [...needed].sort()
}
