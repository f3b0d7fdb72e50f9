// Content hashes of files and folders, and steps that are skipped while their inputs are unchanged.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { buildFolder, root } from './paths.mjs'

const skipped = new Set(['node_modules', 'dist', 'build', '.git', 'test-results'])

/** All files under `start` (a file or a folder), sorted; made or fetched folders are left out. */
export function filesUnder(start) {
  if (!existsSync(start)) return []
  if (statSync(start).isFile()) return [start]
  return readdirSync(start, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(start, entry.name)
      if (entry.isDirectory()) return filesUnder(file)
      return entry.isFile() ? [file] : []
    })
}

/** One hash over names and contents of files. */
export function hashOf(files, ...more) {
  const hash = createHash('sha256')
  for (const text of more) hash.update(`${text}\0`)
  for (const file of files) {
    hash.update(`${path.relative(root, file)}\0`)
    hash.update(createHash('sha256').update(readFileSync(file)).digest())
  }
  return hash.digest('hex')
}

/**
 * Runs `work` unless it already succeeded on the same inputs and `product` still exists; resolves to
 * whether it ran. An interrupted or failed step leaves no stamp and runs again.
 */
export async function whenChanged(name, { inputs, product }, work) {
  const stamp = path.join(buildFolder, 'stamps', name)
  const wanted = hashOf(inputs.flatMap(filesUnder))
  const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isCurrent && existsSync(product)) return false
  await work()
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  return true
}
