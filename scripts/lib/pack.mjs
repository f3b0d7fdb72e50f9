// The tarball that users install, and what is in it.

import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'

import { buildFolder, root } from './paths.mjs'
import { output } from './process.mjs'

/**
 * Packs the built module into `folder`; resolves to { file, name, version, unpacked (bytes),
 * packed (bytes), files: [{ path, size }] }.
 */
export async function packModule(folder = path.join(buildFolder, 'package')) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const args = ['pack', '--workspace', 'headwise', '--json', '--pack-destination', folder]
  const printed = JSON.parse(await output('npm', args, { cwd: root }))
  // A list, or since npm 11 an object by package.
  const [about] = Object.values(printed)
  const { filename, name, version, unpackedSize, size, files } = about
  const file = path.join(folder, path.basename(filename))
  return { file, name, version, unpacked: unpackedSize, packed: size, files }
}
