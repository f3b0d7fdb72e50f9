// Where the projects are built: copies under build/consumers, with the tools installed above them and
// the packed tarball installed in each, as a user would. Nothing there finds a file of the checkout.

import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { build } from 'vite'

import { whenChanged } from '../../scripts/lib/content.mjs'
import { buildFolder, root } from '../../scripts/lib/paths.mjs'
import { output, run } from '../../scripts/lib/process.mjs'
import { say } from '../../scripts/lib/say.mjs'

const source = path.join(root, 'e2e/consumers')
export const workplace = path.join(buildFolder, 'consumers')

/** Installs the bundlers and frameworks, once for each state of their lock file. */
export async function installTools() {
  const inputs = ['package.json', 'package-lock.json'].map((name) => path.join(source, name))
  const product = path.join(workplace, 'node_modules/.package-lock.json')
  mkdirSync(workplace, { recursive: true })
  await whenChanged('consumer-tools', { inputs, product }, async () => {
    say('installing the bundlers and frameworks (about 500 MB, once)')
    for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
      copyFileSync(path.join(source, name), path.join(workplace, name))
    }
    await run('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: workplace })
  })
}

/** The small model of the module's tests, as the files of a folder. */
export async function smallModel() {
  const entry = path.join(root, 'tests/module/support/small-bert.ts')
  const [{ output: chunks }] = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['es'], fileName: 'model' } },
  })
  const code = `data:text/javascript,${encodeURIComponent(chunks[0].code)}`
  const { config, tokenizer, weights } = (await import(code)).smallBert()
  return {
    'config.json': JSON.stringify(config),
    'tokenizer.json': JSON.stringify(tokenizer),
    'model.safetensors': weights,
  }
}

/** A fresh copy of a project with the tarball installed; its folder. */
export async function layOut(name, tarball, model) {
  const folder = path.join(workplace, name)
  rmSync(folder, { recursive: true, force: true })
  cpSync(path.join(source, name), folder, { recursive: true })
  copyFileSync(path.join(source, 'task.js'), path.join(folder, 'task.js'))
  copyFileSync(tarball, path.join(workplace, 'headwise.tgz'))
  const modelFolder = path.join(folder, 'public/model')
  mkdirSync(modelFolder, { recursive: true })
  for (const [file, contents] of Object.entries(model)) {
    writeFileSync(path.join(modelFolder, file), contents)
  }
  // Nothing is to come from a registry: the package has no dependencies.
  await output('npm', ['install', '--offline', '--no-package-lock', '--ignore-scripts'], {
    cwd: folder,
  })
  if (!existsSync(path.join(folder, 'node_modules/headwise/dist/index.js'))) {
    throw new Error(`${name}: npm has not installed the tarball`)
  }
  return folder
}
