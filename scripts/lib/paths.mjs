// Where things are: the checkout, its build folder, and the user's cache folder.

import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
export const buildFolder = path.join(root, 'build')

/** The folder that all checkouts of this user share: toolchains live here. */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')
  return path.join(base, 'headwise')
}

/** A path as a person in the checkout would write it. */
export function shown(file) {
  const relative = path.relative(root, file)
  return relative.startsWith('..') ? file : relative || '.'
}

/** Whether the file with this import.meta.url is the program that was started. */
export function isMain(url) {
  const program = process.argv[1]
  return program !== undefined && url === pathToFileURL(program).href
}
